/** Execution of one tool: with staged files and a copy of its state, recording what it read and where that came from. */
import { defined } from '../../core/defined.js';
import { RoleZeroError, describe } from '../../core/error.js';
import type { StagedFiles, Touched } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import { isRecord, stringify, type JsonValue } from '../../core/json.js';
import { MAX_SOURCE } from '../../core/sources.js';
import { groupOf, type Private, type ToolQuestion, type Tool } from '../../core/tool.js';
import { withoutThinking } from '../parse/thinking.js';
import { MAX_ADDRESS } from '../policy/addresses.js';
import type { Checked } from '../policy/situation.js';
import type { Agent } from '../runtime/agent.js';
import { askModel } from '../runtime/ask-model.js';
import { Suspension, type Run } from '../runtime/outcome.js';
import type { Correction } from '../runtime/turn.js';
import { bringsUntrusted, mayRunUnasked, mayWriteUnasked, readGuard } from './authorize.js';
import { NetworkNeeded } from './network-needed.js';
import { lossAt } from './seen-files.js';
import { callTool, type OwnOfCall } from './tool-call.js';
import { markForgedLines } from '../prompt/forged-lines.js';
import { headAndTail } from '../prompt/conversation.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';

/** Maximum number of addresses that the sources of a result name. */
const MAX_ADDRESSES = 100;

/** Changes of a command that succeeded; they are stored together with its result. */
export interface Changes {
  files: StagedFiles;
  /** Group of the tool, and its new state. */
  group: string;
  state: Record<string, JsonValue>;
}

/** What a command read, and where it came from. */
export interface Origin {
  /** Untrusted sources of the output. */
  untrusted: string[];
  /** See `CommandResult`. */
  composed: boolean;
  /** See `CommandResult`. */
  addresses: string[];
  /** True for private data of the user, or the service that all of it came from; null for none. */
  private: Private | null;
}

/** A tool that was executed. */
export interface Executed {
  origin: Origin;
  ok: boolean;
  correction: Correction | null;
  output: unknown;
  changes: Changes;
  pages: { url: string; title: string }[];
  /** Paths that the command was not allowed to replace yet. */
  warned: string[];
  touched: Touched;
}

/** A call of a tool that has been authorized. */
export interface AuthorizedCall {
  checked: Checked;
  callId: string;
  files: StagedFiles;
  run: Run;
  /** What the arguments referred to when the user approved them; null without an approval. */
  approvedTarget: string | null;
  /** The files that the user was shown when allowing its requests; null without such an approval. */
  shownFiles: readonly string[] | null;
}

/** What a tool reports about its result while it runs. */
interface Reported {
  untrusted: string[];
  addresses: string[];
  /** A source was reported without addresses: the whole output counts as content of the source. */
  isAllFromOthers: boolean;
  isPrivate: boolean;
  pages: Executed['pages'];
}

/** Origin of an output without untrusted or private content. */
export const TRUSTED: Origin = { untrusted: [], composed: false, addresses: [], private: null };

/** Returns the origin of a result that the tool gave without running, such as that of `reconcile`: the same as if it had run. */
export function originOfResult(agent: Agent, checked: Checked, output: unknown): Origin {
  const isUntrusted = hasText(output) && bringsUntrusted(agent, checked);
  return originOfOutput(checked, nothingReported(), { untrusted: [], private: false }, isUntrusted);
}

function nothingReported(): Reported {
  return { untrusted: [], addresses: [], isAllFromOthers: false, isPrivate: false, pages: [] };
}

/** Runs the tool with staged files and a copy of its state. A failure of the tool is a result. */
export async function execute(agent: Agent, call: AuthorizedCall): Promise<Executed> {
  const { checked, files, run } = call;
  const { tool } = checked;
  const { untrusted = [], private: known = null } = agent.state;
  files.mark(untrusted, known === null ? 'open' : 'secret');
  const guard = readGuard(agent, checked);
  files.guard(guard);
  files.mayRead = (path) => passes(guard, path);
  files.mayWrite = (path) => mayWriteUnasked(agent, checked, path);
  const warned: string[] = [];
  files.replacementLoss = async (path) => {
    const loss = await lossAt(agent, files, path, { callId: call.callId, name: tool.name });
    if (loss !== null) warned.push(path);
    return loss;
  };
  const group = groupOf(tool.name);
  const state = copyOfState(agent, group);
  const reported = nothingReported();
  const own = ownOfCall(agent, call, state, reported);
  const called = outcomeOf(agent, checked, own, run);
  const { ok, output, isOwn, correction } = called instanceof Promise ? await called : called;
  // The message of a failure may contain untrusted content too.
  const isUntrusted = !isOwn && hasText(output) && bringsUntrusted(agent, checked);
  const touched = files.touched();
  const origin = originOfOutput(checked, reported, touched, isUntrusted);
  const secret = known ?? origin.private;
  files.mark([...untrusted, ...origin.untrusted], secret === null ? 'open' : 'secret');
  const changes = { files, group, state };
  return { ok, output, correction, changes, pages: reported.pages, origin, warned, touched };
}

/** Returns what the tool receives. It reports on its result to `reported`. */
function ownOfCall(
  agent: Agent,
  { checked, callId, files, run, approvedTarget, shownFiles }: AuthorizedCall,
  state: Record<string, JsonValue>,
  reported: Reported,
): OwnOfCall {
  const { untrusted = [] } = agent.state;
  const needsNetwork = (request: string): never => {
    throw new NetworkNeeded(request, files);
  };
  return {
    caller: { agent, run },
    role: agent.name,
    callId,
    files,
    state,
    outputLimit: outputLimit(agent),
    exposed: untrusted.length > 0 && agent.state.private !== undefined,
    approvedTarget,
    shownFiles,
    mayRun: (name, args) => mayRunUnasked(agent, { name, args }),
    needsNetwork: checked.isOffline === true ? needsNetwork : null,
    ask: (question, signal) => askForTool(agent, { ...run, signal }, callId, question),
    ...reporting(reported),
  };
}

/** Returns the functions with which a tool reports on its result. They record it in `reported`. */
function reporting(reported: Reported): Pick<OwnOfCall, 'untrusted' | 'private' | 'pageChanged'> {
  return {
    untrusted: (source, named) => {
      reported.untrusted.push(source.slice(0, MAX_SOURCE));
      const addresses = (named ?? []).slice(0, MAX_ADDRESSES);
      reported.addresses.push(...addresses.map((address) => address.slice(0, MAX_ADDRESS)));
      reported.isAllFromOthers ||= named === undefined;
    },
    private: () => void (reported.isPrivate = true),
    pageChanged: (url, title) => void reported.pages.push({ url, title }),
  };
}

/**
 * Returns where the output came from. Adds the sources of the files that it has read to those that it has reported.
 *
 * @param isUntrusted The output is untrusted content although the tool has not reported it.
 */
function originOfOutput(
  { tool }: Checked,
  { untrusted, addresses, isAllFromOthers, isPrivate }: Reported,
  touched: Pick<Touched, 'untrusted' | 'private'>,
  isUntrusted: boolean,
): Origin {
  const isReported = untrusted.length > 0;
  const isBrought = isReported || isUntrusted;
  const isAnswered = isReported && !isAllFromOthers;
  const composed = !isBrought || tool.composes === true || isAnswered;
  untrusted.push(...touched.untrusted); // no copy: a tool that has not finished may still report a source
  if (isBrought && untrusted.length === 0) untrusted.push(tool.name);
  const ownData = isPrivate ? (tool.service ?? true) : null;
  return { untrusted, composed, addresses, private: touched.private ? true : ownData };
}

/** Returns whether an output can contain what somebody wrote. */
function hasText(output: unknown): boolean {
  return output !== '' && (typeof output === 'string' || (typeof output === 'object' && output !== null));
}

function passes(guard: (path: string) => void, path: string): boolean {
  try {
    guard(path);
    return true;
  } catch {
    return false;
  }
}

function copyOfState(agent: Agent, group: string): Record<string, JsonValue> {
  const { tools } = agent.state;
  return Object.hasOwn(tools, group) ? structuredClone(tools[group] ?? {}) : {}; // a group may be named `constructor`
}

/** The last question of a command to the model, by agent; the next one waits for it. */
const lastQuestions = new WeakMap<Agent, Promise<unknown>>();

/** Answers a question of a command to the model, outside of the conversation. Parallel commands ask one after the other. */
async function askForTool(
  agent: Agent,
  run: Run,
  callId: string,
  { text, purpose = 'other', maxOutputTokens }: ToolQuestion,
): Promise<string> {
  const before = lastQuestions.get(agent);
  const reply = (async () => {
    await before?.catch(() => {}); // its own command reports the error
    run.signal.throwIfAborted();
    return askModel(agent, run, {
      purpose,
      key: `tool:${callId}:${fingerprint(text, purpose)}`,
      text,
      apart: true,
      ...defined({ maxOutputTokens }),
    });
  })();
  lastQuestions.set(agent, reply);
  return withoutThinking((await reply).text).trim();
}

/** What a tool returned, or the description of its failure. `isOwn`: the library wrote it, about invalid arguments. */
interface ToolOutcome {
  ok: boolean;
  output: unknown;
  isOwn: boolean;
  correction: Correction | null;
}

/** Returns the outcome of a call, and a promise of it only when the tool returns one. */
function outcomeOf(
  agent: Agent,
  { tool, input }: Checked,
  own: OwnOfCall,
  run: Run,
): ToolOutcome | Promise<ToolOutcome> {
  const succeeded = (output: unknown): ToolOutcome => ({ ok: true, output, isOwn: false, correction: null });
  const failed = async (error: unknown): Promise<ToolOutcome> => {
    await agent.delegated; // it never rejects: its last commit comes before those of this agent
    if (isThrownOn(error, run)) throw error;
    const isOwn = error instanceof RoleZeroError && error.code === 'tool-input';
    return { ok: false, output: describeFailure(error), isOwn, correction: correctionIn(error) };
  };
  try {
    const output = callTool(tool, input, own, agent.context, run.signal);
    return output instanceof Promise ? output.then(succeeded, failed) : succeeded(output);
  } catch (error) {
    return failed(error);
  }
}

/** Returns the correction that the error of a tool names in its details; null for none. */
function correctionIn(error: unknown): Correction | null {
  const correction = error instanceof RoleZeroError ? error.detail['correction'] : undefined;
  return isRecord(correction) ? (correction as Correction) : null;
}

/**
 * Returns whether an error is no result of its command: a stop, an open question, an error of model or storage, or a request that the user
 * has not allowed yet.
 */
export function isThrownOn(error: unknown, run: Run): boolean {
  if (error instanceof NetworkNeeded || error instanceof Suspension || run.signal.aborted) return true;
  return error instanceof RoleZeroError && error.endsRun;
}

/** Maximum characters of one observation; the middle of a longer one is left out. */
const MAX_OBSERVATION = 32_000;
/** Share of the window that one observation may take. */
const OBSERVATION_SHARE = 0.2;

/** Returns the maximum characters of one observation, which leaves room for others in the window of the model. */
function outputLimit(agent: Agent): number {
  return Math.min(
    MAX_OBSERVATION,
    Math.ceil(agent.model.contextWindow * CHARACTERS_PER_TOKEN * OBSERVATION_SHARE),
  );
}

/**
 * Returns the output of a command as the model reads it.
 *
 * @param isUntrusted It contains untrusted content, which must not look like another part of the prompt.
 */
export function observationOf(
  agent: Agent,
  { name, hints }: Pick<Tool, 'name' | 'hints'>,
  output: unknown,
  isUntrusted = false,
): string {
  const isRaw = hints?.rawResult === true;
  const whole = headAndTail(asText(output, isRaw), outputLimit(agent));
  const text = isUntrusted ? markForgedLines(whole) : whole;
  if (isRaw) return `Command ${name} executed:${text}`; // without a space, as in MetaGPT
  return text === '' ? `Command ${name} executed` : `Command ${name} executed: ${text}`;
}

/** Describes a failure of a tool for the model. */
export function describeFailure(error: unknown): string {
  if (error instanceof RoleZeroError || !(error instanceof Error)) return describe(error);
  return error.message === '' ? error.name : `${error.name}: ${error.message}`;
}

/** Only a tool without a result has no text: 0, `false`, an empty text or an empty list can be the answer. */
function asText(output: unknown, isRaw: boolean): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string' && (output !== '' || isRaw)) return output;
  return stringify(output) ?? '';
}

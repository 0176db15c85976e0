/** What a model with few parameters is asked to do next: one thing, chosen by what has happened. Offered several, it takes the wrong one. */
import { withoutEnvelope } from '../../core/envelope.js';
import { isRecord } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { ASK_HUMAN, doesWork, REPLY_TO_HUMAN } from '../../core/role-command-names.js';
import { resolvePath } from '../../files/path.js';
import { pathsIn, wantsAnswer, wantsQuestion } from '../prompt/request-kind.js';
import { fill } from '../prompt/template.js';
import type { Agent } from './agent.js';
import { hasChangedFiles } from './facts.js';

/** Maximum characters of a request that it reads again after its commands. */
const MAX_REQUEST = 500;

/** Returns whether the request wants an answer, and no change. */
export function isQuestion(agent: Agent): boolean {
  return wantsAnswer(requestText(agent));
}

/** Returns whether it has done what was asked, as far as that can be known: it has changed files, or answered a question. */
export function mayBeDone(agent: Agent): boolean {
  return hasChangedFiles(agent) || isAnswered(agent);
}

/** Returns what it is to do next: the work, or its end when files were changed or a question was answered. */
export async function nextStep(agent: Agent): Promise<string> {
  return stepFor(agent, await namedFiles(agent));
}

function stepFor(agent: Agent, files: NamedFiles): string {
  const { smallAnswered, smallAsk, smallEnd } = agent.settings.prompts;
  if (isAnswered(agent)) return smallAnswered;
  if (isToAsk(agent)) return smallAsk;
  return hasChangedFiles(agent) ? smallEnd : useOf(agent, files);
}

/** Returns what it reads at the beginning: that the user is to be asked, or files to be read, where the request says so. */
export async function firstOfSmall(agent: Agent): Promise<string | undefined> {
  const { smallAsk, smallRead } = agent.settings.prompts;
  if (isToAsk(agent)) return smallAsk;
  const read = agent.registry.forFile('read');
  const { unread } = await namedFiles(agent);
  return unread.length === 0 || read === undefined
    ? undefined
    : fill(smallRead, { files: unread.join(', '), read });
}

/** Returns what it reads after its commands: what their results are for. Undefined after a reply to the user, which says it. */
export async function nextOfSmall(agent: Agent, unread: readonly Message[]): Promise<string | undefined> {
  const { registry, settings } = agent;
  const { smallAnswered, smallAsk, smallAsked, smallCorrect, smallEnd, smallReplied, smallUnread } =
    settings.prompts;
  const stored: unknown[] = unread.flatMap(({ metadata }) => metadata['results'] ?? []);
  const results = stored.filter(isRecord);
  const names = results.map(({ name }) => String(name));
  if (isAnswered(agent)) return smallAnswered;
  if (results.length === 0 || results.some(({ ok }) => ok !== true))
    return fill(smallCorrect, { request: requestText(agent) });
  if (isToAsk(agent)) return smallAsk;
  if (names.includes(REPLY_TO_HUMAN)) return hasChangedFiles(agent) ? smallReplied : undefined;
  const files = await namedFiles(agent);
  const read = registry.forFile('read');
  if (names.some((name) => registry.get(name)?.staged === true))
    return files.unread.length === 0 || read === undefined
      ? smallEnd
      : fill(smallUnread, { files: files.unread.join(', '), read });
  if (wantsQuestion(requestText(agent)) && names.includes(ASK_HUMAN) && !hasChangedFiles(agent))
    return fill(smallAsked, { request: requestText(agent), commands: changesFor(agent, files) });
  // What it has just read may be what the change depends on.
  const hasRead = names.some((name) => registry.get(name)?.hints?.file === 'read');
  return hasRead && files.others.length > 0 ? useOf(agent, files) : stepFor(agent, files);
}

/** Returns the beginning of the request that is worked on. */
function requestText({ goals }: Agent): string {
  return withoutEnvelope(goals.plan.goal).slice(0, MAX_REQUEST);
}

/** Returns what the results of commands are for: an answer, or a change. */
function useOf(agent: Agent, files: NamedFiles): string {
  const { smallAnswer, smallUse } = agent.settings.prompts;
  const request = requestText(agent);
  if (isQuestion(agent)) return fill(smallAnswer, { request });
  return fill(smallUse, { request, commands: changesFor(agent, files) });
}

/** Returns the commands for a change: only the one for new files where the request names a file that does not exist. */
function changesFor(agent: Agent, { missing }: NamedFiles): string {
  const { registry, settings } = agent;
  const { smallChanges, smallMissing } = settings.prompts;
  const [append, replace, write] = (['append', 'replace', 'write'] as const).map((use) =>
    registry.forFile(use),
  );
  if (missing.length > 0 && write !== undefined)
    return fill(smallMissing, { files: missing.join(', '), write });
  if (append !== undefined && replace !== undefined && write !== undefined)
    return fill(smallChanges, { append, replace, write });
  return registry.names.filter(doesWork).join(', ');
}

function isAnswered(agent: Agent): boolean {
  return isQuestion(agent) && agent.turn().userReply !== null;
}

/** Returns whether the model is small, and the request says that the user is to be asked, which has not happened yet. */
export function isToAsk(agent: Agent): boolean {
  const { settings, context } = agent;
  if (settings.preset !== 'small' || context.human === null || agent.turn().hasConsulted) return false;
  return wantsQuestion(requestText(agent));
}

/** The files that a request names. */
interface NamedFiles {
  /** Those that the role has not written itself. */
  others: string[];
  /** Those of `others` that it has not read either. */
  unread: string[];
  /** Those that do not exist. */
  missing: string[];
}

async function namedFiles(agent: Agent): Promise<NamedFiles> {
  const { workspace } = agent.context;
  const { seenFiles = {} } = agent.state;
  const others: string[] = [];
  const missing: string[] = [];
  const paths = pathsIn(requestText(agent));
  if (paths.length > 0) await agent.context.whole?.();
  for (const named of paths) {
    const path = resolvePath(named);
    const file = await workspace.stat(path);
    if (file === null) missing.push(path);
    else if (file.type === 'file' && workspace.lastOriginOf(path)?.role !== agent.name) others.push(path);
  }
  return { others, missing, unread: others.filter((path) => !Object.hasOwn(seenFiles, path)) };
}

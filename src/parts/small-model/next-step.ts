/** What a model with few parameters is asked to do next: one thing, chosen by what has happened. Offered several, it takes the wrong one. */
import { withoutEnvelope } from '../../core/envelope.js';
import type { FileInfo } from '../../core/files.js';
import { GIVE_AGAIN } from '../../core/give-again.js';
import type { Command } from '../../core/human.js';
import { isRecord } from '../../core/json.js';
import { commandsIn, resultsIn, RunCommand, type Message } from '../../core/message.js';
import { ASK_HUMAN, doesWork, END, REPLY_TO_HUMAN } from '../../core/role-command-names.js';
import { groupOf } from '../../core/tool.js';
import { resolvedPath } from '../../files/path.js';
import {
  ADDS,
  APPENDS,
  CHANGES,
  examplesIn,
  pathsIn,
  sourcesIn,
  TARGET,
  TIME,
  untouchedIn,
  URL_IN_TEXT,
  wantsAnswer,
  wantsQuestion,
  withoutPaths,
} from './request-words.js';
import { fill } from '../../agent/prompt/template.js';
import { hasChangedFiles } from '../../agent/runtime/facts.js';
import type { GuidedAgent, IsAllowed } from '../../agent/runtime/guidance.js';
import { NOT_RUN } from '../../agent/runtime/turn.js';
import { briefTools } from './brief-tools.js';

/** Maximum characters of a request that it reads again after its commands. */
const MAX_GOAL = 500;
/** Newest messages in which the results of its last commands are looked for. */
const NEWEST = 4;
/** Commands in which a missing file is looked for, before anything may be written. */
const MAX_SEARCHES = 3;
/** Characters of a content that may be equal to a part of a result by chance. */
const SHORT_REPORT = 20;
/** A line of a file in a result. */
const FILE_LINE = /^\d+\|.*$/gmu;
/** Newest messages in which is looked for what it has seen. */
const SEEN = 40;
/** Maximum number of unread files among which mentioned ones are looked for, and of those that are named. */
const MAX_UNREAD = 30;
const MAX_MENTIONED = 3;
/** Files that name those that they work with. */
const OF_CODE = /\.(?:html?|css|[cm]?[jt]sx?|vue|svelte|py)$/iu;

/** Returns whether the request wants an answer, and no change. */
function isQuestion(agent: GuidedAgent): boolean {
  return wantsAnswer(goalText(agent));
}

/**
 * Returns whether it has done what was asked, as far as that can be known: it has changed files, answered a question, or insists on its reply
 * after it was asked about it.
 */
function mayBeDone(agent: GuidedAgent): boolean {
  const { userReply, hasCheckedClaims } = agent.turn();
  return hasChangedFiles(agent) || isAnswered(agent) || (userReply !== null && hasCheckedClaims === true);
}

/**
 * Returns whether it may ask the user of its own accord: not when the work may be done, and not right after an answer. A model with half a
 * billion parameters asked again what it knew.
 */
function mayAsk(agent: GuidedAgent): boolean {
  if (isToAsk(agent)) return true;
  return !mayBeDone(agent) && !hasJustAsked(agent);
}

/** Returns whether it may end: not right after its end was refused, because nothing has happened. It insisted on it in place of an answer. */
function mayEnd(agent: GuidedAgent): boolean {
  return !lastResults(agent).some(({ name, ok }) => name === END && ok !== true);
}

/** Returns whether the request names a file and wants a change, which was neither made nor tried in vain. */
function leavesOutChange(agent: GuidedAgent): boolean {
  const goal = goalText(agent);
  if (pathsIn(goal).length === 0 || !CHANGES().test(withoutPaths(goal)) || hasChangedFiles(agent))
    return false;
  return agent.state.request?.failed.every((name) => name === END) === true;
}

/** Returns whether its last commands only asked the user. */
function hasJustAsked(agent: GuidedAgent): boolean {
  const results = lastResults(agent);
  return results.length > 0 && results.every(({ name }) => name === ASK_HUMAN);
}

/** Returns whether one of its last commands was a reply to the user. */
function hasJustReplied(agent: GuidedAgent): boolean {
  return lastResults(agent).some(({ name, ok }) => name === REPLY_TO_HUMAN && ok === true);
}

/** Returns whether one of its last commands failed. */
function hasFailed(agent: GuidedAgent): boolean {
  return lastResults(agent).some(({ ok }) => ok !== true);
}

/** The results of its last commands. */
function lastResults({ memory }: GuidedAgent): Record<string, unknown>[] {
  return (
    memory
      .get(NEWEST)
      .map(resultsIn)
      .findLast((results) => results !== null) ?? []
  );
}

/**
 * Returns which commands it may write in place of those that it has repeated. It repeats itself at any temperature where its engine lets it, and
 * damages what it has done where it is offered more than what is left.
 */
export async function allowedInstead(agent: GuidedAgent, repeated: readonly string[]): Promise<IsAllowed> {
  const isChange = (name: string): boolean => doesChange(agent, name);
  const isDone = mayBeDone(agent);
  const hasReported = isReported(agent);
  const knows = await knowsAnswer(agent);
  const repeatsChange = repeated.some(isChange);
  const failed = hasFailed(agent);
  const inVain = hasRepeated(agent) ? failedAlways(agent) : [];
  // It repeats a change when it takes the work for done, and then reads and writes the same in turns.
  const isFinished = hasReported || knows || (isDone && ((repeatsChange && !failed) || hasRepeated(agent)));
  return (name) => {
    if (name === END) return isDone;
    if (name === REPLY_TO_HUMAN) return !hasReported && (!isDone || !repeated.includes(name));
    // One with half a billion parameters read and changed a file in turns that did not exist.
    if (repeated.includes(name) || inVain.includes(name)) return false;
    // It appended what it could not replace.
    if (repeatsChange && failed && agent.registry.get(name)?.hints?.file === 'append') return false;
    if (name === ASK_HUMAN) return !knows && mayAsk(agent);
    return !isFinished && !(isQuestion(agent) && isChange(name));
  };
}

/** Returns whether its newest messages report a repetition. */
function hasRepeated({ memory }: GuidedAgent): boolean {
  return memory.get(NEWEST).some(({ metadata }) => typeof metadata['repeated'] === 'string');
}

/** Returns the names of the commands that have run and never succeeded. */
function failedAlways({ memory }: GuidedAgent): string[] {
  const results = memory.get(SEEN).flatMap((message) => resultsIn(message) ?? []);
  const failed = results.filter(
    ({ name, ok }) => ok !== true && !results.some((each) => each['name'] === name && each['ok'] === true),
  );
  return failed.map(({ name }) => String(name));
}

/** Returns whether the request wants an answer about files that it names, and all of them were read. */
async function knowsAnswer(agent: GuidedAgent): Promise<boolean> {
  if (!isQuestion(agent)) return false;
  const { others, unread } = await namedFiles(agent);
  return others.length > 0 && unread.length === 0;
}

/** Returns what it is to do in place of what it repeats: the work, or its end when files were changed or a question was answered. */
export async function stepInstead(agent: GuidedAgent): Promise<string> {
  return stepFor(agent, await namedFiles(agent));
}

function stepFor(agent: GuidedAgent, files: NamedFiles): string {
  const { smallAnswered, smallAsk, smallCorrect, smallEnd, smallReplied } = agent.settings.prompts;
  if (isAnswered(agent)) return smallAnswered;
  if (isToAsk(agent)) return smallAsk;
  if (isReported(agent)) return smallReplied;
  if (hasFailed(agent) && !hasRepeated(agent)) return fill(smallCorrect, { request: goalText(agent) });
  if (hasChangedFiles(agent)) return smallEnd;
  return (hasRead(agent) ? null : lackOf(agent, files)) ?? useOf(agent, files);
}

/** Returns what it reads at the beginning: that the user is to be asked, a page opened, or files read, where the request says so. */
export async function firstStep(agent: GuidedAgent): Promise<string | undefined> {
  const { smallAsk, smallOpen } = agent.settings.prompts;
  if (isToAsk(agent)) return smallAsk;
  const [url] = URL_IN_TEXT().exec(goalText(agent)) ?? [];
  const open = openerOf(agent);
  if (url !== undefined && open !== undefined && agent.state.request?.pages.length === 0)
    return fill(smallOpen, { url, open });
  const files = await namedFiles(agent);
  return lackOf(agent, files) ?? readFirst(agent, files.unread);
}

/** Returns that a file is missing from which the request takes something; null for none. */
function lackOf({ settings }: GuidedAgent, { absent }: NamedFiles): string | null {
  return absent.length === 0 ? null : fill(settings.prompts.smallAbsent, { files: absent.join(', ') });
}

/** Returns what it reads when it has ended before the change that the request wants: to make it, unless what it needs is missing. */
async function afterRefusedEnd(agent: GuidedAgent): Promise<string> {
  const files = await namedFiles(agent);
  return lackOf(agent, files) ?? useOf(agent, files);
}

/** Returns what it reads after its commands: what their results are for. */
export async function nextStep(agent: GuidedAgent, unread: readonly Message[]): Promise<string | undefined> {
  const { settings } = agent;
  const { smallAnswered, smallAsk, smallAsked, smallCorrect, smallReplied, smallRest } = settings.prompts;
  const results = unread.flatMap((message) => resultsIn(message) ?? []);
  const names = results.map(({ name }) => String(name));
  if (isAnswered(agent)) return smallAnswered;
  if (results.length > 0 && names.every((name) => name === END))
    return leavesOutChange(agent) ? afterRefusedEnd(agent) : undefined; // the error says what to do
  const isIdle = results.length === 0 && mayBeDone(agent);
  const isRefused = results.some(({ name, ok }) => name === REPLY_TO_HUMAN && ok !== true);
  const isUnchanged = isRefused && leavesOutChange(agent);
  if (!isIdle && !isUnchanged && (results.length === 0 || results.some(({ ok }) => ok !== true)))
    return fill(smallCorrect, { request: goalText(agent) });
  if (isToAsk(agent)) return smallAsk;
  const isOpen = wantsQuestion(goalText(agent)) && !hasChangedFiles(agent);
  // One with half a billion parameters sent the answer back to the user in place of writing it.
  const isUnwritten = isOpen && CHANGES().test(withoutPaths(goalText(agent)));
  if (names.includes(REPLY_TO_HUMAN) && !isUnwritten && !isUnchanged) return smallReplied;
  const files = await namedFiles(agent);
  if (isUnchanged && !isUnwritten) return useOf(agent, files);
  if (names.some((name) => doesChange(agent, name)))
    return unread.some(({ content }) => hasChangeLeft(agent, content)) || hasFileLeft(agent)
      ? fill(smallRest, { request: goalText(agent) })
      : afterChange(agent, files);
  if (isUnwritten || (isOpen && names.includes(ASK_HUMAN)))
    return fill(smallAsked, { request: goalText(agent), commands: changesFor(agent, files) });
  // It wrote a price before it had opened the page with it.
  const opener = openerOf(agent);
  if (opener !== undefined && names.some((name) => groupOf(name) === groupOf(opener)))
    return afterPage(agent, files, opener);
  // What it has just read may be what the change depends on.
  const isReading = names.some((name) => doesRead(agent, name));
  if (!isReading || files.others.length === 0) return stepFor(agent, files);
  const first = readFirst(agent, await mentionedFiles(agent, files));
  if (first !== undefined) return first;
  // It took changes for made that it had given beside the reading: "calc is already renamed".
  const isLeft = !hasChangedFiles(agent) && unread.some(({ content }) => hasChangeLeft(agent, content));
  return isLeft ? `${settings.prompts.smallNotRun}\n${useOf(agent, files)}` : useOf(agent, files);
}

/**
 * Returns whether it has just changed files, and has written or read all that there are: it would read what it has written, file by file, before
 * it reports.
 */
async function knowsAllFiles(agent: GuidedAgent): Promise<boolean> {
  const { context } = agent;
  const results = lastResults(agent);
  if (results.length === 0 || !results.every(({ name, ok }) => ok === true && doesChange(agent, name)))
    return false;
  const unseen = await unseenFiles(agent);
  return unseen.every(({ path }) => context.workspace.lastOriginOf(path)?.role === agent.name);
}

/**
 * Returns whether the request takes something from a file that does not exist, which it has only begun to look for: it wrote "No file" into the
 * result, or 0.
 */
async function lacksSource(agent: GuidedAgent): Promise<boolean> {
  const { commands = MAX_SEARCHES } = agent.state.request ?? {};
  return commands < MAX_SEARCHES && !hasRead(agent) && (await namedFiles(agent)).absent.length > 0;
}

/** Returns whether it has read a file for the request. */
function hasRead(agent: GuidedAgent): boolean {
  return agent.state.request?.ran.some((name) => doesRead(agent, name)) === true;
}

/** Returns whether a command reads files. */
function doesRead({ registry }: GuidedAgent, name: string): boolean {
  return registry.get(name)?.hints?.file === 'read';
}

/** Returns whether a command changes files. */
function doesChange({ registry }: GuidedAgent, name: unknown): boolean {
  return registry.get(String(name))?.staged === true;
}

/** Returns the files that it has not read. */
async function unseenFiles({ context, state }: GuidedAgent): Promise<FileInfo[]> {
  const { seenFiles = {} } = state;
  const all = await context.workspace.list('/', { recursive: true });
  return all.filter(({ path, type }) => type === 'file' && !Object.hasOwn(seenFiles, path));
}

/** Returns the request to read these files; undefined for none. */
function readFirst({ registry, settings }: GuidedAgent, files: readonly string[]): string | undefined {
  const read = registry.forFile('read');
  return files.length === 0 || read === undefined
    ? undefined
    : fill(settings.prompts.smallRead, { files: files.join(', '), read });
}

/** Comments of pages and code, without the end of an address. A line of a style sheet or of C may begin with `#`. */
const COMMENTS = /<!--[^]*?(?:-->|$)|\/\*[^]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|^\s*#[ !][^\n]*/gmu;

/**
 * Returns the unread files that pages and code of a request for a change mention, such as the script of a page: the reason why the page does not work
 * is there. What a text mentions may be an order of somebody else: files from an untrusted source are left out, and so are comments.
 */
async function mentionedFiles(agent: GuidedAgent, { others }: NamedFiles): Promise<string[]> {
  if (isQuestion(agent)) return [];
  const { workspace } = agent.context;
  const unread = (await unseenFiles(agent)).filter(
    ({ path, untrusted = [] }) => untrusted.length === 0 && !others.includes(path),
  );
  if (unread.length === 0 || unread.length > MAX_UNREAD) return [];
  const code = others.filter((path) => OF_CODE.test(path));
  const read = (path: string): Promise<string> => workspace.read(path).catch(() => '');
  const texts = await Promise.all(code.map(async (path) => (await read(path)).replace(COMMENTS, '')));
  return unread
    .map(({ path }) => path)
    .filter((path) => texts.some((text) => text.includes(path.slice(path.lastIndexOf('/') + 1))))
    .slice(0, MAX_MENTIONED);
}

/** Returns whether an observation says, after its results, that a change was not run. Asked to report, a model reported it as done. */
function hasChangeLeft(agent: GuidedAgent, content: string): boolean {
  const left = content.slice(agent.turn().lastOutput.length).split('\n');
  const changes = agent.registry.tools.filter(({ staged }) => staged === true);
  return left.some((line) => {
    const [names = ''] = line.split(', because ');
    return names.startsWith(NOT_RUN) && changes.some(({ name }) => names.includes(name));
  });
}

/**
 * Returns whether an edit that followed a failed command in its list was not run later, and its file was not changed otherwise. Corrected, a model
 * gave the first one of three again, and reported.
 */
function hasFileLeft({ registry, memory, context, state }: GuidedAgent): boolean {
  const newest = memory.get(SEEN);
  const isOld = newest.findLastIndex(({ causeBy }) => causeBy !== RunCommand.id);
  const changed = context.workspace.changedByRoles(state.request?.files ?? 0).map(({ path }) => path);
  return newest.slice(isOld + 1).some((reply, index, turn) => {
    const results = resultsIn(turn[index + 1]);
    const left = results === null ? [] : commandsIn(reply).slice(results.length);
    return left.some(({ name, args }) => {
      const path = isRecord(args) && typeof args['path'] === 'string' ? resolvedPath(args['path']) : null;
      return path !== null && registry.get(String(name))?.staged === true && !changed.includes(path);
    });
  });
}

/** Commands of a direct answer. */
const ANSWERS: ReadonlySet<string> = new Set([REPLY_TO_HUMAN, END]);

/** Returns which commands its next reply may give; null for all that it is shown. `answers`: the request needs no more than an answer. */
export async function allowedCommands(agent: GuidedAgent, answers: boolean): Promise<IsAllowed | null> {
  // Asked only in words to do so, it makes the answer up.
  if (isToAsk(agent)) return (name) => name === ASK_HUMAN;
  if (answers) return (name) => ANSWERS.has(name);
  const asks = mayAsk(agent);
  const replies = !(isReported(agent) && hasJustReplied(agent));
  const reads = !(await knowsAllFiles(agent));
  const ends = mayEnd(agent);
  const changes = !(await lacksSource(agent));
  if (asks && replies && reads && ends && changes) return null;
  return (name) => {
    if (name === ASK_HUMAN) return asks;
    if (name === REPLY_TO_HUMAN) return replies;
    if (name === END) return ends;
    return (reads || !doesRead(agent, name)) && (changes || !doesChange(agent, name));
  };
}

/**
 * Returns why a command is left out: it changes a file that the request leaves as it is, writes what it has read about its own change, or asks the user
 * something right after an answer. With half a billion and with 1.5 billion parameters, it edits all files that it knows, copies the nearest text, and
 * asks whether there is anything else.
 */
export function refusal(agent: GuidedAgent, command: Command, before: readonly Command[]): string | null {
  const { name, args } = command;
  if (name === ASK_HUMAN)
    return isQuestion(agent) && before.some((each) => each.name === REPLY_TO_HUMAN) && !isToAsk(agent)
      ? 'the user has your answer'
      : null;
  const path = typeof args['path'] === 'string' ? resolvedPath(args['path']) : null;
  if (path === null || !doesChange(agent, name)) return null;
  if (isReport(agent, args['content']))
    return 'its content is what you have read about an earlier command. Write what the request wants in the file';
  if (!untouchedIn(goalText(agent)).some((named) => resolvedPath(named) === path)) return null;
  const reason = `the request leaves ${path} as it is; ${GIVE_AGAIN} to change it nevertheless`;
  return agent.memory.get(1)[0]?.content.includes(reason) ? null : reason; // it insists, at once
}

/** Returns whether a content is the result of one of its last commands, which was a change. */
function isReport(agent: GuidedAgent, content: unknown): boolean {
  if (typeof content !== 'string' || content.trim().length < SHORT_REPORT) return false;
  return lastResults(agent).some(
    ({ name, output }) =>
      doesChange(agent, name) && String(output).replace(FILE_LINE, '').includes(content.trim()),
  );
}

/**
 * Returns what is missing before it may report: it says in its own words that it is done, after edits of which each has failed, and reported that a function is
 * already renamed, right after it had read the file with the old name.
 */
export function missingWork(agent: GuidedAgent): 'edit' | 'change' | null {
  if (agent.state.request?.editFailed === true && !hasChangedFiles(agent)) return 'edit';
  return leavesOutChange(agent) ? 'change' : null;
}

/** Returns the name of the tool that opens pages; undefined without one. */
function openerOf({ registry }: GuidedAgent): string | undefined {
  return registry.tools.find(({ hints }) => hints?.opensPages === true)?.name;
}

/** Returns what it reads after a command of the group that opens pages: what to do when the page is the right one, and when not. */
function afterPage(agent: GuidedAgent, files: NamedFiles, opener: string): string {
  const { smallPage, smallPageAgain } = agent.settings.prompts;
  const request = goalText(agent);
  const shown = briefTools(agent.registry.tools).filter(({ name }) => groupOf(name) === groupOf(opener));
  const pages = shown.map(({ name }) => name);
  if (!opensSameAgain(agent, opener))
    return fill(smallPage, { request, commands: changesFor(agent, files), pages: pages.join(', ') });
  return fill(smallPageAgain, { request, pages: pages.filter((name) => name !== opener).join(', ') });
}

/** Returns whether its last command opened a page that it had opened before, in vain: it did so in turns with a guess, until the limit of time. */
function opensSameAgain({ memory }: GuidedAgent, opener: string): boolean {
  const given = memory.get(SEEN).flatMap(commandsIn);
  if (given.at(-1)?.['name'] !== opener) return false; // it has followed a link since
  const opened = given.filter(({ name }) => name === opener).map((command) => JSON.stringify(command));
  return opened.slice(0, -1).includes(opened.at(-1) ?? '');
}

/** Returns the example of the request that it has written as the result, though nothing that it has seen shows it; undefined for none. */
function writtenExample(agent: GuidedAgent): string | undefined {
  const newest = agent.memory.get(SEEN);
  const last = newest.findLast(({ metadata }) => Array.isArray(metadata['commands']));
  const written = commandsIn(last)
    .flatMap(({ args }) => (isRecord(args) ? [args['content'], args['new']] : []))
    .map((text) => (typeof text === 'string' ? text.trim() : ''));
  const outputs = newest.flatMap((message) => resultsIn(message) ?? []).map(({ output }) => String(output));
  return examplesIn(goalText(agent)).find(
    (example) => written.includes(example) && !outputs.some((output) => output.includes(example)),
  );
}

/** Returns what it reads after a change: that files of the request were not read or not written, or else that it may end. */
function afterChange(agent: GuidedAgent, { unread, missing }: NamedFiles): string {
  const { registry, state, context } = agent;
  const { smallEnd, smallExample, smallUnread, smallUnwritten } = agent.settings.prompts;
  const example = writtenExample(agent);
  if (example !== undefined) return fill(smallExample, { example, request: goalText(agent) });
  const [read, write] = [registry.forFile('read'), registry.forFile('write')];
  if (unread.length > 0 && read !== undefined) return fill(smallUnread, { files: unread.join(', '), read });
  // It was removed, or written in a folder that the request names elsewhere.
  const changed = context.workspace.changedByRoles(state.request?.files ?? 0).map(({ path }) => path);
  const unwritten = missing.filter((path) => !changed.some((each) => each.endsWith(path)));
  if (unwritten.length === 0 || write === undefined) return smallEnd;
  return fill(smallUnwritten, { files: unwritten.join(', '), write });
}

/** Returns the beginning of the request that is worked on. */
function goalText({ goals }: GuidedAgent): string {
  return withoutEnvelope(goals.plan.goal).slice(0, MAX_GOAL);
}

/** Returns what the results of commands are for: an answer, or a change. */
function useOf(agent: GuidedAgent, files: NamedFiles): string {
  const { smallAnswer, smallUse } = agent.settings.prompts;
  const request = goalText(agent);
  if (isQuestion(agent)) return fill(smallAnswer, { request });
  return fill(smallUse, { request, commands: changesFor(agent, files) });
}

/** Returns the commands for a change: only the one for new files where the request names a file that does not exist. */
function changesFor(agent: GuidedAgent, { missing }: NamedFiles): string {
  const { registry, settings } = agent;
  const { smallAdds, smallAppends, smallChanges, smallMissing } = settings.prompts;
  const [append, replace, write] = (['append', 'replace', 'write'] as const).map((use) =>
    registry.forFile(use),
  );
  if (missing.length > 0 && write !== undefined)
    return fill(smallMissing, { files: missing.join(', '), write });
  if (append === undefined || replace === undefined || write === undefined)
    return registry.names.filter(doesWork).join(', ');
  const words = withoutPaths(goalText(agent));
  const text = APPENDS().test(words) ? smallAppends : ADDS().test(words) ? smallAdds : smallChanges;
  return fill(text, { append, replace, write });
}

/** Returns whether all may be done: the user has an answer, or a reply about changed files. It then has nothing to add to what it repeats. */
export function isReported(agent: GuidedAgent): boolean {
  return mayBeDone(agent) && agent.turn().userReply !== null;
}

/** Returns the question that it has not answered yet; null for none. It ended, and wrote to the user that no file was changed. */
export function openQuestion(agent: GuidedAgent): string | null {
  return isQuestion(agent) && !isAnswered(agent) ? goalText(agent) : null;
}

function isAnswered(agent: GuidedAgent): boolean {
  return isQuestion(agent) && agent.turn().userReply !== null;
}

/** Returns whether the request has to do with the present time. A small model writes the time into files where it has no use for it. */
export function mentionsTime(agent: GuidedAgent): boolean {
  return TIME().test(goalText(agent));
}

/** Returns whether the request says that the user is to be asked, which has not happened yet. */
function isToAsk(agent: GuidedAgent): boolean {
  if (agent.context.human === null || agent.turn().hasConsulted) return false;
  return wantsQuestion(goalText(agent));
}

/** The files that a request names. */
interface NamedFiles {
  /** Those that the role has not written itself. */
  others: string[];
  /** Those of `others` that it has not read either. */
  unread: string[];
  /** Those that do not exist, and may be wanted. */
  missing: string[];
  /** Those that do not exist, and of which something is wanted: the total of `/sales.csv`. */
  absent: string[];
}

async function namedFiles(agent: GuidedAgent): Promise<NamedFiles> {
  const { workspace } = agent.context;
  const { seenFiles = {} } = agent.state;
  const others: string[] = [];
  const missing: string[] = [];
  const absent: string[] = [];
  const goal = goalText(agent);
  const paths = pathsIn(goal);
  const sources = TARGET().test(goal) ? sourcesIn(goal) : [];
  if (paths.length > 0) await agent.context.whole?.();
  for (const named of paths) {
    const path = resolvedPath(named);
    if (path === null) continue;
    const file = await workspace.stat(path);
    if (file === null) (sources.includes(named) ? absent : missing).push(path);
    else if (file.type === 'file' && workspace.lastOriginOf(path)?.role !== agent.name) others.push(path);
  }
  return { others, missing, absent, unread: others.filter((path) => !Object.hasOwn(seenFiles, path)) };
}

/** Compares messages to the user with what has happened since the request. */
import { RoleZeroError } from '../../core/error.js';
import { GIVE_AGAIN } from '../../core/give-again.js';
import { lazy } from '../../core/lazy.js';
import { fill, sections } from '../prompt/template.js';
import type { Agent } from '../runtime/agent.js';
import { thoughtOf } from '../stream/thought-text.js';
import { factsOf } from '../runtime/facts.js';
import { mayActOutside } from './tool-effects.js';
import { onlyPlans, REPLY_TO_HUMAN } from '../../core/role-command-names.js';

/** Maximum number of paths, pages, and commands that are named each. */
const MAX_NAMED = 20;
/** Newest messages in which its last reply is looked for, and maximum characters of its words. */
const NEWEST = 3;
const MAX_WORDS = 300;

/** Returns the facts in words, for the model and for users; empty for a turn that was begun by an earlier release. */
export function factsInWords(agent: Agent): string {
  const facts = factsOf(agent);
  if (facts === null) return '';
  const { prompts } = agent.settings;
  const words = (list: readonly string[]): string => {
    const more = list.length > MAX_NAMED ? [`+${list.length - MAX_NAMED}`] : [];
    return list.length === 0 ? prompts.none : [...list.slice(0, MAX_NAMED), ...more].join(', ');
  };
  const paths = (wanted: string): string =>
    words(facts.files.filter(({ change }) => change === wanted).map(({ path }) => JSON.stringify(path)));
  return fill(prompts.facts, {
    created: paths('created'),
    changed: paths('changed'),
    removed: paths('removed'),
    pages: words(facts.pages),
    failed: words(facts.failed),
  });
}

/** Returns the sentence of a message that claims what has not happened; null for no such sentence, or when it cannot be known. */
function falseClaim(agent: Agent, message: string): string | null {
  const { request } = agent.state;
  // A member of a team reports on the work of others, and a tool that is not ours may have done anything.
  if (request === undefined || (agent.context.bus !== null && !request.isOfUser)) return null;
  if (request.ran.some((name) => mayActOutside(agent, name))) return null;
  const tests = request.ran.some((name) => agent.registry.get(name)?.hints?.tests === true);
  const paths = agent.context.workspace.changedByRoles(request.files).map(({ path }) => path);
  return unconfirmedClaim(message, { paths, tests });
}

/** The same, but only once in a turn: the model is asked about its claim, and may insist. */
export function claimToAskAbout(agent: Agent, message: string): string | null {
  const turn = agent.turn();
  const claim = turn.hasCheckedClaims === true ? null : falseClaim(agent, message);
  if (claim !== null) turn.hasCheckedClaims = true;
  return claim;
}

/** Returns a message as the user receives it: a claim that is not confirmed has the facts beside it, and so has a report before the work is done. */
export function withFacts(agent: Agent, message: string): string {
  const isConfirmed = falseClaim(agent, message) === null && workLeft(agent) === null;
  return isConfirmed ? message : sections(message, `[${factsInWords(agent)}]`);
}

/**
 * Checks a message to the user before it is sent.
 *
 * @throws RoleZeroError `invalid`, once in a turn, when it claims what has not happened, or when a small model has not done the work.
 */
export function checkClaims(agent: Agent, message: string): void {
  const turn = agent.turn();
  const undone = turn.hasCheckedClaims === true ? null : workLeft(agent);
  if (undone !== null) {
    turn.hasCheckedClaims = true;
    throw new RoleZeroError('invalid', `Not sent. ${undone}`);
  }
  const claim = claimToAskAbout(agent, message);
  if (claim === null) return;
  throw new RoleZeroError(
    'invalid',
    `Not sent. Your message says: ${claim} This has not happened. ${factsInWords(agent)} Do it first, or say what was done; or ${GIVE_AGAIN} to send the message together with these records.`,
  );
}

/** Returns what a guided model reads when it reports before the work is done; null when it may be done. */
function workLeft(agent: Agent): string | null {
  const missing = agent.settings.guidance?.missing(agent) ?? null;
  if (missing === 'edit')
    return `${factsInWords(agent)} Give the failed command again, corrected; or ${GIVE_AGAIN} to send the message together with these records.`;
  const actedOutside = agent.state.request?.ran.some((name) => mayActOutside(agent, name)) === true;
  return missing === 'change' && !actedOutside
    ? `The request asks for a change, and no file was changed. Make it; or ${GIVE_AGAIN} if there is nothing to change.`
    : null;
}

/**
 * Checks that a request does not end before anything has happened: a small model wrote that it will do the work, and `end` beside it.
 *
 * @throws RoleZeroError `invalid`, once in a turn.
 */
export function checkBegun(agent: Agent): void {
  const turn = agent.turn();
  if (agent.settings.guidance === null || turn.hasCheckedEnd === true || turn.userReply !== null) return;
  if (agent.state.request?.commands !== 0) return;
  turn.hasCheckedEnd = true;
  const written = lastWords(agent);
  // Its answer is quoted, and no more of what is wrong: it wrote to the user that "the user does not see what I wrote".
  const answer = written === '' ? 'If it cannot be done' : `If ${JSON.stringify(written)} is the answer`;
  throw new RoleZeroError(
    'invalid',
    `Not ended: no command has run for this request. ${answer}, tell the user so with ${REPLY_TO_HUMAN}; else do it now; or ${GIVE_AGAIN} to end nevertheless.`,
  );
}

/** Returns the words of its newest reply, beside commands. Small models answer in them, where no user reads the answer. */
function lastWords({ memory }: Agent): string {
  const reply = memory.get(NEWEST).findLast(({ role }) => role === 'assistant');
  return reply === undefined ? '' : thoughtOf(reply.content, 'think').trim().slice(0, MAX_WORDS);
}

/**
 * What a message to the user claims to be done, in English and Chinese. A claim is found only where the sentence leaves little doubt: a false
 * alarm costs a call of the model.
 */

/** What is known to have happened. */
interface Confirmed {
  /** Paths that were created, changed, or removed. */
  paths: readonly string[];
  /** Tests may have run. */
  tests: boolean;
}

const DONE_VERBS =
  'created|written|wrote|saved|stored|copied|updated|changed|modified|edited|replaced|added|inserted|appended|deleted|removed|renamed|moved|fixed|corrected|rewritten|rewrote|generated|implemented';
/** A finished action, and not of the user: at the start of a sentence, of the model, or in the passive voice. */
const ENGLISH = lazy((): readonly RegExp[] => [
  new RegExp(String.raw`^\W*(?:successfully )?(?:${DONE_VERBS})\b`, 'i'),
  new RegExp(
    String.raw`\b(?:I|we)(?:['’]ve| have)?(?: now| also| just| successfully)* (?:${DONE_VERBS})\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:has|have|is|are|was|were)(?: now| been| also| successfully)* (?:${DONE_VERBS})\b`,
    'i',
  ),
  /\bthe results are (?:now |stored |saved )*(?:in|at)\b/i,
]);
/** Negations, possibilities, plans, earlier times, and actions of others. */
const NO_ENGLISH = lazy(
  () =>
    /n['’]t\b|\b(?:not|never|no|none|nothing|cannot|could|should|would|will|shall|may|might|must|can|if|when|unless|until|before|earlier|previously|originally|ago|last|already|by|please|want|whether|says?)\b|\b(?:you|user)(?:['’]ve| have| had)? \w+ed\b|\?\s*$/i,
);
const CHINESE = lazy(
  () =>
    /(?:已经?|成功|刚刚?)[^，。；]{0,16}?(?:创建|写入|写好|保存|存储|修改|更改|改为|改成|更新|编辑|替换|添加|插入|删除|移除|重命名|移动|复制|修复|生成)|(?:创建|写入|写好|保存|修改|更改|更新|编辑|替换|添加|删除|移除|重命名|移动|复制|修复|生成|做好)好?了/,
);
const NO_CHINESE = lazy(
  () => /没|未|不|无法|无需|如果|将[会要在]|我将|会|可以|应该|请|需要|您|用户|之前|原来|早先|吗|[？?]\s*$/,
);

const TESTS = lazy(
  () =>
    /\btests? (?:all )?(?:now )?(?:pass(?:ed|es)?|succeed(?:ed)?|(?:have|has) (?:all )?(?:passed|been run|run)|(?:are|is) (?:passing|green)|(?:were|was) run)\b|\b(?:I|we)(?:['’]ve| have)? (?:ran|run|executed) (?:\w+ ){0,3}tests?\b|(?:运行|执行|跑)[了过][^，。]{0,8}测试|测试[^，。不没未]{0,6}(?:通过|成功)/i,
);
/** Something in the workspace that has no path. */
const NOUN = /\b(?:files?|script|document|spreadsheet|readme)\b|文件|脚本|文档/i;

/** A path with a folder, or a name with the extension of a file. */
const NAMED_PATH = lazy(
  () =>
    /(?:\/?[\p{L}\p{N}_@.-]+)?(?:\/[\p{L}\p{N}_@.-]+)*\/?[\p{L}\p{N}_@-]+\.(?:html?|css|[jt]sx?|mjs|json|mdx?|txt|csv|py|svg|xml|ya?ml|toml|sh|sql|ini|log|pdf|png|jpe?g|gif|docx?|xlsx?|zip|java|c|cpp|h|rs|go|rb|php|vue|svelte|tex|env|cfg|conf)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}/:.])\/[\p{L}\p{N}_@.-]+(?:\/[\p{L}\p{N}_@.-]+)*/giu,
);
/** What is made of something: "The summary of /mail.txt was created" is no claim about the mail. */
const MADE = /\b(?:created|written|wrote|saved|stored|copied|generated)\b/i;
const OUT_OF = /\b(?:of|from)[\s`'"“‘*_(]*$/i;
/** What separates the paths of a list. */
const LIST_BETWEEN = lazy(() => /^[\s`'"”’*_)(]*(?:[,、，]|and|&|以?及|和|与)(?:\s*and\b)?[\s`'"“‘*_)(]*$/iu);
/** Addresses, code, and names of libraries that look like files. */
const NO_PATH = lazy(
  () => /```[\s\S]*?(?:```|$)|https?:\/\/\S+|\b(?:node|vue|next|nuxt|three|react|d3|express)\.js\b/gi,
);

/** Returns the first sentence of a message that claims what is not confirmed; null for no such sentence. */
export function unconfirmedClaim(message: string, confirmed: Confirmed): string | null {
  const sentences = message
    .replace(NO_PATH(), ' ')
    .split(/(?<=[。！？；])|(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.trim());
  return sentences.find((sentence) => sentence !== '' && !isConfirmedSentence(sentence, confirmed)) ?? null;
}

function isConfirmedSentence(sentence: string, { paths, tests }: Confirmed): boolean {
  const isEnglish = !NO_ENGLISH().test(sentence);
  const isChinese = !NO_CHINESE().test(sentence);
  if (!tests && isEnglish && isChinese && TESTS().test(sentence)) return false;
  const isClaim =
    (isEnglish && ENGLISH().some((form) => form.test(sentence))) || (isChinese && CHINESE().test(sentence));
  if (!isClaim) return true;
  const named = pathListsIn(sentence);
  if (named.length === 0) return paths.length > 0 || !NOUN.test(sentence);
  const isChanged = (path: string): boolean => paths.some((changed) => namesPath(path, changed));
  // A list is claimed as a whole, and one of several lists may be what the change is about.
  return (
    named.some((list) => list.every(isChanged)) &&
    named.every((list) => list.every(isChanged) || !list.some(isChanged))
  );
}

/** Returns the named paths of a sentence, those of one list together: "a.js, b.js and c.js". Sources of what was made are left out. */
function pathListsIn(sentence: string): string[][] {
  const lists: string[][] = [];
  const isMade = MADE.test(sentence);
  let end = -1;
  for (const { 0: path, index } of sentence.matchAll(NAMED_PATH())) {
    if (isMade && OUT_OF.test(sentence.slice(0, index))) continue;
    const isNext = end >= 0 && LIST_BETWEEN().test(sentence.slice(end, index));
    if (isNext) lists.at(-1)?.push(path);
    else lists.push([path]);
    end = index + path.length;
  }
  return lists;
}

/** Returns whether a named path means a changed one: the same name, or a folder of it. */
function namesPath(named: string, changed: string): boolean {
  const path = named.replace(/^\.?\/+|[/.]+$/g, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `${changed}/`.includes(`/${path}/`) || changed.endsWith(`/${name}`);
}

/** Records that a command has succeeded: work on the current task, unless it only changes the plan. */
export function countWork({ state, goals }: Agent, name: string): void {
  if (!onlyPlans(name)) state.workedOn = goals.plan.currentTaskId;
  else state.workedOn ??= '';
}

/**
 * Checks that the current task was worked on before it is finished: since it became the current one, or in the same reply.
 *
 * @throws RoleZeroError `invalid`, once for a task of this role without any successful command.
 */
export function checkTaskWork(agent: Agent): void {
  const { state, goals } = agent;
  const task = goals.plan.currentTask;
  const { workedOn = task?.taskId } = state; // an earlier release stored none
  if (task === null || ![agent.name, ''].includes(task.assignee) || workedOn === task.taskId) return;
  if (agent.turn().trace.commands.some(({ name, ok }) => ok && !onlyPlans(name))) return;
  state.workedOn = task.taskId; // the next attempt finishes it
  throw new RoleZeroError(
    'invalid',
    `Not finished: no other command has succeeded since task ${task.taskId} became the current one. Work on it, or ${GIVE_AGAIN} if there is nothing to do for it.`,
    { taskId: task.taskId },
  );
}

import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { AIMessage, RunCommand, UserMessage } from '../../core/message.js';
import { ASK_HUMAN } from '../../core/role-command-names.js';
import type { Agent } from '../runtime/agent.js';
import { askUser, asksToStop, isNo } from '../runtime/ask-user.js';
import { converse } from '../runtime/converse.js';
import { fill } from '../prompt/template.js';
import { checkBegun, claimToAskAbout, factsInWords, withFacts } from './check-claims.js';
import { replyLanguage } from '../runtime/state.js';
import type { Ended, Paused, UserReply } from '../runtime/turn.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { parseCommands } from '../parse/commands.js';
import { readJson } from '../json/scanner.js';
import { thoughtOf } from '../stream/thought-text.js';

/** Maximum characters of the last reply to the user that are stored as the result. */
const MAX_REPLY = 2_000;
/** The same where the reply is the result for somebody other than the user: the caller of a sub-agent, or another sender. */
const MAX_RESULT = 16_000;

const NO_USER = 'Not executed: not in MGX environment, no user is connected.';
const REPLIED =
  'SUCCESS, the user received your reply. Do not send it again. If nothing is left to do, use the command end.';
const NO_ANSWER =
  'The user did not answer in time. Decide what is most likely wanted and continue; state your assumption when you report.';
/** Does not echo the default: a URL in it would count as user-provided. */
const DEFAULT_APPLIES = 'The user gave no other answer: your default applies.';
export const NOT_CONFIRMED = `The user has not confirmed yet what you understood. State it in a few sentences with ${ASK_HUMAN}, options ["yes", "no"], and plan when you have the answer.`;
const STOPPED_BY_USER = 'The user has asked to stop because of a problem.';

/** A question of the model to the user. */
export interface UserQuestion {
  question: string;
  options?: string[] | undefined;
  default?: string | undefined;
}

/** Runs `RoleZero.ask_human`. Only an explicit stop in the answer ends the turn. */
export async function askHuman(agent: Agent, asked: UserQuestion, callId: string): Promise<string> {
  const { question: text, options = [], default: otherwise } = asked;
  const { answerWithinMs } = agent.settings;
  const answer = await askUser(agent, agent.run, `ask:${callId}`, {
    kind: 'question',
    text,
    ...defined({ options: options.length === 0 ? undefined : options, default: otherwise, answerWithinMs }),
  });
  if (answer === null) return NO_USER;
  const turn = agent.turn();
  turn.hasConsulted ||= !isNo(answer);
  if (answer === '' && otherwise !== undefined) return DEFAULT_APPLIES;
  if (answer === '' && answerWithinMs !== undefined) return NO_ANSWER;
  if (!asksToStop(answer, agent.settings.prompts.stopWork)) return `Human response: ${answer}`;
  if (!isEnding(agent)) {
    agent.remember(
      agent.newMessage(UserMessage, { content: `${answer}\n${STOPPED_BY_USER}`, causeBy: RunCommand }),
    );
    setEnding(agent, { kind: 'ended', summary: '' });
  }
  return `\nCommand end executed:${await agent.hooks.end()}`;
}

/** @throws RoleZeroError `invalid` while the user has not confirmed that the request is understood. */
export function assertMayPlan(agent: Agent): void {
  if (!agent.settings.confirmUnderstanding || agent.context.human === null) return;
  if (agent.turn().hasConsulted || agent.goals.plan.tasks.length > 0) return;
  throw new RoleZeroError('invalid', NOT_CONFIRMED);
}

/** Runs `RoleZero.reply_to_human`. The user receives the reply after the next commit; the caller of a sub-agent receives it at its end. */
export function replyToHuman(agent: Agent, content: string): string {
  const isSubagent = agent.caller !== null;
  if (agent.context.human === null && !isSubagent) return NO_USER;
  const turn = agent.turn();
  const isResult = isSubagent || agent.state.senders !== undefined;
  turn.userReply = { text: content.slice(0, isResult ? MAX_RESULT : MAX_REPLY), step: turn.step };
  if (!isSubagent) agent.journal.tell({ type: 'human-reply', role: agent.name, text: content });
  return REPLIED;
}

/**
 * Runs `end`: asks for a report unless the user was answered, then for the summary unless the user has just been answered. Returns the
 * summary.
 *
 * @throws RoleZeroError `invalid`, once, when a small model ends before anything has happened.
 */
export async function end(agent: Agent): Promise<string> {
  checkBegun(agent);
  const summary = await summaryOf(agent, agent.turn().userReply ?? (await report(agent)));
  setEnding(agent, { kind: 'ended', summary });
  return summary;
}

/** Asks for the closing message to the user, and sends it. One that claims what has not happened is asked for again, once. */
async function report(agent: Agent): Promise<UserReply> {
  const turn = agent.turn();
  const { step } = turn;
  const { prompts } = agent.settings;
  const question = agent.settings.guidance?.openQuestion(agent) ?? null;
  const first = await converse(agent, {
    purpose: 'report',
    key: `report:${step}`,
    request: () =>
      question === null
        ? closingRequest(agent, prompts.report)
        : fill(prompts.smallReport, { request: question, language: replyLanguage(agent.state) }),
  });
  const claim = claimToAskAbout(agent, closingText(first));
  let content = first;
  if (claim !== null) {
    const request = () => fill(prompts.unconfirmed, { claim, facts: factsInWords(agent) });
    content = await converse(agent, { purpose: 'report', key: `report:${step}:again`, request });
  }
  const text = closingText(content);
  const shown = text === '' ? '' : withFacts(agent, text);
  if (shown !== '') replyToHuman(agent, shown); // small models repeat their commands here, which are not for users
  turn.userReply ??= { text: '', step };
  agent.remember(agent.newMessage(AIMessage, { content, causeBy: RunCommand }), true);
  return { text: shown.slice(0, MAX_REPLY), step };
}

/** Returns the summary of the work: of the model, or the last reply to the user if it is recent. */
async function summaryOf(agent: Agent, { text, step }: UserReply): Promise<string> {
  const { prompts, summarize } = agent.settings;
  if (summarize === false) return '';
  const isAnswered = text !== '' && agent.turn().step - step <= 1;
  if (summarize === undefined && isAnswered) return text;
  const reply = await converse(agent, {
    purpose: 'summary',
    key: `summary:${agent.turn().step}`,
    request: () => closingRequest(agent, prompts.summary),
  });
  const words = closingText(reply);
  return words === '' ? factsInWords(agent) : withFacts(agent, words);
}

/** Returns the request for closing words, with the facts that they are about. */
function closingRequest(agent: Agent, request: string): string {
  const facts = factsInWords(agent);
  const words = fill(request, { language: replyLanguage(agent.state) });
  return facts === '' ? words : `${facts}\n${words} ${agent.settings.prompts.onlyFacts}`;
}

/** Makes the current step the last one until another role answers. */
export function pause(agent: Agent): void {
  if (!isEnding(agent)) setEnding(agent, { kind: 'paused' });
}

/** Returns whether a command of the current step has ended the turn. */
function isEnding(agent: Agent): boolean {
  const { stage } = agent.turn();
  return stage.name === 'act' && stage.ending?.kind === 'ended';
}

function setEnding(agent: Agent, ending: Ended | Paused): void {
  const { stage } = agent.turn();
  if (stage.name === 'act') stage.ending = ending;
}

/** Keys under which models put the words of a message. */
const MESSAGE_KEYS = ['message', 'content', 'text', 'answer', 'reply', 'summary', 'report', 'thought'];
/** A text that is in quotation marks as a whole. */
const IN_QUOTATION_MARKS = /^["“„「『'‘]([^"“”„「」『』]+)["”“」』'’]$/u;

/**
 * Returns the words of a closing message: what the user reads. Empty when the model has written only commands or data.
 *
 * @example
 * closingText('"It is done."') // 'It is done.'
 * closingText('[{"command_name": "RoleZero.reply_to_human", "args": {"content": "It is done."}}]') // 'It is done.'
 */
export function closingText(reply: string): string {
  const text = thoughtOf(reply, 'report').trim();
  const words = text === '' ? wordsOfCommands(reply) : /^[[{]/.test(text) ? wordsOfJson(text) : text;
  return IN_QUOTATION_MARKS.exec(words)?.[1]?.trim() ?? words;
}

function wordsOfCommands(reply: string): string {
  const parsed = parseCommands(reply);
  const sent = parsed.ok
    ? parsed.commands.findLast(({ name }) => name.endsWith('reply_to_human'))
    : undefined;
  return sent === undefined ? '' : messageIn(sent.args);
}

function wordsOfJson(text: string): string {
  const read = readJson(text);
  return read.ok ? messageIn(read.value) : text;
}

function messageIn(value: JsonValue): string {
  if (!isRecord(value)) return '';
  const words = MESSAGE_KEYS.map((key) => value[key]).find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  return typeof words === 'string' ? words.trim() : '';
}

import { RoleZeroError } from '../../core/error.js';
import type { Human, Question } from '../../core/human.js';
import type { ChatModel } from '../../core/model.js';
import type { AgentRuntime, Player } from './agent-runtime.js';
import { Suspension, type Run } from './outcome.js';

type About = Omit<Question, 'id' | 'role'>;

/**
 * Asks the user a question. It is stored before it is shown, asked once, and answered once, whatever crashes in between.
 *
 * @param key Unique in the step.
 * @returns The answer; null when no user is connected.
 * @throws Suspension when the question stays open.
 */
export async function askUser(
  agent: AgentRuntime,
  run: Run,
  key: string,
  about: About,
): Promise<string | null> {
  const { answers } = agent.turn();
  const known = answers[key];
  if (known !== undefined && humanFor(agent, about) !== null) return known;
  const answer = await show(agent, run, key, about);
  if (answer !== null) answers[key] = answer;
  return answer;
}

/**
 * Asks the user for a permission. The answer is stored among the approvals, which no import can fill. A permission that has waited too
 * long to be used is asked for again.
 *
 * @returns The answer; null when no user is connected, or the question lapsed.
 * @throws Suspension when the question stays open.
 */
export async function askPermission(
  agent: AgentRuntime,
  run: Run,
  key: string,
  about: About,
): Promise<string | null> {
  const { runtime } = agent.context;
  const known = agent.approvals.answerTo(key, about.kind, runtime.now());
  if (known !== null && humanFor(agent, about) !== null) return known;
  const answer = await show(agent, run, key, about);
  if (answer !== null) agent.approvals.addAnswer(key, answer, runtime.now());
  return answer;
}

/** Returns the user for a question; null when no user is connected, or the user is not asked such questions. */
function humanFor({ context }: AgentRuntime, { kind }: About): Human | null {
  return context.onlyApprovals === true && kind === 'question' ? null : context.human;
}

/** Shows a question and waits for the answer; null when no user is connected, or it lapsed. */
async function show(agent: AgentRuntime, run: Run, key: string, about: About): Promise<string | null> {
  const { runtime } = agent.context;
  const human = humanFor(agent, about);
  if (human === null) return null;
  const { state, journal } = agent;
  const before = state.phase === 'waiting-human' ? 'acting' : state.phase;
  const open = state.question?.key === key ? state.question : null;
  const id = open?.id ?? runtime.newId();
  const question: Question = { id, role: agent.name, ...about };
  agent.enter('waiting-human');
  if (open === null) {
    dropQuestion(agent); // what it was about has changed since
    state.question = { key, id };
    journal.put('questions', id, { question });
    journal.tell({ type: about.kind === 'approval' ? 'approval-request' : 'human-question', question });
    await agent.commit();
  }
  const answer = await human.ask(question, run.signal);
  if (answer === null && !question.lapses) throw new Suspension(question);
  dropQuestion(agent);
  agent.enter(before);
  return answer;
}

/**
 * Removes the question that the agent no longer waits for: it is answered, what it was about has changed, or that needs no permission any
 * more.
 */
export function dropQuestion({ state, journal, context }: AgentRuntime): void {
  const id = state.question?.id;
  if (id === undefined) return;
  state.question = null;
  journal.remove('questions', id);
  journal.remove('approvals', answerKey(id));
  context.human?.forget(id);
}

/** Key of the record with an answer that its role has not taken yet, in the table `approvals`. */
export function answerKey(question: string): string {
  return `answer/${question}`;
}

/** The explicit token anywhere, or the bare word, or the option of the prompts for it; "please don't stop" is neither. */
export function asksToStop(answer: string, stopWork: string): boolean {
  return /<stop>/i.test(answer) || /^\W*stop\W*$/i.test(answer) || answer.trim() === stopWork;
}

/** `yes`, `Yes, go`, not `yesterday`. */
export function isYes(answer: string): boolean {
  return /^[^\p{L}\p{N}]*((yes|y|ja|oui|sí|si)(?![\p{L}\p{N}])|是|好|可以|はい)/iu.test(answer);
}

/** A bare `no`; with a reason it says what is wanted instead. */
export function isNo(answer: string): boolean {
  return /^[^\p{L}\p{N}]*(no|n|nein|non|否|不|不是|不对|いいえ)[^\p{L}\p{N}]*$/iu.test(answer);
}

/** The user in place of a model: reads prompts of any length, and text only. It is asked through `playedByUser`. */
const USER: ChatModel = {
  id: 'user',
  contextWindow: Infinity,
  chat() {
    throw new RoleZeroError('internal', 'A user who plays a role is asked through the session.', {});
  },
};

/**
 * A user who plays a role: questions to the model go to the user, and the replies cost nothing. The question is stored, so the user may
 * answer after a reload.
 */
export const playedByUser: Player = {
  model: USER,
  async ask(agent: AgentRuntime, run, { key, text }) {
    const question = typeof text === 'string' ? text : text(true).content;
    const answer = await askUser(agent, run, `play:${key}`, { kind: 'question', text: question });
    if (answer !== null)
      return { text: answer, cut: false, limit: null, promptHash: '', left: null, usage: null };
    throw new RoleZeroError('invalid', `${agent.name} is played by a user, and no user is connected.`, {
      role: agent.name,
    });
  },
};

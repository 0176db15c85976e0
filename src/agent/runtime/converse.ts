import { defined } from '../../core/defined.js';
import type { JsonSchema } from '../../core/json.js';
import { RunCommand, UserRequirement } from '../../core/message.js';
import type { Purpose } from '../../core/model.js';
import { planStatus } from '../../plan/plan-status.js';
import { withoutThinking } from '../parse/thinking.js';
import { unitAtEnd } from '../stream/repetition-watch.js';
import type { Agent } from './agent.js';
import { askModel } from './ask-model.js';
import { statusBlock, timeSection, type Status, newsOf, type News } from '../prompt/next-message.js';
import { fill, sections } from '../prompt/template.js';
import type { Leaving, Occasion, Section, Recalled, StepResult } from './part.js';
import { replyLanguage, type RoleState } from './state.js';
import type { Compose } from '../prompt/conversation.js';
import type { ReplyForm } from '../prompt/reply-form.js';
import type { DurableQuestion } from './model-call.js';
import type { CommandResult, StoredReply } from './turn.js';
import type { StepSituation } from '../../core/experience.js';

/** Randomness of a reply that must differ from the one before. Models that accept no other temperature accept 1. */
export const OTHER_REPLY = 1;

/** The next message of a conversation. */
export interface NextMessage {
  purpose: Purpose;
  /** Key of the stored reply, unique in the step. */
  key: string;
  /** Returns the request. Without it, the message contains the status block and asks for commands. */
  request?: () => string;
  /** The schema of the reply; default: that of commands where the reply gives some. */
  responseSchema?: JsonSchema;
  /** Randomness of the reply, where this one call needs another than the rest. */
  temperature?: number;
  past?: Past | null;
}

/** The parts of the next message, which stay the same while it is shortened to fit. */
interface Parts {
  /** Null when the message ends with a request. */
  status: Status | null;
  /** Empty when the message does not need the time. */
  time: string;
  news: News;
  /** Id of the newest unread message. */
  newest: string | undefined;
  /** The sections of the parts of the agent. */
  added: readonly Section[];
  /** Returns the end of the message: the request, or the status without what the prompt already contains. */
  ending(sent: RoleState['sent'], fresh: boolean): string;
}

/**
 * Sends the next message of the conversation: unread messages, then the request or the status block. The reply is stored before it is
 * returned; after a crash, the stored reply is returned. Reasoning is removed from it, except from replies with commands, which the parser
 * reads whole.
 */
export async function converse(agent: Agent, next: NextMessage): Promise<string> {
  const { purpose, key, past = null } = next;
  const { run, state, hooks } = agent;
  const givesCommands = purpose === 'think' || purpose === 'regenerate';
  const { step, replies } = agent.turn();
  const stored = replies[key];
  if (stored !== undefined) return replyText(stored, givesCommands);
  const { form } = agent;
  const parts = await nextParts(agent, next, form);
  const system = hooks.systemPrompt({ run, number: step });
  const question: DurableQuestion = {
    purpose,
    key,
    system,
    mayCall: givesCommands,
    ...defined({
      tools: form.hasTools ? agent.shownTools.native() : undefined,
      responseSchema: next.responseSchema ?? (givesCommands ? await schemaOf(agent) : undefined),
      known: past?.reply == null ? undefined : { reply: past.reply, cut: false },
      summarize: summarizerOf(agent, key, system),
      temperature: next.temperature ?? temperatureAfter(agent, givesCommands),
    }),
    // After a compaction, the goal and everything else may no longer be in the prompt.
    text: (fresh) => compose(parts, fresh ? {} : state.sent, fresh),
    onReply: ({ left }) => {
      if (left !== null) for (const part of agent.parts) part.onCompaction?.(left);
      markSent(state, parts);
      past?.markTaken();
    },
  };
  let reply: StoredReply;
  try {
    reply = await askModel(agent, run, question);
  } catch (error) {
    if (agent.form.name === form.name) throw error;
    return converse(agent, next); // the server has rejected the form
  }
  return replyText(reply, givesCommands);
}

/** Returns the randomness of the reply after one that was stopped, because it repeated itself: with little, it repeats the same. */
function temperatureAfter({ conversation }: Agent, givesCommands: boolean): number | undefined {
  return givesCommands && unitAtEnd(conversation.endOfReply) !== null ? OTHER_REPLY : undefined;
}

/** The parser reads a reply with commands whole; others lose their reasoning. */
function replyText({ text }: StoredReply, givesCommands: boolean): string {
  return givesCommands ? text : withoutThinking(text).trim();
}

async function nextParts(
  agent: Agent,
  { purpose, key, request, past = null }: NextMessage,
  form: ReplyForm,
): Promise<Parts> {
  const { state, settings } = agent;
  const status = request === undefined ? statusOf(agent, past) : null;
  const time = status?.time ?? (purpose === 'classify' || purpose === 'quick' ? timeOf(agent) : '');
  const hints = isUndecided(agent) ? [form.first(settings.prompts)] : [];
  const added = await sectionsOf(agent, key, status !== null);
  const unread = agent.unread();
  // After observations of its own commands the model already knows what to do next.
  const isAfterCommands = unread.length > 0 && unread.every(({ causeBy }) => causeBy === RunCommand.id);
  const guidance = status === null ? null : settings.guidance;
  const next = await (isAfterCommands ? guidance?.next(agent, unread) : guidance?.first(agent));
  const isClosing = purpose === 'report' || purpose === 'summary';
  // Without a plan, the request itself says what the goal is, until it has left the prompt.
  const isGoalInPrompt = settings.guidance !== null && agent.goals.plan.tasks.length === 0;
  return {
    status,
    time,
    news: newsOf(
      unread,
      isClosing ? currentResults(agent) : [],
      form.hasTools ? agent.conversation.openCalls : 0, // the native calls that the message answers
    ),
    newest: unread.at(-1)?.id,
    added,
    ending: (sent, fresh) => {
      if (status === null) return sections(sent.time === time ? '' : timeSection(time), request?.() ?? '');
      const known = isGoalInPrompt && !fresh ? { ...sent, plan: status.plan } : sent;
      return statusBlock(status, known, [...hints, ...state.notes], isAfterCommands, next);
    },
  };
}

/** Returns the sections that the parts of an agent add to its next message. */
async function sectionsOf(agent: Agent, key: string, asksForCommands: boolean): Promise<Section[]> {
  const occasion: Occasion = {
    asksForCommands,
    ask: async (purpose, text) =>
      (await askModel(agent, agent.run, { purpose, key: `${purpose}:${key}`, text, apart: true })).text,
  };
  const added: Section[] = [];
  for (const part of agent.parts) {
    const section = part.section?.(occasion) ?? null;
    const ready = section instanceof Promise ? await section : section; // most parts need not wait
    if (ready !== null) added.push(ready);
  }
  return added;
}

function compose(
  { news, newest, added, ...parts }: Parts,
  sent: RoleState['sent'],
  fresh: boolean,
): ReturnType<Compose> {
  const texts = added.map((section) => section.text(fresh));
  const images = added.flatMap((section) => section.images ?? []);
  const ending = parts.ending(sent, fresh);
  return {
    content: sections(...news.whole, ...texts, ending),
    folded: sections(...news.folded, ...texts.filter((_, index) => added[index]?.remains), ending),
    ...defined({
      results: news.results,
      images: images.length === 0 ? undefined : images,
      upTo: newest,
    }),
  };
}

/** Records that the model has received the message. */
function markSent(state: RoleState, { status, time, added }: Parts): void {
  state.unread = [];
  for (const section of added) section.markSent?.();
  if (time !== '') state.sent.time = time;
  if (status === null) return;
  state.sent = { ...status };
  state.notes = [];
}

/** Returns whether only the first reply can tell whether the request needs work. */
export function isUndecided(agent: Agent): boolean {
  const { category, step, request } = agent.turn();
  const isOpen = category === null || isDirect(agent);
  return (
    agent.settings.callPlan === 'merged' && isOpen && step === 0 && request?.causeBy === UserRequirement.id
  );
}

async function schemaOf(agent: Agent): Promise<JsonSchema | undefined> {
  const { guidance } = agent.settings;
  if (guidance === null) return agent.shownTools.schema();
  return agent.shownTools.schema(await guidance.allowed(agent, isDirect(agent) && isUndecided(agent)));
}

/** Returns whether a guided model is to answer the request directly: with a command, because its prompt is about those. */
export function isDirect(agent: Agent): boolean {
  const { guidance, callPlan } = agent.settings;
  return guidance !== null && callPlan === 'merged' && agent.turn().category === 'QUICK';
}

/** Returns results of the commands of the current step that have run. */
function currentResults(agent: Agent): readonly CommandResult[] {
  const { stage } = agent.turn();
  return stage.name === 'act' ? stage.results : [];
}

/** Returns how a part of the agent summarizes messages that leave the conversation; undefined when none does. */
function summarizerOf(agent: Agent, key: string, system: string): DurableQuestion['summarize'] {
  const part = agent.parts.find((each) => each.summarize !== undefined);
  if (part === undefined) return undefined;
  return async (messages, tokens) => {
    const ask: Leaving['ask'] = async (text) => {
      const { text: reply } = await askModel(agent, agent.run, {
        purpose: 'compact',
        key: `compact:${key}`,
        system,
        text: (fresh) => ({ content: text(fresh) }),
        maxOutputTokens: tokens,
        apart: 'within',
        ...(agent.form.hasTools && { tools: agent.shownTools.native() }),
      });
      return reply;
    };
    return (await part.summarize?.({ messages, tokens, ask })) ?? null;
  };
}

function statusOf(agent: Agent, past: Past | null): Status {
  const { state, goals, settings } = agent;
  const earlier = state.earlierGoals.map(({ goal }) => goal);
  const { planStatus: plan, currentTask } = planStatus(goals.plan, earlier, settings.guidance === null);
  return {
    time: timeOf(agent),
    example: past?.example ?? '',
    experience: past?.advice ?? '',
    toolState: agent.hooks.currentState(),
    plan,
    currentTask,
    language:
      state.respondLanguage === '' && agent.settings.callPlan === 'classic'
        ? ''
        : fill(settings.prompts.replyLanguage, { language: replyLanguage(agent.state) }),
  };
}

/**
 * Returns the time, which is sent once per turn: a clock in every step would change the prompt each time. Models that write it into files
 * where it has no use receive it when the request is about time.
 */
function timeOf(agent: Agent): string {
  if (agent.settings.guidance?.wantsTime(agent) === false) return '';
  const { step, replies } = agent.turn();
  const isSent = step > 0 || 'classify' in replies || 'quick' in replies;
  return isSent ? (agent.state.sent.time ?? '') : localTime(agent.context.runtime.now());
}

function localTime(now: number): string {
  const date = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `The current time is ${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.`;
}

/** What is known about a step before the model is asked. */
interface Past extends Required<Recalled> {
  /** An example for the prompt; empty for none. */
  example: string;
}

/** Returns what the parts of an agent know about the next step. The first known reply is used. */
export async function pastOf(agent: Agent): Promise<Past> {
  const known: Recalled[] = [];
  for (const part of agent.parts) {
    const recalled = part.recall === undefined ? null : await part.recall(() => stepSituation(agent));
    if (recalled !== null) known.push(recalled);
  }
  return {
    reply: known.find(({ reply }) => reply !== null)?.reply ?? null,
    advice: known.flatMap(({ advice }) => (advice === '' ? [] : [advice])).join('\n\n'),
    markTaken: () => {
      for (const each of known) each.markTaken?.();
    },
    example: await agent.hooks.retrieveExperience(),
  };
}

/** Notifies the parts of an agent what became of the reply of a step. */
export async function notifyOfResult(agent: Agent, result: StepResult): Promise<void> {
  for (const part of agent.parts) if (part.onStepResult !== undefined) await part.onStepResult(result);
}

function stepSituation(agent: Agent): StepSituation {
  const { plan } = agent.goals;
  const { planStatus: status, currentTask } = planStatus(plan);
  return {
    tag: `${agent.fixed.kind}.think`,
    system: agent.hooks.systemPrompt({ run: agent.run, number: agent.turn().step }),
    goal: plan.goal,
    planStatus: status,
    currentTask,
    language: agent.settings.language ?? '',
    news: agent.unread(),
  };
}

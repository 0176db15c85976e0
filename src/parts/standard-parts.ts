import { isAbort, RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { ExperienceSource } from '../core/experience.js';
import { messageFromRecord } from '../core/message.js';
import type { ShownView } from '../core/tool.js';
import { withoutThinking } from '../agent/parse/thinking.js';
import { markForgedLines } from '../agent/prompt/forged-lines.js';
import { fill, sections } from '../agent/prompt/template.js';
import { CHARACTERS_PER_TOKEN } from '../agent/prompt/token-count.js';
import type { AgentPart, PartAgent, PartFactory, Section, Seen } from '../agent/runtime/part.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { fileChanges } from './file-news.js';
import { images } from './images.js';
import { typedAnswer } from './typed-answer.js';

/**
 * Returns the parts of a role, in the order of their sections in a prompt. A user who plays a role writes no notes, and the replies are no
 * experience of a model.
 */
export function standardParts(options: RoleZeroOptions): PartFactory[] {
  const notes = options.playedByUser ? undefined : options.notes;
  const past =
    options.playedByUser || options.experiencePool === undefined
      ? undefined
      : experience(options.experiencePool);
  const before = [options.longTermMemory, notes, past].filter((part) => part !== undefined);
  return [...before, fileChanges, toolViews, images, typedAnswer, ...(options.parts ?? []), summaries];
}

/** Stores replies that worked in a pool, and uses them again for the same step; see the option `experiencePool`. */
function experience(source: ExperienceSource): PartFactory {
  return (agent) => {
    const steps = source.follow(
      () => (agent.turn().experience ??= { current: null, reused: false, all: [] }),
      (message, error) => agent.warn(message, error),
    );
    return {
      name: 'experience',
      needsAllMessages: true,
      restore: ({ messages }) => steps.restart(messages.map(({ value }) => messageFromRecord(value))),
      onRemember(message) {
        if (!agent.memory.has(message)) steps.remember(message);
      },
      async recall(situation) {
        const past = await steps.recall(situation);
        return { ...past, markTaken: () => steps.taken(past) };
      },
      // A reply after untrusted content is no example for other work.
      onStepResult: ({ reply, failure }) =>
        steps.settle(agent.state.untrusted === undefined ? reply : null, failure),
      onExhausted: () => steps.unfinished(),
    };
  };
}

/** Words per token, chosen so that a summary of this many words fits into its tokens in most languages. */
const WORDS_PER_TOKEN = 0.6;

/** Lets the model summarize messages that leave the conversation. Errors of the budget are thrown. */
function summaries(agent: PartAgent): AgentPart {
  return {
    name: 'summaries',
    async summarize({ messages, tokens, ask }) {
      const { prompts } = agent.settings;
      const words = String(Math.floor(tokens * WORDS_PER_TOKEN));
      const lines = () =>
        messages.map(({ role, content }) => `${role === 'user' ? 'They' : 'You'}: ${content}`).join('\n\n');
      try {
        const reply = await ask((isApart) =>
          isApart
            ? fill(prompts.compact, { conversation: lines(), words })
            : fill(prompts.compactHere, { words }),
        );
        const summary = withoutThinking(reply).trim();
        if (summary === '')
          throw new RoleZeroError('model-request', 'The model returned an empty reply.', {});
        return summary.slice(0, tokens * CHARACTERS_PER_TOKEN * 2);
      } catch (error) {
        if (isAbort(error) || toRoleZeroError(error).code === 'budget') throw error;
        agent.warn(
          'Could not summarize the messages that leave the conversation; continuing without a summary.',
          error,
        );
        return null;
      }
    },
  };
}

/** Name of the part, and of its state. */
const TOOL_VIEWS = 'tools';

/** What the tools of an agent show, such as the open page: sent to the model once, after the commands that led to it. See `ToolView`. */
function toolViews(agent: PartAgent): AgentPart {
  const stateOf = (group: string) => agent.state.tools[group] ?? {};
  /** Serials of the views that the model has received, by group. */
  const sentOf = (group: string): number => Number(agent.state.parts[TOOL_VIEWS]?.[group] ?? 0);
  const shownNow = (): [group: string, view: ShownView][] =>
    [...agent.registry.views].flatMap(([group, view]) => {
      const shown = view.shown?.(stateOf(group), sentOf(group)) ?? null;
      return shown === null ? [] : [[group, shown]];
    });
  return {
    name: TOOL_VIEWS,
    section({ asksForCommands }) {
      if (!asksForCommands) return null;
      const shown = shownNow();
      return shown.length === 0 && agent.state.parts[TOOL_VIEWS] === undefined
        ? null
        : sectionOf(agent, shown);
    },
    untrusted: () => shownNow().map(([, view]) => markForgedLines(view.text(true))),
    seen() {
      const seen: Partial<Seen> = {};
      for (const [group, view] of agent.registry.views)
        Object.assign(seen, view.seen?.(stateOf(group), sentOf(group)));
      return seen;
    },
  };
}

function sectionOf(agent: PartAgent, shown: readonly (readonly [string, ShownView])[]): Section {
  return {
    text: (fresh) => markForgedLines(sections(...shown.map(([, view]) => view.text(fresh)))),
    markSent: () => {
      if (shown.length === 0) Reflect.deleteProperty(agent.state.parts, TOOL_VIEWS);
      else
        agent.state.parts[TOOL_VIEWS] = Object.fromEntries(
          shown.map(([group, { serial }]) => [group, serial]),
        );
    },
  };
}

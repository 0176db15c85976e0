import type { Command } from '../../core/human.js';
import type { JsonSchema } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Tool } from '../../core/tool.js';
import type { Memory } from '../../memory/memory.js';
import type { Plan } from '../../plan/plan.js';
import type { ToolRegistry } from '../../tools/registry.js';
import type { Prompts } from '../prompt/prompts.js';
import type { RoleContext } from './context.js';
import type { RoleState } from './state.js';
import type { Turn } from './turn.js';

/**
 * How a model is led that takes the wrong one of several possibilities: it is shown few commands and short prompts, and learns what comes next. The
 * preset `small` has one; without it, the model decides.
 */
export interface Guidance {
  /** Randomness of its replies, unless the application chooses it. */
  readonly temperature: number;
  /** Returns the texts with its own in place of the longer ones. */
  prompts(prompts: Prompts): Prompts;
  /** Returns the tools that the model is shown, as it is shown them, in their order. The others can still be used. */
  tools(tools: readonly Tool[]): Tool[];
  /** Returns the description of a tool that the model is shown. */
  readonly describe: (tool: Tool) => string;
  /** Returns the JSON Schema of a reply with these tools. */
  replySchema(tools: readonly Tool[]): JsonSchema;
  /** Returns whether the request has to do with the present time, which is left out otherwise. */
  wantsTime(agent: GuidedAgent): boolean;
  /** Returns what the model is to do first; undefined to leave it to the model. */
  first(agent: GuidedAgent): Promise<string | undefined>;
  /** Returns what the model is to do after commands, whose results are unread; undefined to leave it to the model. */
  next(agent: GuidedAgent, unread: readonly Message[]): Promise<string | undefined>;
  /**
   * Returns which commands the next reply may give; null for all that are shown.
   *
   * @param answers the request needs no more than an answer
   */
  allowed(agent: GuidedAgent, answers: boolean): Promise<IsAllowed | null>;
  /** Returns why a command of a reply is left out, for the model; null for one that is run. `before`: what precedes it in the reply. */
  refusal(agent: GuidedAgent, command: Command, before: readonly Command[]): string | null;
  /** Returns what the model is to do in place of what it has repeated. */
  instead(agent: GuidedAgent): Promise<string>;
  /** Returns which commands it may give in place of those that it has repeated. */
  allowedInstead(agent: GuidedAgent, repeated: readonly string[]): Promise<IsAllowed>;
  /** Returns whether all may be done and reported, so that it has nothing to add to what it repeats. */
  isReported(agent: GuidedAgent): boolean;
  /** Returns what is missing before it may report: an edit that has failed, or the change that the request wants; null for nothing. */
  missing(agent: GuidedAgent): 'edit' | 'change' | null;
  /** Returns the question of the request that is not answered yet; null for none. */
  openQuestion(agent: GuidedAgent): string | null;
}

/** Returns whether a command of this name may be given. */
export type IsAllowed = (name: string) => boolean;

/** What a guidance sees of its agent. */
export interface GuidedAgent {
  readonly name: string;
  /** The session: its files, and whether there is a user. */
  readonly context: RoleContext;
  readonly registry: ToolRegistry;
  readonly memory: Memory;
  readonly goals: { readonly plan: Plan };
  readonly settings: { readonly prompts: Prompts };
  readonly state: Pick<RoleState, 'request' | 'seenFiles'>;
  turn(): Pick<Turn, 'userReply' | 'hasCheckedClaims' | 'hasConsulted' | 'lastOutput'>;
}

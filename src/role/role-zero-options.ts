import { RoleZeroError } from '../base/error.js';
import type { ExperienceRetriever, ExperienceSource } from '../base/experience.js';
import type { Tool } from '../base/tool.js';
import type { ToolList } from '../tools/read-tools.js';
import type { ToolRegistry } from '../tools/registry.js';
import type { Budget } from './budget.js';
import type { LongTermSource } from './long-term.js';
import type { Capabilities } from './capabilities.js';
import type { PolicyRule } from './policy.js';
import type { Prompts } from './prompts/prompts.js';
import type { CallPlan } from './reply-schema.js';
import type { RoleOptions } from './role-options.js';

export type { Budget } from './budget.js';

/** Finds the tools that fit what is asked for. */
export interface Recommender {
  recommend(request: { context: string }): Promise<readonly Tool[]>;
}

/** Fields of a RoleZero and their defaults (spec 6.1). */
export interface RoleZeroOptions extends Omit<
  RoleOptions,
  'actions' | 'reactMode' | 'watch' | 'observeAllMessages'
> {
  /**
   * Commands besides the built-in ones for plans and users. Lists may be nested: `[editor(), myTool]`. Two different tools of one name,
   * and a tool with the name of a built-in command, are rejected.
   */
  tools?: ToolList;
  /**
   * Shows the model of many tools only those that fit the requirement; default: all. All of them may be used whatever is shown.
   * @example (registry) => new ToolRecommender(registry, { core: ['Plan', 'RoleZero', 'end', 'Editor'] })
   */
  toolRecommender?: (registry: ToolRegistry) => Recommender;
  /** How to work; default: the instruction of spec 7.1. */
  instruction?: string;
  /** Task types the plan may name, as text for the prompt; default none. */
  taskTypeDesc?: string;
  /** Static examples for the prompt; default none. */
  example?: string;
  /** Acts for one requirement before the person is asked whether to go on; default 50. Below 10 it stops without asking. */
  maxReactLoop?: number;
  /** Turns of conversation the model is shown at most; default 200. */
  memoryK?: number;
  /** Sum up at the end; default true. */
  useSummary?: boolean;
  /**
   * Milliseconds that a question of the model (`RoleZero.ask_human`) waits for its answer. After them the default it named holds, or it is
   * told to decide by itself; counted anew after a reload. Approvals and questions about limits always wait. Default: no limit.
   */
  answerWithinMs?: number;
  /** Before the first task of a plan the model has to tell the person what it understood, and to ask whether that is right; default false. */
  confirmUnderstanding?: boolean;
  /** Language of replies; default: found out for each requirement. */
  respondLanguage?: string;
  /** Act as the base role does: think and act over `actions`, no commands. */
  useFixedSop?: boolean;
  /**
   * `classic` makes the calls of the original: classify, language, one per step, report, summary. `merged` decides and begins in one
   * call and tells the language without one. Default: `merged` for models that can be held to a JSON Schema, else `classic`.
   */
  callPlan?: CallPlan;
  /** Texts for the model in the place of ours, by name (`PROMPTS`): in another language, or tuned to a model. */
  prompts?: Partial<Prompts>;
  /** Only with `useFixedSop`. */
  actions?: RoleOptions['actions'];
  /** Which commands are allowed, asked about or refused; where no rule says, see `Capabilities`. */
  policy?: readonly PolicyRule[];
  /** Bounds of what it may do outside of the session; default: those of its tools. */
  capabilities?: Capabilities;
  /** Limits of one requirement. At 80 % and at the end the person is asked whether to go on; without an answer the work stops at its end. */
  budget?: Budget;
  /** Where replies that worked are kept, and found when the same step comes again: an `ExperiencePool`. Default: none. */
  experiencePool?: ExperienceSource;
  /** Finds examples for the prompt; default: none but `example`. */
  experienceRetriever?: ExperienceRetriever;
  /**
   * Messages that leave the window of the role's memory are kept and recalled when they have to do with what is asked: `longTermMemory()`.
   * Default: none; everything stays in the window.
   */
  longTermMemory?: LongTermSource;
  /** Most commands are their own words; these print `executed:` and their output without a space (spec 6.9). */
  specialToolCommands?: readonly string[];
}

const OPTION_NAMES: Record<keyof RoleZeroOptions, true> = {
  name: true,
  profile: true,
  goal: true,
  constraints: true,
  desc: true,
  model: true,
  enableMemory: true,
  isHuman: true,
  tools: true,
  toolRecommender: true,
  instruction: true,
  taskTypeDesc: true,
  example: true,
  maxReactLoop: true,
  memoryK: true,
  useSummary: true,
  answerWithinMs: true,
  confirmUnderstanding: true,
  respondLanguage: true,
  useFixedSop: true,
  actions: true,
  callPlan: true,
  prompts: true,
  policy: true,
  capabilities: true,
  budget: true,
  experiencePool: true,
  experienceRetriever: true,
  longTermMemory: true,
  specialToolCommands: true,
};

/** @throws RoleZeroError `invalid` naming what is not an option, and what is. */
export function rejectUnknown(options: RoleZeroOptions): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTION_NAMES, name));
  if (unknown.length === 0) return;
  throw new RoleZeroError(
    'invalid',
    `RoleZero has no option ${unknown.join(', ')}. Its options are ${Object.keys(OPTION_NAMES).join(', ')}.`,
    { unknown },
  );
}

import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { RoleZeroError } from '../../core/error.js';
import type { ExperienceRetriever, ExperienceSource } from '../../core/experience.js';
import type { MessageData } from '../../core/message.js';
import type { ChatModel } from '../../core/model.js';
import { type RequestSettings, checkTemperature, type Temperature } from '../../core/request-settings.js';
import type { Tool } from '../../core/tool.js';
import type { ToolList } from '../../tools/read-tools.js';
import type { ToolRegistry } from '../../tools/registry.js';
import { checkBudget, type Budget } from '../policy/budget.js';
import type { PolicyRule, Capabilities } from '../policy/policy.js';
import { readCapabilities, readPolicy } from '../policy/read-policy.js';
import { presetFor, type Preset } from '../prompt/preset.js';
import { promptsWith, type Prompts } from '../prompt/prompts.js';
import type { CallPlan } from '../prompt/reply-form.js';
import type { SystemText } from '../prompt/system.js';
import type { Guidance } from './guidance.js';
import type { PartFactory } from './part.js';

export type { Budget } from '../policy/budget.js';

/** Chooses the tools that fit a request. */
export interface Recommender {
  recommend(request: { context: string }): Promise<readonly Tool[]>;
}

/** Creates a recommender for the commands of a role. */
type ToolRecommenderFactory = (registry: ToolRegistry) => Recommender;

/** Options of a RoleZero. */
export interface RoleZeroOptions {
  /** Unique in a session. @default 'Zero' */
  name?: string;
  /** Its job, as in "You are a …". @default 'RoleZero' */
  profile?: string;
  /** What it is for, as in "your goal is …". @default '' */
  goal?: string;
  /** What it must respect. @default '' */
  constraints?: string;
  /** Replaces the sentence made of profile, name, goal and constraints. @default '' */
  description?: string;
  /** Required as soon as the role thinks, unless the user plays it. */
  model?: ChatModel;
  /** A user plays the role: questions to the model go to the user instead. @default false */
  playedByUser?: boolean;
  /**
   * Commands besides the built-in ones for plans and users. Lists may be nested: `[editor(), myTool]`, and contain sources of tools:
   * `[mcp({ … })]`. Two different tools of one name, and a tool with the name of a built-in command, are rejected.
   */
  tools?: ToolList;
  /**
   * Chooses which tools the model is shown for a request. All tools may be used, shown or not.
   *
   * @default All tools are shown.
   * @example (registry) => new ToolRecommender(registry, { core: ['Plan', 'RoleZero', 'end', 'Editor'] })
   */
  toolRecommender?: ToolRecommenderFactory;
  /**
   * Text at the beginning of the system prompt, such as who the agent is and what it must never do. A function receives the standard prompt and
   * returns the whole: it must return the same while nothing changes, because models cache prompts.
   */
  system?: SystemText;
  /** Chooses model, tools, instruction, temperature or reasoning for the next step, before the model is asked. @example ({ step }) => (step > 5 ? { model: larger } : {}) */
  prepareStep?: PrepareStep;
  /** Ends the work after a step when it returns true: one condition, or several of which one is enough. @example ({ commands }) => commands.some(({ name }) => name === 'Shop.order') */
  stopWhen?: StopCondition | readonly StopCondition[];
  /** Instruction on how to work. @default `PROMPTS.roleInstruction` */
  instruction?: string;
  /** Task types that the plan may use, as text for the prompt. @default none */
  taskTypes?: string;
  /** Static examples for the prompt. @default none */
  example?: string;
  /** Maximum steps of a turn. Then the user is asked whether to continue; below 10, the turn ends without a question. @default 50 */
  maxSteps?: number;
  /**
   * Share of the model's window, between 0 and 1, at which the conversation is compacted: old results are shortened, then the oldest
   * messages are replaced by a summary. It never falls below half of what the window has left for the conversation.
   *
   * @default 0.8
   */
  compactAt?: number;
  /** Maximum number of conversation messages in the prompt. @default no limit; 200 in the call plan `classic` */
  maxMessages?: number;
  /**
   * Asks the model for a summary at the end. Without the call, the summary is the last reply to the user, or empty with `false`.
   *
   * @default false when the user was answered in one of the last two steps, true otherwise and in the call plan `classic`
   */
  summarize?: boolean;
  /**
   * Milliseconds that a question of the model (`RoleZero.ask_human`) waits for an answer. Then the default of the question applies, or the
   * model decides. The time starts again after a reload. Approvals and questions about limits always wait.
   *
   * @default no limit
   */
  answerWithinMs?: number;
  /** Makes the model state what it understood, and ask whether it is right, before it plans. @default false */
  confirmUnderstanding?: boolean;
  /** Language of replies. @default the language of the request */
  language?: string;
  /**
   * Which model calls a request takes. `merged`: one per step, and at most one more to close. Rules classify the request and detect its
   * language; where they cannot tell, the first reply does. `classic` makes the same calls as MetaGPT: classify, language, one per step,
   * report, summary.
   *
   * @default 'merged'
   */
  callPlan?: CallPlan;
  /**
   * `full`: the commands and prompts of MetaGPT, with a plan. `small`: seven commands and four of the browser, short prompts without a plan, a short thought,
   * and a temperature of 0.2, for models and windows that the full set would overwhelm. Your own tools are shown in both, and all commands
   * can be used in both.
   *
   * @default 'small' for a model with fewer than 4 billion parameters, by its `parameters` or its name, or with a window below 16,000 tokens
   */
  preset?: Preset;
  /**
   * Randomness of replies, from 0 to 2, or such values by purpose: `{ think: 0, report: 0.7 }`. `temperature` of `send` takes precedence.
   * Models that accept none ignore it, with a warning.
   *
   * @default that of the model
   */
  temperature?: Temperature;
  /** Replaces prompt texts by name (see `PROMPTS`), for another language or a certain model. */
  prompts?: Partial<Prompts>;
  /** Rules that allow, ask about, or deny commands. Without a matching rule, `capabilities` decide. */
  policy?: readonly PolicyRule[];
  /** Limits of what the role may do outside of the session. @default the limits of its tools */
  capabilities?: Capabilities;
  /** Limits of one turn. At 80 % and at 100 % the user is asked whether to continue; without an answer the turn stops at 100 %. */
  budget?: Budget;
  /** Stores replies that worked and reuses them for the same step: an `ExperiencePool`. @default none */
  experiencePool?: ExperienceSource;
  /** Finds examples for the prompt. @default only `example` */
  experienceRetriever?: ExperienceRetriever;
  /**
   * Stores messages that leave the memory window and recalls them when they concern a request: `longTermMemory()`.
   *
   * @default none; every message stays in the window
   */
  longTermMemory?: PartFactory;
  /**
   * Lets the model write standing notes that last beyond the conversation: `notes()` of `rolezero/notes`. Ask the user before you set it.
   *
   * @default no notes
   */
  notes?: PartFactory;
  /** Further features of the role, such as your own; see `AgentPart`. Their sections end each prompt, in this order. @default none */
  parts?: readonly PartFactory[];
}

const OPTION_KINDS: Record<keyof RoleZeroOptions, OptionKind> = {
  name: 'text',
  profile: 'text',
  goal: 'text',
  constraints: 'text',
  description: 'text',
  model: true,
  playedByUser: 'flag',
  tools: true,
  toolRecommender: 'callback',
  system: true,
  prepareStep: 'callback',
  stopWhen: true,
  instruction: 'text',
  taskTypes: 'text',
  example: 'text',
  maxSteps: 'count',
  compactAt: 'amount',
  maxMessages: 'count',
  summarize: 'flag',
  answerWithinMs: 'amount',
  confirmUnderstanding: 'flag',
  language: 'text',
  callPlan: ['classic', 'merged'] satisfies CallPlan[],
  preset: ['full', 'small'] satisfies Preset[],
  temperature: true,
  prompts: true,
  policy: true,
  capabilities: true,
  budget: true,
  experiencePool: true,
  experienceRetriever: true,
  longTermMemory: 'callback',
  notes: 'callback',
  parts: 'list',
};

/** @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used. */
export function checkRoleOptions(options: RoleZeroOptions): void {
  checkOptions('RoleZero', options, OPTION_KINDS);
  if (options.budget !== undefined) checkBudget(options.budget);
  const { compactAt = 1 } = options;
  if (compactAt > 1)
    throw new RoleZeroError(
      'invalid',
      `\`compactAt\` of RoleZero is ${compactAt}; it is a share between 0 and 1.`,
      {
        option: 'compactAt',
      },
    );
  for (const condition of [options.stopWhen ?? []].flat())
    checkOptions('RoleZero', { stopWhen: condition }, { stopWhen: 'callback' });
  if (typeof options.system !== 'function')
    checkOptions('RoleZero', { system: options.system }, { system: 'text' });
  checkTemperature('`temperature` of RoleZero', options.temperature);
}

/** The options of a RoleZero after checks, with defaults. */
export interface RoleZeroSettings {
  prompts: Prompts;
  instruction: string;
  system: SystemText | undefined;
  prepareStep: PrepareStep | undefined;
  stopWhen: readonly StopCondition[];
  taskTypes: string;
  example: string;
  maxSteps: number;
  compactAt: number;
  maxMessages: number;
  /** Undefined: only if the user has not just been answered. */
  summarize: boolean | undefined;
  answerWithinMs: number | undefined;
  confirmUnderstanding: boolean;
  language: string | undefined;
  callPlan: CallPlan;
  rules: readonly PolicyRule[];
  capabilities: Capabilities | null;
  budget: Budget;
  preset: Preset;
  /** Of the preset; null when the model decides what comes next. */
  guidance: Guidance | null;
  /** The model decided about the preset, not the application. */
  isPresetAutomatic: boolean;
  temperature: Temperature | undefined;
  /** Texts of the application: addresses in them are trusted. */
  application: readonly string[];
  /** What the application wrote about its role; private like the words of the user. */
  words: readonly string[];
  toolRecommender: ToolRecommenderFactory | undefined;
  experienceRetriever: ExperienceRetriever | undefined;
  /** The features of the role, in the order of their sections in a prompt. */
  parts: readonly PartFactory[];
}

/**
 * Returns the settings for options.
 *
 * @param guidances those of the presets
 * @throws RoleZeroError `invalid` naming the rule, capability, or prompt that is wrong.
 */
export function readSettings(
  options: RoleZeroOptions,
  parts: readonly PartFactory[],
  guidances: Readonly<Record<Preset, Guidance | null>>,
): RoleZeroSettings {
  const { goal = '', constraints = '', description = '' } = options;
  const system = typeof options.system === 'string' ? options.system : '';
  const confirmUnderstanding = options.confirmUnderstanding ?? false;
  const preset = options.preset ?? (options.playedByUser ? 'full' : presetFor(options.model));
  const guidance = guidances[preset];
  const texts = promptsWith(options.prompts);
  const prompts = guidance?.prompts(texts) ?? texts;
  const given = options.instruction ?? prompts.roleInstruction;
  const instruction = confirmUnderstanding ? `${given}\n${prompts.confirmUnderstanding}` : given;
  const callPlan = options.playedByUser ? 'classic' : (options.callPlan ?? 'merged'); // a user does not type the merged form
  return {
    prompts,
    instruction,
    system: options.system,
    prepareStep: options.prepareStep,
    stopWhen: [options.stopWhen ?? []].flat(),
    taskTypes: options.taskTypes ?? '',
    example: options.example ?? '',
    maxSteps: options.maxSteps ?? 50,
    compactAt: options.compactAt ?? 0.8,
    maxMessages: options.maxMessages ?? (callPlan === 'classic' ? 200 : Infinity),
    summarize: options.summarize ?? (callPlan === 'classic' ? true : undefined),
    answerWithinMs: options.answerWithinMs,
    confirmUnderstanding,
    language: options.language,
    callPlan,
    rules: readPolicy(options.policy),
    capabilities: readCapabilities(options.capabilities),
    budget: options.budget ?? {},
    preset,
    guidance,
    isPresetAutomatic: options.preset === undefined,
    temperature: options.temperature ?? guidance?.temperature,
    application: [goal, constraints, description, instruction, system],
    words: [goal, constraints, description, options.instruction ?? '', system],
    toolRecommender: options.toolRecommender,
    experienceRetriever: options.experienceRetriever,
    parts,
  };
}

/** What is known before a step. */
export interface StepFacts {
  /** Number of completed steps of the request. */
  step: number;
  /** The request. */
  request: string;
  /** What the role remembers, oldest first. */
  messages: readonly MessageData[];
  /** The commands of the step before, with their results. */
  commands: readonly { name: string; ok: boolean; output: string }[];
}

/** Settings of one step, in place of those of the request and of the role. */
export interface StepSettings extends Omit<RequestSettings, 'maxSteps'> {
  /** The model that is asked. */
  model?: ChatModel;
}

/** Chooses settings for the next step, before the model is asked. */
type PrepareStep = (
  facts: StepFacts,
) => StepSettings | undefined | void | Promise<StepSettings | undefined | void>;

/** Returns whether the work ends before the next step. */
type StopCondition = (facts: StepFacts) => boolean | Promise<boolean>;

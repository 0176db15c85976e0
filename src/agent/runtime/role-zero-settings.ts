import type { ExperienceRetriever } from '../../core/experience.js';
import type { Temperature } from '../../core/temperature.js';
import type { Budget } from '../policy/budget.js';
import type { Capabilities } from '../policy/capabilities.js';
import type { PartFactory } from './part.js';
import type { PolicyRule } from '../policy/policy.js';
import { presetFor, promptsOf, temperatureOf, type Preset } from '../prompt/preset.js';
import { promptsWith, type Prompts } from '../prompt/prompts.js';
import type { SystemText } from '../prompt/system.js';
import { readCapabilities, readPolicy } from '../policy/read-policy.js';
import type { CallPlan } from '../prompt/reply-schema.js';
import type { PrepareStep, StopCondition } from './step-settings.js';
import type { ToolRecommenderFactory, RoleZeroOptions } from './role-zero-options.js';

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

/** Returns the settings for options. @throws RoleZeroError `invalid` naming the rule, capability, or prompt that is wrong. */
export function readSettings(options: RoleZeroOptions, parts: readonly PartFactory[]): RoleZeroSettings {
  const { goal = '', constraints = '', description = '' } = options;
  const system = typeof options.system === 'string' ? options.system : '';
  const confirmUnderstanding = options.confirmUnderstanding ?? false;
  const preset = options.preset ?? (options.playedByUser ? 'full' : presetFor(options.model));
  const prompts = promptsOf(preset, promptsWith(options.prompts));
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
    isPresetAutomatic: options.preset === undefined,
    temperature: options.temperature ?? temperatureOf(preset),
    application: [goal, constraints, description, instruction, system],
    words: [goal, constraints, description, options.instruction ?? '', system],
    toolRecommender: options.toolRecommender,
    experienceRetriever: options.experienceRetriever,
    parts,
  };
}

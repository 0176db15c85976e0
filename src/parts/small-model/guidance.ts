/** The preset `small`, for models with few parameters and for small windows. */
import type { JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { commandSchema, replyObject } from '../../agent/prompt/reply-form.js';
import type { Guidance } from '../../agent/runtime/guidance.js';
import { briefTools } from './brief-tools.js';
import {
  allowedCommands,
  allowedInstead,
  firstStep,
  isReported,
  mentionsTime,
  missingWork,
  nextStep,
  openQuestion,
  refusal,
  stepInstead,
} from './next-step.js';

/** Temperature: at higher ones, small models write commands that do not exist. */
const TEMPERATURE = 0.2;
/** Limits of a reply, because small models think and list without an end: characters of the thought, and commands. */
const MAX_THOUGHT = 400;
const MAX_COMMANDS = 6;

/** Few commands, short prompts without a plan, and one thing to do at a time. */
export const SMALL_MODEL: Guidance = {
  temperature: TEMPERATURE,
  prompts: (prompts) => ({
    ...prompts,
    taskStructure: '',
    roleInstruction: prompts.smallInstruction,
    commandsIntroduction: prompts.smallCommandsIntroduction,
    replyFormat: prompts.smallReplyFormat,
    constrainedFormat: prompts.smallConstrainedFormat,
    toolsFormat: prompts.smallToolsFormat,
    regenerate: prompts.smallRegenerate,
    firstReply: '',
    firstReplyTools: '',
    firstReplyInText: '',
  }),
  tools: briefTools,
  describe: ({ hints, description }) => (hints?.small ? hints.small.description : description),
  replySchema,
  wantsTime: mentionsTime,
  first: firstStep,
  next: nextStep,
  allowed: allowedCommands,
  refusal,
  instead: stepInstead,
  allowedInstead,
  isReported,
  missing: missingWork,
  openQuestion,
};

/** A short thought and few commands, at least one: small models answer the user with a command. */
function replySchema(tools: readonly Tool[]): JsonSchema {
  const commands = { minItems: 1, maxItems: MAX_COMMANDS, items: { anyOf: tools.map(commandSchema) } };
  return replyObject({
    thought: { type: 'string', maxLength: MAX_THOUGHT },
    commands: { type: 'array', ...commands },
  });
}

import type { JsonSchema } from '../core/json.js';
import type { NativeTools } from './prompt/native-tools.js';
import type { Prompts } from './prompt/prompts.js';
import type { Agent } from './runtime/agent.js';

/**
 * How a model writes its commands: what the prompts say about it, and what a request carries. A reply is read by what it has: native calls,
 * or text.
 */
export interface ReplyForm {
  readonly name: 'text' | 'schema' | 'tools';
  /** The system prompt lists the commands; else the request does. */
  readonly listsCommands: boolean;
  /** A reply without commands is the closing message, and not a mistake. */
  readonly endsInProse: boolean;
  /** Returns what the system prompt says about replies. */
  format(prompts: Prompts): string;
  /** Returns the form in words, for prompts that ask for a reply once more. */
  inWords(prompts: Prompts): string;
  /** Returns how to give a direct answer in the first reply to a request. */
  first(prompts: Prompts): string;
  /** Returns what a request for commands carries besides its messages. */
  carried(agent: Agent): { responseSchema?: JsonSchema };
  /** Returns what every request of the conversation carries. */
  tools(agent: Agent): NativeTools | undefined;
}

/** A thought and a list of commands in text, which every model can write. */
const TEXT: ReplyForm = {
  name: 'text',
  listsCommands: true,
  endsInProse: false,
  format: ({ replyFormat }) => replyFormat,
  inWords: ({ formInText }) => formInText,
  first: ({ firstReplyInText }) => firstReplyInText,
  carried: () => ({}),
  tools: () => undefined,
};

/** One JSON object, which the engine enforces. */
const SCHEMA: ReplyForm = {
  ...TEXT,
  name: 'schema',
  format: ({ constrainedFormat }) => constrainedFormat,
  inWords: ({ formConstrained }) => formConstrained,
  first: ({ firstReply }) => firstReply,
  carried: (agent) => ({ responseSchema: agent.responseSchema() }),
};

/** Calls of tools, as the model was trained to write them. */
const TOOLS: ReplyForm = {
  ...TEXT,
  name: 'tools',
  listsCommands: false,
  endsInProse: true,
  format: ({ toolsFormat }) => toolsFormat,
  inWords: ({ formTools }) => formTools,
  first: ({ firstReplyTools }) => firstReplyTools,
  tools: (agent) => agent.nativeTools(),
};

/** Returns the form in which a model replies best: native calls, else what its engine enforces, else text. */
export function replyFormOf({ model }: Pick<Agent, 'model'>): ReplyForm {
  if (model.supports?.toolCalls === true) return TOOLS;
  return model.supports?.jsonSchema === true ? SCHEMA : TEXT;
}

import type { ChatModel } from '../../core/model.js';
import type { Prompts } from './prompts.js';

/**
 * How a model writes its commands: what the prompts say about it, and what a request carries. A reply is read by what it has: native calls,
 * or text.
 */
export interface ReplyForm {
  readonly name: 'text' | 'schema' | 'tools';
  /** Requests for commands carry a JSON Schema of the reply. */
  readonly hasSchema: boolean;
  /** All requests of the conversation carry the commands as tools; else the system prompt lists them. */
  readonly hasTools: boolean;
  /** A reply without commands is the closing message, and not a mistake. */
  readonly endsInProse: boolean;
  /** Returns what the system prompt says about replies. */
  format(prompts: Prompts): string;
  /** Returns the form in words, for prompts that ask for a reply once more. */
  inWords(prompts: Prompts): string;
  /** Returns how to give a direct answer in the first reply to a request. */
  first(prompts: Prompts): string;
}

/** A thought and a list of commands in text, which every model can write. */
const TEXT: ReplyForm = {
  name: 'text',
  hasSchema: false,
  hasTools: false,
  endsInProse: false,
  format: ({ replyFormat }) => replyFormat,
  inWords: ({ formInText }) => formInText,
  first: ({ firstReplyInText }) => firstReplyInText,
};

/** One JSON object, which the engine enforces. */
const SCHEMA: ReplyForm = {
  ...TEXT,
  name: 'schema',
  hasSchema: true,
  format: ({ constrainedFormat }) => constrainedFormat,
  inWords: ({ formConstrained }) => formConstrained,
  first: ({ firstReply }) => firstReply,
};

/** Calls of tools, as the model was trained to write them. */
const TOOLS: ReplyForm = {
  ...TEXT,
  name: 'tools',
  hasTools: true,
  endsInProse: true,
  format: ({ toolsFormat }) => toolsFormat,
  inWords: ({ formTools }) => formTools,
  first: ({ firstReplyTools }) => firstReplyTools,
};

/** Returns the form in which a model replies best: native calls, else what its engine enforces, else text. */
export function replyFormOf({ supports }: ChatModel): ReplyForm {
  if (supports?.toolCalls === true) return TOOLS;
  return supports?.jsonSchema === true ? SCHEMA : TEXT;
}

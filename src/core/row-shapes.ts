import { count, fields, flag, list, oneOf, optional, text } from './shape.js';

/** Shapes of stored rows that are checked when a session is opened, and before a document of it is imported. */

export const texts = list(text);

export const messageRow = fields({ id: text, content: optional(text), causeBy: optional(text) });

export const toolCallShape = fields({ id: text, name: text, args: text });

/** A message of the conversation with the model. */
export const turnRow = fields({
  role: oneOf('user', 'assistant'),
  content: text,
  tokens: count,
  calls: optional(list(toolCallShape)),
  results: optional(texts),
});

/** A message that was published among the roles. */
export const deliveryRow = fields({
  trace: fields({
    message: messageRow,
    recipients: texts,
    reactions: list(fields({ role: text, reacts: flag, why: text })),
  }),
  undeliverable: texts,
  isQueued: optional(flag),
});

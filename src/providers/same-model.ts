import { defined } from '../base/defined.js';
import type { ChatModel } from '../base/model.js';

/** All that is known of a model but how it answers: for one that stands in its place. What the model does not say is left out. */
export function sameModel(model: ChatModel): Omit<ChatModel, 'chat'> {
  const { id, contextWindow, maxOutputTokens, supports, price } = model;
  return {
    id,
    contextWindow,
    ...defined({ maxOutputTokens, supports, price }),
    ...(model.countTokens === undefined ? {} : { countTokens: (text) => model.countTokens?.(text) ?? 0 }),
  };
}

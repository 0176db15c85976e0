import { defined } from '../core/defined.js';
import type { ChatModel } from '../core/model.js';

/** Returns the properties of a model without `chat`, for a wrapper. Omits properties that the model does not define. */
export function sameModel(model: ChatModel): Omit<ChatModel, 'chat'> {
  const { id, contextWindow, maxOutputTokens, parameters, supports, price } = model;
  return {
    id,
    contextWindow,
    ...defined({
      maxOutputTokens,
      parameters,
      supports,
      price,
      prepare: model.prepare?.bind(model),
      countTokens: model.countTokens && ((text: string) => model.countTokens?.(text) ?? 0),
    }),
  };
}

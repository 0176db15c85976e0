import type { ChatRequest } from './model.js';

/** A request to a model, as it was sent. */
export interface SentPrompt extends Omit<ChatRequest, 'signal'> {
  /** Name of the role. */
  role: string;
  /** Id of the model. */
  model: string;
}

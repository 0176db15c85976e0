import type { ChatMessage, ChatRequest, SentPrompt } from '../core/model.js';
import type { RequestOrigin } from '../agent/runtime/context.js';

/** Maximum number of prompts in memory. */
const MAX_PROMPTS = 100;
/** Maximum number of their characters. Prompts share the messages that they have in common. */
const MAX_CHARACTERS = 20_000_000;

/** The newest prompts of a session, by their hash. They are not stored: the next prompt contains almost all of the one before. */
export class SentPrompts {
  readonly #prompts = new Map<string, SentPrompt>();
  #characters = 0;

  add({ signal: _, ...request }: ChatRequest, { promptHash, ...origin }: RequestOrigin): void {
    this.#remove(promptHash);
    this.#prompts.set(promptHash, { ...request, ...origin });
    this.#characters += charactersOf(request.messages);
    for (const hash of this.#prompts.keys()) {
      if (this.#prompts.size <= MAX_PROMPTS && this.#characters <= MAX_CHARACTERS) return;
      if (hash !== promptHash) this.#remove(hash);
    }
  }

  find(promptHash: string): SentPrompt | null {
    return this.#prompts.get(promptHash) ?? null;
  }

  #remove(promptHash: string): void {
    const prompt = this.#prompts.get(promptHash);
    if (prompt === undefined) return;
    this.#prompts.delete(promptHash);
    this.#characters -= charactersOf(prompt.messages);
  }
}

function charactersOf(messages: readonly ChatMessage[]): number {
  let characters = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length;
    else for (const part of content) characters += (part.type === 'text' ? part.text : part.url).length;
  }
  return characters;
}

import { isAbort, RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, Purpose } from '../base/model.js';

/** What the person who plays the model is shown. */
export interface HumanTurn {
  /** The newest message: what is to be answered. */
  prompt: string;
  /** All of it, for who wants to see what came before. */
  messages: readonly ChatMessage[];
  purpose: Purpose;
}

export interface HumanModelOptions {
  /** Shows a turn and gives what was typed; null when nobody is there. `signal` aborts when nobody waits any more. */
  ask: (turn: HumanTurn, signal: AbortSignal) => Promise<string | null>;
  /** Tokens; how long a prompt a person may be shown. Default 128,000. */
  contextWindow?: number;
}

/**
 * A person in the place of a language model (MetaGPT's HumanProvider, spec 24): what they type is the reply. Typing `exit` or `quit`
 * stops the run, which can be resumed. Calls cost nothing and count no tokens. A role whose every reply comes from the person in front
 * of its page needs no model at all: `new RoleZero({ isHuman: true })`; this is for a model port that stands elsewhere: a test bench, a
 * console, one of several in `failover`.
 *
 * Calls throw a RoleZeroError `model-unreachable` when nobody is there, `model-request` when asking failed, or `aborted`.
 *
 * @example human({ ask: async ({ prompt }) => window.prompt(prompt) })
 */
export function human({ ask, contextWindow = 128_000 }: HumanModelOptions): ChatModel {
  return {
    id: 'human',
    contextWindow,
    async *chat({ messages, purpose, signal }: ChatRequest): AsyncGenerator<ChatChunk, void> {
      if (signal.aborted) throw stopped(signal);
      const typed = await unlessStopped(
        ask({ prompt: textOf(messages.at(-1)), messages, purpose }, signal),
        signal,
      );
      if (typed === null)
        throw new RoleZeroError('model-unreachable', 'Nobody is there to answer in the place of a model.');
      const word = typed.trim().toLowerCase();
      if (word === 'exit' || word === 'quit')
        throw new RoleZeroError('aborted', 'The person who plays the model has left.');
      if (typed !== '') yield { type: 'text-delta', text: typed };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** Whoever asks a person need not listen to the signal. */
async function unlessStopped<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = (): void => {};
  const stopping = new Promise<never>((_, reject) => {
    stop = () => reject(stopped(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, stopping]);
  } catch (error) {
    throw isAbort(error) ? stopped(signal) : toRoleZeroError(error, 'model-request');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function stopped(signal: AbortSignal): RoleZeroError {
  return new RoleZeroError('aborted', 'Stopped.', {}, signal.reason);
}

function textOf(message: ChatMessage | undefined): string {
  if (message === undefined) return '';
  const { content } = message;
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[An image: ${part.url}]`)).join('\n');
}

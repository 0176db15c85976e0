import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { isAbort, RoleZeroError, stoppedError, throwIfStopped, toRoleZeroError } from '../../core/error.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, Purpose } from '../../core/model.js';
import { unlessStopped } from '../../core/on-abort.js';

/** Request to the user who acts as the model. */
interface HumanTurn {
  /** Newest message, which the user should answer. */
  prompt: string;
  /** All messages, including earlier ones. */
  messages: readonly ChatMessage[];
  purpose: Purpose;
}

interface HumanModelOptions {
  /**
   * Shows a request and returns the user's input, or null when no user is connected. `signal` aborts when the answer is no longer needed.
   */
  ask: (turn: HumanTurn, signal: AbortSignal) => Promise<string | null>;
  /**
   * Maximum length in tokens of a prompt that the user is shown.
   * @default 128_000
   */
  contextWindow?: number;
}

const HUMAN_OPTION_KINDS: Record<keyof HumanModelOptions, OptionKind> = {
  ask: 'callback',
  contextWindow: 'count',
};

/**
 * Creates a chat model whose replies a user types (MetaGPT's HumanProvider). Typing `exit` or `quit` stops the run, which can be resumed.
 * Calls are free and count no tokens.
 *
 * If every reply comes from the user of the page, use `new RoleZero({ playedByUser: true })`, which needs no model. Use this model elsewhere: in
 * tests, in a console, or as one of several in `failover`.
 *
 * Calls throw a RoleZeroError `model-unreachable` when no user is connected, `model-request` when `ask` fails, or `aborted`.
 *
 * @example human({ ask: async ({ prompt }) => window.prompt(prompt) })
 * @throws RoleZeroError `invalid` without `ask`, and for an option that does not exist or whose value cannot be used.
 */
export function human(options: HumanModelOptions): ChatModel {
  checkOptions('human()', options, HUMAN_OPTION_KINDS, ['ask']);
  const { ask, contextWindow = 128_000 } = options;
  return {
    id: 'human',
    contextWindow,
    async *chat({ messages, purpose, signal }: ChatRequest): AsyncGenerator<ChatChunk, void> {
      throwIfStopped(signal);
      const request = { prompt: promptText(messages.at(-1)), messages, purpose };
      const typed = await unlessStopped(ask(request, signal), signal).catch((error: unknown) => {
        throw isAbort(error) ? stoppedError(signal) : toRoleZeroError(error, 'model-request');
      });
      if (typed === null)
        throw new RoleZeroError('model-unreachable', 'No user is connected to answer in place of the model.');
      const word = typed.trim().toLowerCase();
      if (word === 'exit' || word === 'quit')
        throw new RoleZeroError('aborted', 'The user who plays the model has disconnected.');
      if (typed !== '') yield { type: 'text-delta', text: typed };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function promptText(message: ChatMessage | undefined): string {
  if (message === undefined) return '';
  const { content } = message;
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[An image: ${part.url}]`)).join('\n');
}

import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from 'rolezero/worker';
import { CATEGORY, LANGUAGE, recordedReplies, SUMMARY, TOUR_REQUEST } from './recording.js';

/** What a recording says to everything it was not recorded for. */
const ONLY_A_RECORDING = `These replies are recorded: they only know the request "${TOUR_REQUEST}". Connect a model to ask for anything else.`;

export interface TourOptions {
  /** How fast the recording is played; default 1,200. `Infinity` plays it at once. */
  charactersPerSecond?: number;
}

/**
 * A "model" that plays recorded replies; no model is running. Each reply follows from the conversation it is asked to continue, so a
 * run interrupted at any point goes on at that point. It counts no tokens, for none are used.
 */
export function tourModel(options: TourOptions = {}): ChatModel {
  const { charactersPerSecond = 1_200 } = options;
  return {
    id: 'recorded-tour',
    contextWindow: 128_000,
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      for (const text of pieces(recordedReply(request))) {
        await pause((text.length / charactersPerSecond) * 1_000, request.signal);
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** The reply that was given at this point of the recorded run. */
export function recordedReply({ purpose, messages }: Pick<ChatRequest, 'purpose' | 'messages'>): string {
  const known = textOf(messages).includes(TOUR_REQUEST);
  switch (purpose) {
    case 'classify':
      return known ? CATEGORY : 'Thought: This was not recorded.\nResponse Category: QUICK';
    case 'language':
      return LANGUAGE;
    case 'summary':
      return SUMMARY;
    case 'think':
    case 'regenerate':
      return known ? nextReply(messages) : ONLY_A_RECORDING;
    default:
      return ONLY_A_RECORDING;
  }
}

/** The first recorded reply after the last one that stands in the conversation. */
function nextReply(messages: readonly ChatMessage[]): string {
  const answer =
    /Human response: (.*)/.exec(textOf(messages.filter(({ role }) => role === 'user')))?.[1] ?? '';
  const replies = recordedReplies(answer);
  const given = new Set(
    messages.filter(({ role }) => role === 'assistant').map((message) => textOf([message])),
  );
  const last = replies.findLastIndex((reply) => given.has(reply));
  return replies[last + 1] ?? replies.at(-1) ?? ONLY_A_RECORDING;
}

function textOf(messages: readonly ChatMessage[]): string {
  return messages
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )
    .join('\n');
}

/** A text in the small portions in which models stream. */
function pieces(text: string): string[] {
  return text.match(/[^]{1,24}/g) ?? [];
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

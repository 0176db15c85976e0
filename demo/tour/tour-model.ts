import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from 'rolezero/worker';
import type { Scene, Tour } from './tour.js';

/** Classification and language, as models answer them. */
const CATEGORY = 'Thought: This takes several steps.\nResponse Category: TASK';
const LANGUAGE = 'English';

export interface TourOptions {
  /** Whose replies are played; default: the first role of the tour. */
  role?: string;
  /** How fast the recording is played; default 1,200. `Infinity` plays it at once. */
  charactersPerSecond?: number;
}

/**
 * A "model" that plays recorded replies; no model is running. Each reply follows from the conversation it is asked to continue, so a
 * run interrupted at any point continues at that point. It counts no tokens, for none are used.
 */
export function tourModel(tour: Tour, options: TourOptions = {}): ChatModel {
  const { charactersPerSecond = 1_200, role = Object.keys(tour.roles)[0] ?? '' } = options;
  return {
    id: 'recorded-tour',
    contextWindow: 128_000,
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      for (const text of pieces(recordedReply(tour, role, request))) {
        await pause((text.length / charactersPerSecond) * 1_000, request.signal);
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** The reply that was given at this point of the recorded run. */
function recordedReply(
  tour: Tour,
  role: string,
  { purpose, messages }: Pick<ChatRequest, 'purpose' | 'messages'>,
): string {
  // Members of a team are told their work in the words of the leader, who was recorded with them.
  const isMember = role !== Object.keys(tour.roles)[0];
  const said = textOf(messages);
  const known = isMember || tour.requests.some((request) => said.includes(request));
  const scenes = tour.roles[role] ?? [];
  switch (purpose) {
    case 'classify':
      return known ? CATEGORY : 'Thought: This was not recorded.\nResponse Category: QUICK';
    case 'language':
      return LANGUAGE;
    case 'summary':
      return lastScene(scenes, messages)?.summary ?? '';
    case 'think':
    case 'regenerate':
      return known ? nextReply(scenes, messages, tour) : onlyARecording(tour);
    default:
      return onlyARecording(tour);
  }
}

/** What a recording says to everything it was not recorded for. */
function onlyARecording({ requests }: Tour): string {
  const known = requests.map((request) => `"${request}"`).join(', ');
  return `These replies are recorded: they only know the request ${known}. Connect a model to ask for anything else.`;
}

/** The first recorded reply after the last one that is in the conversation. */
function nextReply(scenes: readonly Scene[], messages: readonly ChatMessage[], tour: Tour): string {
  const replies = spoken(scenes, messages);
  const next = replies[lastGiven(replies, messages) + 1] ?? replies.at(-1);
  return next?.text ?? onlyARecording(tour);
}

function lastScene(scenes: readonly Scene[], messages: readonly ChatMessage[]): Scene | undefined {
  const replies = spoken(scenes, messages);
  return replies[lastGiven(replies, messages)]?.scene ?? scenes[0];
}

/** Every reply as it was for a user who gave the answers that stand in the conversation. */
function spoken(
  scenes: readonly Scene[],
  messages: readonly ChatMessage[],
): { scene: Scene; text: string }[] {
  const told = textOf(messages.filter(({ role }) => role === 'user'));
  const answer = /Human response: (.*)/.exec(told)?.[1] ?? '';
  return scenes.flatMap((scene) =>
    scene.replies.map((recorded) => ({
      scene,
      text: typeof recorded === 'string' ? recorded : recorded(answer),
    })),
  );
}

function lastGiven(replies: readonly { text: string }[], messages: readonly ChatMessage[]): number {
  const given = new Set(
    messages.filter(({ role }) => role === 'assistant').map((message) => textOf([message])),
  );
  return replies.findLastIndex(({ text }) => given.has(text));
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

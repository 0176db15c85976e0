import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from 'rolezero/worker';
import { unattended, type Pace } from './pace.js';
import { end, reply, say, type Scene, type Tour } from './tour.js';

export interface TourOptions {
  /** The role whose replies are played. Default: the first role of the tour. */
  role?: string;
  /** Playback speed. Default: 1,200. `Infinity` plays it at once. */
  charactersPerSecond?: number;
  /** Waits before each reply but the first, so that the user can read the notes. Default: none. */
  pace?: Pace;
  /** In ms, the time that the notes of this tour need. Default 0. */
  dwell?: number;
}

/**
 * A "model" that plays recorded replies; no model is running. Each reply follows from the conversation, so a run
 * interrupted at any point continues at that point. It reports no tokens, because none are used.
 */
export function tourModel(tour: Tour, options: TourOptions = {}): ChatModel {
  const { charactersPerSecond = 1_200, pace = unattended, dwell = 0 } = options;
  const { role = Object.keys(tour.roles)[0] ?? '' } = options;
  return {
    id: 'recorded-tour',
    contextWindow: 128_000,
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      if (request.messages.some(({ role: from }) => from === 'assistant'))
        await pace.read(dwell, request.signal);
      for (const text of pieces(recordedReply(tour, role, request))) {
        await pace.pause((text.length / charactersPerSecond) * 1_000, request.signal);
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** The recorded reply at this point of the run. */
function recordedReply(
  tour: Tour,
  role: string,
  { purpose, messages }: Pick<ChatRequest, 'purpose' | 'messages'>,
): string {
  // Members of a team receive their tasks in the words of the leader, who was recorded with them.
  const isMember = role !== Object.keys(tour.roles)[0];
  const text = textOf(messages);
  const known = isMember || tour.requests.some((request) => text.includes(request));
  const scenes = tour.roles[role] ?? [];
  switch (purpose) {
    case 'think':
    case 'regenerate':
      return known
        ? nextReply(scenes, messages, tour)
        : reply('This was not recorded.', say(onlyARecording(tour)), end);
    default:
      return onlyARecording(tour);
  }
}

/** The reply to every request that was not recorded. */
function onlyARecording({ requests }: Tour): string {
  const known = requests.map((request) => `"${request}"`).join(', ');
  return `These replies are recorded: they know only the request ${known}. Connect a model for other requests.`;
}

/** The first recorded reply after the last one in the conversation. */
function nextReply(scenes: readonly Scene[], messages: readonly ChatMessage[], tour: Tour): string {
  const replies = spoken(scenes, messages);
  const next = replies[lastGiven(replies, messages) + 1] ?? replies.at(-1);
  return next ?? onlyARecording(tour);
}

/** All replies for a user who gave the answers in the conversation. */
function spoken(scenes: readonly Scene[], messages: readonly ChatMessage[]): string[] {
  const requests = textOf(messages.filter(({ role }) => role === 'user'));
  const answer = /Human response: (.*)/.exec(requests)?.[1] ?? '';
  return scenes.flatMap((scene) =>
    scene.replies.map((recorded) => (typeof recorded === 'string' ? recorded : recorded(answer))),
  );
}

function lastGiven(replies: readonly string[], messages: readonly ChatMessage[]): number {
  const given = new Set(
    messages.filter(({ role }) => role === 'assistant').map((message) => textOf([message])),
  );
  return replies.findLastIndex((text) => given.has(text));
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

/** Splits a text into small chunks, as models stream it. */
function pieces(text: string): string[] {
  return text.match(/[^]{1,24}/g) ?? [];
}

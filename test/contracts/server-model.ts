import type { ChatModel } from '../../src/core/model.js';
import { isRecord } from '../../src/core/json.js';
import type { SeenRequest } from '../fault-server/fault-server.js';
import {
  delta,
  done,
  finish,
  refusal,
  sendBytes,
  stall,
  streaming,
  text,
  usage,
  type Reply,
} from '../fault-server/replies.js';
import type { ModelHarness, Seen, TestReply } from './chat-model.js';

/** A fault server, from Node or from a page. */
export interface ServerPort {
  readonly url: string;
  script(replies: readonly Reply[]): void | Promise<void>;
  requests(): readonly SeenRequest[] | Promise<readonly SeenRequest[]>;
  close?(): Promise<void>;
}

/** A model that uses the OpenAI protocol with a real server. */
export function overServer(server: ServerPort, make: (baseURL: string) => ChatModel): ModelHarness {
  let torn: number[] | null = null;
  const replyOf = (
    { reasoning, pieces = [], usage: [input, output] = [3, 1], then }: TestReply,
    bytes: readonly number[],
  ): Reply => {
    if (then === 'fail') return refusal(400, 'It broke.');
    if (then === 'overflow') return refusal(400, 'Too long.', {}, 'context_length_exceeded');
    if (then === 'hang' && pieces.length === 0) return [stall];
    const parts = [
      streaming,
      ...(reasoning === undefined ? [] : [delta({ reasoning_content: reasoning })]),
      ...bytes.map((byte) => sendBytes([byte])),
      ...pieces.map(text),
    ];
    if (then === 'hang') return [...parts, stall];
    return [...parts, finish(then === 'cut' ? 'length' : 'stop'), usage(input, output), done];
  };
  return {
    failure: 'model-request',
    torn(whole) {
      torn = [
        ...new TextEncoder().encode(
          `data: ${JSON.stringify({ choices: [{ delta: { content: whole } }] })}\n\n`,
        ),
      ];
      return {};
    },
    async open(replies) {
      const bytes = torn ?? [];
      torn = null;
      await server.script(replies.map((reply) => replyOf(reply, bytes)));
      return make(server.url);
    },
    async calls() {
      const requests = await server.requests();
      return { begun: requests.length, open: requests.filter(({ state }) => state === 'open').length };
    },
    async seen() {
      return seenIn((await server.requests()).at(-1)?.body);
    },
    ...(server.close === undefined ? {} : { close: () => server.close?.() ?? Promise.resolve() }),
  };
}

function seenIn(body: unknown): Seen {
  if (!isRecord(body) || !Array.isArray(body['messages']))
    throw new Error('This is no chat completion request.');
  const format = body['response_format'];
  const held = isRecord(format) ? format['json_schema'] : undefined;
  return {
    messages: (body['messages'] as unknown[]).filter(isRecord).map(({ role, content }) => ({
      role: String(role),
      text: textOf(content),
    })),
    schema: isRecord(held) ? held['schema'] : undefined,
    seed: body['seed'],
    maxOutputTokens: body['max_tokens'],
    temperature: body['temperature'],
    stop: body['stop'],
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text: string }[]).map((part) => part.text).join('\n');
}

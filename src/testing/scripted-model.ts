import { RoleZeroError, throwIfStopped } from '../core/error.js';
import type { JsonValue } from '../core/json.js';
import type { ChatChunk, ChatModel, ChatRequest, Purpose, ToolCall } from '../core/model.js';
import { formatCommands } from '../agent/commands/format-commands.js';

/** Replies in call order, or by purpose: one text for every call, or a list that is used up one by one. */
export type Script = readonly string[] | Partial<Record<Purpose, string | readonly string[]>>;

/** A model that returns scripted replies, and throws when the script has none left for a call. */
export interface ScriptedModel extends ChatModel {
  /** Every request so far. */
  readonly requests: ChatRequest[];
  /** Unused replies: `2: "…"` in order, `think[1]: "…"` by purpose. */
  leftovers(): string[];
}

/** Replies for purposes that a script by purpose may omit. */
const DEFAULTS: Partial<Record<Purpose, string>> = {
  classify: 'Response Category: TASK',
  language: 'English',
  report: 'report',
  summary: 'summary',
  compact: 'notes',
};

/**
 * Creates a model for tests. A call beyond its script throws, and makes the run fail in `runRole`. With `supports.toolCalls`, it sends the
 * commands of a reply of `commands()` as native calls.
 *
 * @param options.chunkSize characters per delta; default 16
 */
export function scriptedModel(
  script: Script,
  options: Partial<
    Pick<ChatModel, 'id' | 'contextWindow' | 'maxOutputTokens' | 'supports' | 'countTokens'>
  > & {
    chunkSize?: number;
  } = {},
): ScriptedModel {
  const take: Taker = Array.isArray(script)
    ? repliesInOrder(script as readonly string[])
    : repliesByPurpose(script as ByPurpose);
  const requests: ChatRequest[] = [];
  const { chunkSize = 16, ...overrides } = options;
  return {
    id: 'scripted',
    contextWindow: 128_000,
    ...overrides,
    requests,
    leftovers: () => take.leftovers(),
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      throwIfStopped(request.signal);
      requests.push(request);
      const reply = take.next(request.purpose);
      if (reply === undefined) throw new ScriptExhausted(request, requests.length);
      const { words, calls } =
        request.toolChoice === 'auto' ? nativeReply(reply, requests.length) : { words: reply, calls: [] };
      for (let at = 0; at < words.length; at += chunkSize) {
        yield { type: 'text-delta', text: words.slice(at, at + chunkSize) };
        throwIfStopped(request.signal);
      }
      for (const [index, { args, ...call }] of calls.entries())
        for (let at = 0; at < args.length; at += chunkSize) {
          yield { type: 'tool-call', index, ...call, args: args.slice(at, at + chunkSize) };
          throwIfStopped(request.signal);
        }
      let promptTokens = 0;
      for (const { content } of request.messages) promptTokens += Math.ceil(content.length / 4);
      yield { type: 'usage', promptTokens, completionTokens: Math.ceil(reply.length / 4) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** Splits a reply of `commands()` into its words and native calls; any other reply has no calls. */
function nativeReply(reply: string, number: number): { words: string; calls: ToolCall[] } {
  const [, words = '', list] = /^([^]*?)```json\n([^]*)\n```\s*$/.exec(reply) ?? [];
  if (list === undefined) return { words: reply, calls: [] };
  const items = JSON.parse(list) as { command_name: string; args: unknown }[];
  const calls = items.map(({ command_name: name, args }, index) => ({
    id: `call-${number}-${index}`,
    name: name.replaceAll('.', '_'),
    args: JSON.stringify(args),
  }));
  return { words: words.trim(), calls };
}

/** Thrown when the model is called more often than its script allows. */
class ScriptExhausted extends RoleZeroError {
  constructor(request: ChatRequest, call: number) {
    const last = request.messages.at(-1)?.content;
    super(
      'internal',
      `scriptedModel has no reply left for call ${call}, purpose "${request.purpose}", last message: ${JSON.stringify(last).slice(0, 300)}`,
      { scriptExhausted: true, purpose: request.purpose, call },
    );
  }
}

type ByPurpose = Partial<Record<Purpose, string | readonly string[]>>;

interface Taker {
  next(purpose: Purpose): string | undefined;
  leftovers(): string[];
}

function repliesInOrder(replies: readonly string[]): Taker {
  let used = 0;
  return {
    next: () => replies[used++],
    leftovers: () =>
      replies.slice(used).map((reply, index) => `${used + index + 1}: ${JSON.stringify(reply)}`),
  };
}

function repliesByPurpose(script: ByPurpose): Taker {
  const used = new Map<Purpose, number>();
  return {
    next(purpose) {
      const given = script[purpose];
      if (given === undefined) return DEFAULTS[purpose];
      if (typeof given === 'string') return given;
      const index = used.get(purpose) ?? 0;
      used.set(purpose, index + 1);
      return given[index];
    },
    leftovers: () =>
      (Object.entries(script) as [Purpose, string | readonly string[]][]).flatMap(([purpose, given]) =>
        typeof given === 'string'
          ? []
          : given.slice(used.get(purpose) ?? 0).map((reply, index) => {
              return `${purpose}[${(used.get(purpose) ?? 0) + index}]: ${JSON.stringify(reply)}`;
            }),
      ),
  };
}

/** Formats a reply as a model would write it: a short thought and one fenced array of commands. */
export function commands(
  ...list: readonly (readonly [name: string, args: Record<string, JsonValue>])[]
): string {
  const names = list.map(([name]) => name).join(', ');
  return `I will run ${names || 'nothing'}.\n${formatCommands(list.map(([name, args]) => ({ name, args })))}`;
}

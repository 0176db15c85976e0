import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { WholeReply } from '../../../../src/agent/stream/whole-reply.js';
import { RoleZeroError } from '../../../../src/core/error.js';
import type { ChatChunk, ChatModel } from '../../../../src/core/model.js';
import { runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';

const SCHEMA = { type: 'object', required: ['thought', 'commands'] };
const WRITE =
  '{"thought": "I write it: ]}\\"", "commands": [{"command_name": "Editor.write", "args": {"path": "/a.txt", "content": "one"}}]';
const END =
  '{"thought": "", "commands": [{"command_name": "RoleZero.reply_to_human", "args": {"content": "Written."}}, {"command_name": "end", "args": {}}]}';

/** The lengths at which a text that streams in lacks nothing, or only the last brace. */
function wholeAt(text: string): number[] {
  const reply = new WholeReply(SCHEMA);
  const found: number[] = [];
  for (let at = 0; at < text.length; at++) {
    reply.push(text.charAt(at));
    if (reply.lacks !== null) found.push(at + 1);
  }
  return found;
}

/** A model with a schema whose first reply ends as `ending` says, and its other replies as they should. */
function ending(first: (signal: AbortSignal) => AsyncIterable<ChatChunk>) {
  const script = scriptedModel({ think: [END] });
  const seen = { calls: 0, isAborted: false };
  const model: ChatModel = {
    ...script,
    supports: { jsonSchema: true },
    async *chat(request) {
      if (request.purpose === 'think' && seen.calls++ === 0) {
        request.signal.addEventListener('abort', () => (seen.isAborted = true));
        yield* first(request.signal);
      } else yield* script.chat(request);
    },
  };
  return { model, seen };
}

describe('a reply that lacks only its last brace, or only its end', () => {
  it('is known by what the schema requires', () => {
    expect(wholeAt(WRITE)).toEqual([WRITE.length]);
    expect(wholeAt(`${WRITE} \n }`)).toEqual([
      WRITE.length,
      WRITE.length + 1,
      WRITE.length + 2,
      WRITE.length + 3,
      WRITE.length + 4,
    ]);
    expect(wholeAt('{"commands": []')).toEqual([]); // the thought may follow
    expect(wholeAt('{"thought": "[]"')).toEqual([]);
    expect(wholeAt('[{"thought": "", "commands": []}')).toEqual([]);
    expect(wholeAt(WRITE.replace('"commands"', '"command"'))).toEqual([]);
  });

  it.each([
    [
      'then nothing',
      (signal: AbortSignal) => new Promise<void>((_, no) => signal.addEventListener('abort', no)),
    ],
    [
      'and then breaks off',
      () => Promise.reject(new RoleZeroError('model-request', 'broken', { retryable: true })),
    ],
    ['and then ends', () => Promise.resolve()],
  ])('is used when the model writes it, %s', async (_, then) => {
    for (const written of [WRITE, `${WRITE}}`]) await expectUsed(written, then);
  });

  async function expectUsed(written: string, then: (signal: AbortSignal) => Promise<void>) {
    const { model, seen } = ending(async function* (signal) {
      yield { type: 'text-delta', text: written };
      await then(signal);
    });
    const { events, files, outcome } = await runRole(
      new RoleZero({ model, tools: editor() }),
      'Write /a.txt',
    );
    expect([outcome.status, files, seen]).toEqual([
      'done',
      { '/a.txt': 'one' },
      { calls: 2, isAborted: true },
    ]);
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
      {
        code: 'model-request',
        message: 'The model wrote a whole reply, but not its end. The reply is used.',
      },
    ]);
  }

  it('is used when the model writes blanks without an end', async () => {
    const { model } = ending(async function* () {
      yield { type: 'text-delta', text: `${WRITE}}` };
      for (;;) {
        await Promise.resolve();
        yield { type: 'text-delta', text: '\n' };
      }
    });
    const { files, events } = await runRole(new RoleZero({ model, tools: editor() }), 'Write /a.txt');
    expect(files).toEqual({ '/a.txt': 'one' });
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
  });

  it('is asked for again when it is not whole', async () => {
    const { model, seen } = ending(async function* () {
      yield { type: 'text-delta', text: WRITE.slice(0, -1) };
      await Promise.reject(new RoleZeroError('model-request', 'broken', { retryable: true }));
    });
    const { files } = await runRole(new RoleZero({ model, tools: editor() }), 'Write /a.txt');
    expect([files, seen.calls]).toEqual([{}, 2]);
  });
});

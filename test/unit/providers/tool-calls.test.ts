import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatChunk, ChatMessage, ChatRequest, ToolSpec } from '../../../src/core/model.js';
import { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import { failover } from '../../../src/providers/failover/index.js';
import { openai } from '../../../src/providers/openai/index.js';
import type { OpenAIOptions } from '../../../src/providers/openai/options.js';
import { ask, collect } from '../../fault-server/collect.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import {
  delta,
  event,
  finish,
  json,
  refusal,
  streaming,
  text,
  type Reply,
} from '../../fault-server/replies.js';

let server: FaultServer;

beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());
beforeEach(() => {
  (server.requests as unknown[]).length = 0;
});

const TOOLS: readonly ToolSpec[] = [
  {
    name: 'write',
    description: 'Writes a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'end', description: 'Ends.', parameters: { type: 'object', properties: {} } },
];
const MESSAGES: readonly ChatMessage[] = [
  { role: 'user', content: 'Go' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'a', name: 'write', args: '{"path": "/a"}' },
      { id: 'b', name: 'write', args: '{"path": "/b' },
    ],
  },
  { role: 'tool', content: 'Written.', toolCallId: 'a' },
  { role: 'tool', content: 'Incomplete.', toolCallId: 'b' },
  { role: 'user', content: 'Continue.' },
];
const ours = (options: Partial<OpenAIOptions> = {}) =>
  openai({
    baseURL: server.url,
    model: 'test-model',
    contextWindow: 8_192,
    retries: 0,
    toolCalls: true,
    ...options,
  });
const sdk = () =>
  fromAiSdk(
    createOpenAICompatible({ name: 'local', baseURL: server.url, includeUsage: true })('test-model'),
    {
      contextWindow: 8_192,
      toolCalls: true,
      retries: 0,
    },
  );
const request = (more: Partial<ChatRequest> = {}) => ask({ tools: TOOLS, toolChoice: 'auto', ...more });

interface Call {
  id: string;
  name: string;
  args: string;
}

/** Joins the pieces of calls. */
function callsIn(chunks: readonly ChatChunk[]): Call[] {
  const calls: Call[] = [];
  for (const chunk of chunks) {
    if (chunk.type !== 'tool-call') continue;
    const { index, id, name, args } = chunk;
    const known = calls[index];
    if (known === undefined) calls[index] = { id, name, args };
    else known.args += args;
  }
  return calls;
}

const of = (call: object): Reply[number] => delta({ tool_calls: [call] });
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) =>
  of({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  });
const end = finish('tool_calls');

/** What servers send for the same two calls: `write` of /a, and `end`. */
const DIALECTS: Record<string, Reply> = {
  'OpenAI: arguments in pieces, ids and names in the first': [
    streaming,
    delta({ role: 'assistant', content: null }),
    call(0, 'c1', 'write', ''),
    call(0, undefined, undefined, '{"path": '),
    call(0, undefined, undefined, '"/a"}'),
    call(1, 'c2', 'end', ''),
    call(1, undefined, undefined, '{}'),
    end,
  ],
  'vLLM: null for what does not change, a name with each piece': [
    streaming,
    of({ index: 0, id: 'c1', type: 'function', function: { name: 'write', arguments: null } }),
    of({ index: 0, id: null, function: { name: null, arguments: '{"path": ' } }),
    of({ index: 0, id: 'c1', function: { name: 'write', arguments: '"/a"}' } }),
    of({ index: 1, id: 'c2', function: { name: 'end', arguments: '{}' } }),
    end,
  ],
  'Ollama: whole calls, no index beyond 0': [
    streaming,
    call(0, 'c1', 'write', '{"path":"/a"}'),
    call(0, 'c2', 'end', '{}'),
    finish('stop'),
  ],
  'Gemini: whole calls in one piece, without an index': [
    streaming,
    delta({
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path":"/a"}' } },
        { id: 'c2', type: 'function', function: { name: 'end', arguments: '{}' } },
      ],
    }),
    finish('stop'),
  ],
  'no ids, no index': [
    streaming,
    call(undefined, undefined, 'write', '{"path":"/a"}'),
    call(undefined, undefined, 'end', '{}'),
    end,
  ],
  'no ids, index 0 for all': [
    streaming,
    call(0, undefined, 'write', '{"path":"/a"}'),
    call(0, undefined, 'end', '{}'),
    end,
  ],
  'the same id for all': [
    streaming,
    call(0, 'call', 'write', '{"path":"/a"}'),
    call(1, 'call', 'end', '{}'),
    end,
  ],
  'arguments as objects': [streaming, call(0, 'c1', 'write', { path: '/a' }), call(1, 'c2', 'end', {}), end],
  'no arguments at all for a tool without any': [
    streaming,
    call(0, 'c1', 'write', '{"path":"/a"}'),
    call(1, 'c2', 'end', undefined),
    end,
  ],
  'not streamed, with an empty content': [
    json(200, {
      choices: [
        {
          message: {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path":"/a"}' } },
              { id: 'c2', type: 'function', function: { name: 'end', arguments: '{}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  ].flat(),
  'the whole message again at the end': [
    streaming,
    call(0, 'c1', 'write', '{"path":"/a"}'),
    call(1, 'c2', 'end', '{}'),
    event({
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            tool_calls: [
              { id: 'c1', function: { name: 'write', arguments: '{"path":"/a"}' } },
              { id: 'c2', function: { name: 'end', arguments: '{}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  ],
  'pieces of both calls in turns': [
    streaming,
    call(0, 'c1', 'write', '{"path"'),
    call(1, 'c2', 'end', '{'),
    call(0, undefined, undefined, ':"/a"}'),
    call(1, undefined, undefined, '}'),
    end,
  ],
};

describe('native calls', () => {
  test.each(Object.entries(DIALECTS))('%s', async (_name, reply) => {
    server.script([reply]);
    const { chunks, error } = await collect(ours(), request());
    expect(error).toBe(null);
    const calls = callsIn(chunks);
    expect(calls.map(({ name, args }) => [name, JSON.parse(args || '{}') as unknown])).toEqual([
      ['write', { path: '/a' }],
      ['end', {}],
    ]);
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^\w{2,}$/);
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test.each(Object.keys(DIALECTS).filter((name) => /^(?:OpenAI|Gemini)/.test(name)))(
    'through the AI SDK: %s',
    async (name) => {
      server.script([DIALECTS[name] ?? []]);
      const { chunks, error } = await collect(sdk(), request());
      expect(error).toBe(null);
      expect(callsIn(chunks).map((each) => each.name)).toEqual(['write', 'end']);
      expect(callsIn(chunks)[0]).toMatchObject({ id: 'c1', name: 'write' });
      expect(JSON.parse(callsIn(chunks)[0]?.args ?? '')).toEqual({ path: '/a' });
    },
  );

  test('of a single function, as old servers write them', async () => {
    server.script([
      [
        streaming,
        delta({ function_call: { name: 'write', arguments: '{"path":' } }),
        delta({ function_call: { arguments: '"/a"}' } }),
        finish('function_call'),
      ],
    ]);
    const { chunks } = await collect(ours(), request());
    expect(callsIn(chunks)).toMatchObject([{ name: 'write', args: '{"path":"/a"}' }]);
  });

  test('come with text and reasoning, in order', async () => {
    server.script([
      [streaming, delta({ reasoning_content: 'Hm. ' }), text('I write. '), call(0, 'c1', 'end', '{}'), end],
    ]);
    const { chunks } = await collect(ours(), request());
    expect(chunks.map(({ type }) => type)).toEqual(['reasoning-delta', 'text-delta', 'tool-call', 'finish']);
  });

  test('that break off are no whole reply', async () => {
    server.script([[streaming, call(0, 'c1', 'write', '{"path": "/a')]]);
    const { error } = await collect(ours(), request());
    expect(error).toMatchObject({ code: 'model-request', detail: { retryable: true } });
  });

  test('hide the key of the request in arguments', async () => {
    const apiKey = 'sk-1234567890abcdefghij';
    server.script([
      [
        streaming,
        call(0, 'c1', 'write', `{"path": "${apiKey.slice(0, 9)}`),
        call(0, undefined, undefined, `${apiKey.slice(9)}"}`),
        end,
      ],
    ]);
    const { chunks } = await collect(ours({ apiKey }), request());
    expect(JSON.stringify(chunks)).not.toContain('sk-1234567890');
    expect(JSON.parse(callsIn(chunks)[0]?.args ?? '')).toEqual({ path: '[secret]' });
  });
});

describe('a request with tools', () => {
  const sent = (index = 0) => server.requests[index]?.body as Record<string, unknown>;
  const ok: Reply = [streaming, text('ok'), finish('stop')];

  test('has them in the form of the API, with earlier calls, results, and a valid JSON of cut arguments', async () => {
    server.script([ok, ok, ok], 'repeat');
    await collect(ours(), request({ messages: MESSAGES }));
    expect(sent()).toMatchObject({
      tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'write', arguments: '{"path":"/a"}' } },
            {
              id: 'b',
              type: 'function',
              function: { name: 'write', arguments: '{"incomplete":"{\\"path\\": \\"/b"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'Written.' },
        { role: 'tool', tool_call_id: 'b', content: 'Incomplete.' },
        { role: 'user', content: 'Continue.' },
      ],
    });
    expect(sent()).not.toHaveProperty('tool_choice');
    await collect(ours(), request({ toolChoice: 'none' }));
    expect(sent(1)).toMatchObject({ tool_choice: 'none' });
    await collect(ours({ toolCalls: 'required' }), request());
    expect(sent(2)).toMatchObject({ tool_choice: 'required' });
    await collect(ours({ toolCalls: false }), request());
    expect(sent(3)).not.toHaveProperty('tools');
  });

  test('goes through the AI SDK with the same content', async () => {
    server.script([ok]);
    const { error } = await collect(sdk(), request({ messages: MESSAGES, toolChoice: 'none' }));
    expect(error).toBe(null);
    expect(sent()).toMatchObject({
      tool_choice: 'none',
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'write' } }, { id: 'b' }] },
        { role: 'tool', tool_call_id: 'a', content: 'Written.' },
        { role: 'tool', tool_call_id: 'b', content: 'Incomplete.' },
        { role: 'user' },
      ],
    });
    expect((sent()['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual([
      'write',
      'end',
    ]);
  });

  test.each([
    [400, '"tools" is not supported with this model'],
    [400, 'registry.ollama.ai/library/gemma3:1b does not support tools'],
    [500, 'tools param requires --jinja flag'],
  ])(
    'that a server rejects (%i %s) is an error that its author can answer, and the last one',
    async (status, words) => {
      server.script([refusal(status, words), ok]);
      const model = ours();
      const both = failover(model);
      expect(both.supports?.toolCalls).toBe(true);
      const { chunks, error } = await collect(model, request());
      expect(error).toMatchObject({ code: 'model-request', detail: { rejected: 'tools' } });
      expect(chunks).toMatchObject([{ type: 'progress', warning: 'model-request' }]);
      expect(model.supports?.toolCalls).toBe(false);
      expect(both.supports?.toolCalls).toBe(false);
      await collect(model, request());
      expect(sent(1)).not.toHaveProperty('tools');
    },
  );

  test('is not streamed where a server cannot stream calls', async () => {
    server.script([
      refusal(500, 'Cannot use tools with stream'),
      json(200, {
        choices: [
          {
            message: { tool_calls: [{ id: 'c1', function: { name: 'end', arguments: '{}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ]);
    const { chunks } = await collect(ours(), request());
    expect(callsIn(chunks)).toEqual([{ id: 'c1', name: 'end', args: '{}' }]);
    expect(sent(1)).not.toHaveProperty('stream');
  });

  test('leaves out tool_choice, and a schema beside tools, where a server takes none', async () => {
    server.script([refusal(400, "tool_choice 'required' is not supported"), ok]);
    await collect(ours({ toolCalls: 'required' }), request());
    expect(sent(1)).not.toHaveProperty('tool_choice');
    server.script([refusal(400, 'Cannot use custom grammar constraints with tools.'), ok]);
    const model = ours({ jsonSchema: true });
    await collect(model, request({ toolChoice: 'none', responseSchema: { type: 'object' } }));
    expect(sent(3)).not.toHaveProperty('response_format');
    expect(model.supports?.toolCalls).toBe(true);
  });

  test('has no message of the user behind results where a server takes none', async () => {
    server.script([refusal(400, "Unexpected role 'user' after role 'tool'"), ok]);
    await collect(ours(), request({ messages: MESSAGES }));
    expect((sent(1)['messages'] as unknown[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Written.' },
      { role: 'tool', tool_call_id: 'b', content: 'Incomplete.\n\nContinue.' },
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { ChatMessage, ChatModel, ChatRequest, ToolCall } from '../../../src/core/model.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { replay } from '../../../src/testing/replay.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { RoleZero } from '../../../src/worker/index.js';

const NATIVE = { supports: { toolCalls: true } };
const WRITE = commands(['Editor.write', { path: '/a.txt', content: 'one' }]);
const READ = commands(['Editor.read', { path: '/a.txt' }]);
const DONE = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
const TASK = 'Write the file /a.txt';

/** What is wrong with the order of messages for a server: each call needs its result directly behind it, and each result its call. */
function faultsOf({ messages, tools }: ChatRequest): string[] {
  const faults: string[] = [];
  let open: ToolCall[] = [];
  for (const { role, toolCalls, toolCallId, content } of messages) {
    if (role === 'tool') {
      if (open.shift()?.id !== toolCallId) faults.push(`no call for the result ${JSON.stringify(content)}`);
    } else if (open.length > 0) faults.push(`no result for ${open.map(({ name }) => name).join()}`);
    if (role !== 'tool') open = [...(toolCalls ?? [])];
    if (toolCalls !== undefined && role !== 'assistant') faults.push(`calls in a message of the ${role}`);
  }
  if (open.length > 0) faults.push('calls at the end');
  if (tools === undefined) faults.push('no tools');
  return faults;
}

/** A model that answers with these chunks of calls, one list per request. */
function callingModel(
  replies: readonly (string | Omit<ToolCall, 'id'>[])[],
  id = 'native',
): ChatModel & { requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  return {
    id,
    contextWindow: 32_000,
    supports: { toolCalls: true },
    requests,
    async *chat(request) {
      const reply =
        request.toolChoice === 'auto'
          ? (replies[requests.filter(({ toolChoice }) => toolChoice === 'auto').length] ?? '')
          : 'Closing words.';
      requests.push(request);
      if (typeof reply === 'string') yield { type: 'text-delta', text: reply };
      else
        for (const [index, { name, args }] of reply.entries())
          yield { type: 'tool-call', index, id: `${requests.length}-${index}`, name, args };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

const rolesOf = (request: ChatRequest | undefined) => request?.messages.map(({ role }) => role).join(' ');
const resultsOf = (request: ChatRequest | undefined) =>
  request?.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));

describe('a role whose model calls tools', () => {
  it('gives it the commands as tools, and their results with the ids of the calls', async () => {
    const model = scriptedModel({ think: [WRITE, READ, DONE] }, NATIVE);
    const { requests, files, human, memory, events } = await runRole(
      new RoleZero({ model, tools: editor() }),
      TASK,
    );
    expect(files).toEqual({ '/a.txt': 'one' });
    expect(human.replies).toEqual(['Done.']);
    expect(requests.flatMap(faultsOf)).toEqual([]);
    expect(rolesOf(requests[2])).toBe('system user assistant tool user assistant tool user');
    const [system] = requests[0]?.messages ?? [];
    expect(system?.content).not.toContain('Available Commands');
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Editor_write', 'RoleZero_reply_to_human', 'end']),
    );
    expect(requests[1]?.messages[2]).toMatchObject({
      content: 'I will run Editor.write.',
      toolCalls: [{ name: 'Editor_write' }],
    });
    expect(resultsOf(requests[2])).toEqual([
      expect.stringContaining('Command Editor.write executed'),
      expect.stringContaining('one'),
    ]);
    // In memory, and for views that follow the stream, a reply looks as in the other forms.
    expect(memory.map(({ content }) => content)).toContain(WRITE.replace('\n', '\n\n'));
    const streamed = events.flatMap((event) => (event.type === 'reply-delta' ? [event.text] : [])).join('');
    expect(streamed).toContain('{"command_name": "Editor.write", "args": {"path":"/a.txt","content":"one"}}');
  });

  it('repeats earlier messages unchanged: the prompt grows at its end', async () => {
    const model = scriptedModel(
      { think: [WRITE, READ, commands(['Editor.read', { path: '/none' }]), DONE] },
      NATIVE,
    );
    const { requests } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(requests.length).toBe(4);
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index];
      expect(request.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
      expect(request.tools).toBe(before?.tools);
    }
  });

  it('answers calls that were not run, too', async () => {
    const list = commands(
      ['Editor.read', { path: '/none' }],
      ['Editor.write', { path: '/a.txt', content: 'x' }],
      ['end', {}],
    );
    const model = scriptedModel({ think: [list, DONE] }, NATIVE);
    const { requests, files } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(files).toEqual({});
    expect(requests.flatMap(faultsOf)).toEqual([]);
    expect(resultsOf(requests[1])?.length).toBe(3);
    expect(resultsOf(requests[1])?.slice(1)).toEqual(['See the next message.', 'See the next message.']);
    expect(requests[1]?.messages.at(-1)?.content).toContain('Not run: Editor.write of "/a.txt", end');
  });

  it('reads aliases, arguments in a string, and none; arguments that were cut off are not used', async () => {
    const model = callingModel([
      [{ name: 'Editor.write', args: JSON.stringify('{"path":"/a.txt","content":"a"}') }],
      [{ name: 'editor_read', args: '{"path": "/a.txt"}' }],
      [{ name: 'Editor_write', args: '{"path":"/b.txt","content":"half of' }],
      [{ name: 'Nothing_known', args: '{}' }],
      [
        { name: 'RoleZero_reply_to_human', args: '{"content":"Done."}' },
        { name: 'end', args: '' },
      ],
    ]);
    const { files, human } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(files).toEqual({ '/a.txt': 'a' });
    expect(human.replies).toEqual(['Done.']);
    const said = model.requests.map(({ messages }) => String(messages.at(-1)?.content));
    expect(said[3]).toContain('Editor.write is incomplete');
    expect(resultsOf(model.requests[4])?.at(-1)).toContain('Nothing_known');
    expect(model.requests.flatMap(faultsOf)).toEqual([]);
  });

  it('takes prose for the closing message after work, and for the answer before it', async () => {
    const model = callingModel([
      [{ name: 'Editor_write', args: '{"path":"/a.txt","content":"a"}' }],
      'The file /a.txt is written.',
    ]);
    const { outcome, human } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(outcome.status).toBe('done');
    expect(human.replies).toEqual(['The file /a.txt is written.']);
    const direct = await runRole(
      new RoleZero({ model: callingModel(['It is a fruit.']), tools: editor() }),
      'Hmm, apple: fruit or vegetable?',
    );
    expect(direct.human.replies).toEqual(['It is a fruit.']);
  });

  it('asks for the calls that prose announces', async () => {
    const model = callingModel([
      'I will write the file now.',
      [{ name: 'Editor_write', args: '{"path":"/a.txt","content":"a"}' }],
      'The file /a.txt is written.',
    ]);
    const { files, human } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(files).toEqual({ '/a.txt': 'a' });
    expect(human.replies.length).toBe(1);
    expect(String(model.requests[1]?.messages.at(-1)?.content)).toContain('calls of your tools');
  });

  it('runs commands that the model wrote as text', async () => {
    const model = callingModel([WRITE, DONE]);
    const { files, outcome } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(files).toEqual({ '/a.txt': 'one' });
    expect(outcome.status).toBe('done');
  });

  // As a model with 1.5 billion parameters wrote them, where the server does not see a call.
  it('runs calls that the model wrote as text in its own form', async () => {
    const model = callingModel([
      '{{"name": "Editor_write", "arguments": {"path": "/a.txt", "content": "one"}}}',
      'RoleZero.ask_human("Is that all?")',
      'RoleZero.reply_to_human("The file is /a.txt.")',
      '{{"name": "end"}}',
    ]);
    const { files, human, outcome } = await runRole(new RoleZero({ model, tools: editor() }), TASK, {
      answers: ['yes'],
    });
    expect(files).toEqual({ '/a.txt': 'one' });
    expect(human.questions).toEqual(['Is that all?']);
    expect(human.replies).toEqual(['The file is /a.txt.']);
    expect(outcome.status).toBe('done');
  });

  it('asks for a repeated reply again, and for the closing words, without a gap', async () => {
    const model = scriptedModel({ think: [WRITE, WRITE, commands(['end', {}])], regenerate: [READ] }, NATIVE);
    const { requests } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(requests.map(({ purpose }) => purpose)).toEqual([
      'think',
      'think',
      'regenerate',
      'think',
      'report',
    ]);
    expect(requests.flatMap(faultsOf)).toEqual([]);
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'auto', 'auto', 'none']);
  });

  it('never sends a result without its call, whatever the window and the replies', async () => {
    const reply = fc.constantFrom(
      READ,
      commands(['Editor.write', { path: '/a.txt', content: 'x'.repeat(900) }]),
      commands(['Editor.read', { path: '/none' }], ['Editor.read', { path: '/a.txt' }]),
      commands(['Editor.read', { path: '/a.txt' }], ['Editor.search_dir', { search_term: 'x' }]),
      'What is this?',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 3, maxLength: 14 }),
        fc.integer({ min: 7_000, max: 12_000 }),
        async (replies, contextWindow) => {
          const requests: ChatRequest[] = [];
          const model: ChatModel = {
            id: 'native',
            contextWindow,
            supports: { toolCalls: true },
            async *chat(request) {
              requests.push(request);
              const scripted = scriptedModel(
                [request.toolChoice === 'auto' ? (replies.shift() ?? DONE) : 'Words.'],
                NATIVE,
              );
              yield* scripted.chat(request);
            },
          };
          await runRole(
            new RoleZero({ model, tools: editor(), preset: 'full' }),
            `${TASK} ${'with much in it '.repeat(30)}`,
          );
          expect(
            requests.filter(({ purpose }) => purpose !== 'compact' && purpose !== 'repair').flatMap(faultsOf),
          ).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('native calls', () => {
  const open = (storage: ReturnType<typeof memoryStorage>, model: ChatModel) =>
    Session.open({
      roles: [new RoleZero({ name: 'Zero', model, tools: editor() })],
      storage,
      name: 's',
      emit: () => {},
      askUser: async () => 'yes',
    });

  it('stay the same after the session was opened again, and in a replay', async () => {
    const storage = memoryStorage();
    const first = scriptedModel({ think: [WRITE, DONE] }, NATIVE);
    const session = await open(storage, first);
    await (
      await session.send(TASK)
    ).result;
    await session.close();
    const second = scriptedModel({ think: [READ, DONE] }, NATIVE);
    const again = await open(storage, second);
    await (
      await again.send('Read the file /a.txt')
    ).result;
    const last = first.requests.at(-1)?.messages ?? [];
    expect(second.requests[0]?.messages.slice(0, last.length)).toEqual(last);
    expect(second.requests.flatMap(faultsOf)).toEqual([]);
    await again.close();
    const { differences } = await replay(await storage.export('s'), (model) => ({
      roles: [new RoleZero({ name: 'Zero', model: model('Zero', NATIVE), tools: editor() })],
    }));
    expect(differences).toEqual([]);
  });

  it('are text for another model that takes none', async () => {
    const storage = memoryStorage();
    const session = await open(storage, scriptedModel({ think: [WRITE, DONE] }, NATIVE));
    await (
      await session.send(TASK)
    ).result;
    await session.close();
    const plain = scriptedModel({ think: [READ, DONE] });
    const again = await open(storage, plain);
    await (
      await again.send('Read the file /a.txt')
    ).result;
    await again.close();
    const messages: readonly ChatMessage[] = plain.requests[0]?.messages ?? [];
    expect(messages.every(({ role, toolCalls }) => role !== 'tool' && toolCalls === undefined)).toBe(true);
    expect(String(messages[2]?.content)).toMatch(
      /^I will run Editor\.write\.\n\n```json\n\[\n {4}\{"command_name": "Editor_write"/,
    );
    expect(String(messages[3]?.content)).toContain('Command Editor.write executed');
    expect(plain.requests[0]?.tools).toBeUndefined();
  });

  it('are given up when the server rejects them: the same step is asked for in text', async () => {
    const supports = { toolCalls: true };
    const requests: ChatRequest[] = [];
    const script = scriptedModel({ think: [WRITE, DONE] });
    const model: ChatModel = {
      id: 'rejects',
      contextWindow: 32_000,
      supports,
      async *chat(request) {
        requests.push(request);
        if (request.tools !== undefined) {
          supports.toolCalls = false;
          throw new RoleZeroError('model-request', 'no tools here', { rejected: 'tools' });
        }
        yield* script.chat(request);
      },
    };
    const { files, outcome } = await runRole(new RoleZero({ model, tools: editor() }), TASK);
    expect(outcome.status).toBe('done');
    expect(files).toEqual({ '/a.txt': 'one' });
    expect(requests[0]?.tools).toBeDefined();
    expect(String(requests[1]?.messages[0]?.content)).toContain('Available Commands');
  });
});

it('a server that lets the model call commands in a direct answer gets the request as work', async () => {
  const requests: ChatRequest[] = [];
  const answer = { name: 'RoleZero_reply_to_human', args: '{"content":"It is a loop."}' };
  const model: ChatModel = {
    id: 'ignores-tool-choice',
    contextWindow: 32_000,
    supports: { toolCalls: true },
    async *chat(request) {
      requests.push(request);
      yield { type: 'text-delta', text: 'I will answer the user.' };
      yield { type: 'tool-call', index: 0, id: `${requests.length}-0`, ...answer };
      if (request.toolChoice === 'auto')
        yield { type: 'tool-call', index: 1, id: `${requests.length}-1`, name: 'end', args: '{}' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const { outcome, events } = await runRole(new RoleZero({ model }), 'Explain it', { files: {} });
  expect(requests.map(({ purpose }) => purpose)).toEqual(['quick', 'think']);
  expect(requests.flatMap(faultsOf)).toEqual([]);
  expect(outcome.status).toBe('done');
  const ran = events.flatMap((event) => (event.type === 'command-end' ? [event.name] : []));
  expect(ran).toEqual(['RoleZero.reply_to_human', 'end']);
});

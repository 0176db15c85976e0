import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { strToU8, zipSync } from 'fflate';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import type { AgentEvent } from '../../../src/core/events.js';
import { UserMessage } from '../../../src/core/message.js';
import type { ChatChunk, ChatMessage, ChatModel, ToolCall, ToolSpec } from '../../../src/core/model.js';
import type { Storage, Write } from '../../../src/core/store.js';
import type { OutputSchema } from '../../../src/core/output.js';
import type { Tool } from '../../../src/core/tool.js';
import type { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import type { traceSession } from '../../../src/otel/index.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { storageContract } from '../../contracts/storage-contract.js';
import { descriptions } from '../../../docs/.vitepress/pages.js';
import { documents, exportsOf, read } from './snippets.js';

type TracedSession = Parameters<typeof traceSession>[0];

const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);

type RoleOf = (model: ChatModel) => RoleZero;
const roleOf = async (document: string, name: string): Promise<RoleOf> => {
  const exported = await exportsOf<Record<string, RoleOf>>(document, `export const ${name} =`);
  return exported[name] as RoleOf;
};

/** Runs a role with these model replies. */
const runs = (role: RoleOf, think: readonly string[], files: Record<string, string> = {}) =>
  runRole(role(scriptedModel({ think, other: 'In short.' })), 'Do it.', { files });

/** Outputs of commands by name. */
const outputs = ({ events }: Awaited<ReturnType<typeof runRole>>): Record<string, string> =>
  Object.fromEntries(
    events.flatMap((event) => (event.type === 'command-end' ? [[event.name, event.output]] : [])),
  );

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the pages of docs', () => {
  it('are all in the index of their folder, and it names nothing else', () => {
    const named = [...descriptions().keys()];
    const pages = documents.filter((name) => name.startsWith('docs/') && name !== 'docs/README.md');
    expect(named.toSorted()).toEqual(pages.toSorted());
  });

  it('describe every module', () => {
    const rooms = readdirSync(fileURLToPath(new URL('../../../src', import.meta.url)), {
      withFileTypes: true,
    }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const table = read('docs/architecture.md').matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm);
    const reported = [...table].flatMap(([, cell = '']) => cell.split(', ').map((name) => name.slice(1, -1)));
    expect(rooms.filter((room) => !reported.includes(room))).toEqual([]);
  });

  it('show a component that Vue can compile, template included', () => {
    const [, source = ''] = /^```vue\n([^]*?)^```$/m.exec(read('docs/start.md')) ?? [];
    const { descriptor, errors } = parse(source);
    expect(errors).toEqual([]);
    const { content } = compileScript(descriptor, { id: 'agent', inlineTemplate: true });
    expect(content).toContain('Write a 2048 game');
  });
});

describe('samples of the how-to pages', () => {
  it('a tool with an external effect uses its call id', async () => {
    const { order } = await exportsOf<{ order: Tool }>('docs/how-to/tools.md', 'export const order');
    const sent: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      sent.push(init);
      return sent.length === 1 ? Response.json({ ordered: 2 }) : new Response('', { status: 404 });
    });
    const { RoleZero } = await import('../../../src/agent/role-zero.js');
    const ordering = commands(['Shop.order', { article: 'A1', count: 2 }]);
    const done = await runs(
      (model) => new RoleZero({ model, tools: [order] }),
      [ordering, commands(['Shop.order', { article: '?' }]), say('Ordered.')],
    );
    const [first, second] = sent.map(({ headers }) => (headers as Record<string, string>)['idempotency-key']);
    expect([sent[0]?.body, first === second, first]).toEqual([
      '{"article":"A1","count":2}',
      false,
      expect.stringMatching(/./),
    ]);
    expect(outputs(done)['Shop.order']).toContain('The shop answered 404. Check the article number.');
  });

  it('a tool asks the model', async () => {
    const done = await runs(
      await roleOf('docs/how-to/tools.md', 'librarian'),
      [commands(['Text.summarize', { path: '/a.txt' }]), say('There.')],
      { '/a.txt': 'A long story.' },
    );
    expect(outputs(done)['Text.summarize']).toBe('Command Text.summarize executed: In short.');
  });

  it.each([
    ['memory', 'rememberer'],
    ['browser', 'builder'],
    ['approvals', 'thrifty'],
  ])('%s shows a role', async (page, name) => {
    const done = await runs(await roleOf(`docs/how-to/${page}.md`, name), [say('Done.')]);
    expect([done.outcome.status, done.human.replies]).toEqual(['done', ['Done.']]);
  });

  it('a sub-agent does research for a role', async () => {
    const task = commands(['Subagent.run', { task: 'Find the height of /tower.txt.' }]);
    const read = commands(['Editor.read', { path: '/tower.txt' }]);
    const done = await runs(
      await roleOf('docs/how-to/sub-agents.md', 'researcher'),
      [task, read, say('330 m, says /tower.txt.'), say('It is 330 m high.')],
      { '/tower.txt': 'The tower is 330 m high.' },
    );
    expect(outputs(done)['Subagent.run']).toBe('Command Subagent.run executed: 330 m, says /tower.txt.');
    expect(done.human.replies).toEqual(['It is 330 m high.']);
  });

  it('a request gives a typed answer', async () => {
    const { reviewed } = await exportsOf<{
      reviewed: (session: { send: unknown }, path: string) => Promise<unknown>;
    }>('docs/how-to/typed-answers.md', 'export async function reviewed');
    const { RoleZero } = await import('../../../src/agent/role-zero.js');
    const { Session } = await import('../../../src/session/session.js');
    const { Outputs } = await import('../../../src/core/outputs.js');
    const session = await Session.open({
      storage: memoryStorage(),
      name: 'review',
      roles: [
        new RoleZero({
          model: scriptedModel({ think: say('Read.'), output: '{"grade": 2, "problems": []}' }),
        }),
      ],
      askUser: null,
      emit: () => {},
    });
    const outputs = new Outputs();
    const send = (text: string, { output }: { output: OutputSchema }) => ({
      result: async () => (await session.send(text, { output: outputs.add(output).wanted })).result,
    });
    expect(await reviewed({ send }, '/essay.md')).toEqual({ grade: 2, problems: [] });
  });

  it('a request has attached files', async () => {
    const { explain } = await exportsOf<{
      explain: (session: { send: unknown }, picked: File[]) => Promise<string>;
    }>('docs/how-to/files.md', 'export async function explain');
    const { RoleZero } = await import('../../../src/agent/role-zero.js');
    const { attachFiles } = await import('../../../src/client/attachments.js');
    const model = scriptedModel({ think: say('It greets.') });
    const session = await Session.open({
      storage: memoryStorage(),
      name: 'files',
      roles: [new RoleZero({ model })],
      askUser: async () => null,
      emit: () => {},
    });
    const send = (text: string, { files }: { files: File[] }) => ({
      result: async () => {
        const options = { files: session.files, readers: [], trusted: false, warn: () => {} };
        return (await session.send(text, { attached: await attachFiles(files, options) })).result;
      },
    });
    expect(await explain({ send }, [new File(['Hello'], 'a.txt', { type: 'text/plain' })])).toBe(
      'It greets.',
    );
    expect(await session.files.read('/uploads/a.txt')).toBe('Hello');
    expect(model.requests[0]?.messages.at(-1)?.content).toContain('/uploads/a.txt (text/plain, 5 bytes)');
  });

  it('a skill of a zip is installed and loaded', async () => {
    const { clerk, install } = await exportsOf<{
      clerk: RoleOf;
      install: (session: Pick<Session, 'files'>, zip: Blob) => Promise<void>;
    }>('docs/how-to/skills.md', 'export async function install');
    const model = scriptedModel({ think: [commands(['Skill.load', { name: 'notes' }]), say('Noted.')] });
    const storage = memoryStorage();
    const results: string[] = [];
    const session = await Session.open({
      storage,
      name: 'skills',
      roles: [clerk(model)],
      askUser: null,
      emit: (event) => {
        if (event.type === 'command-end') results.push(event.output);
      },
    });
    const skill = '---\nname: notes\ndescription: Takes notes.\n---\nWrite short notes.\n';
    const zip = zipSync({ 'notes/SKILL.md': strToU8(skill) });
    await install(session, new Blob([new Uint8Array(zip)]));
    await (
      await session.send('Take notes of the meeting in /a.md')
    ).result;
    expect(results[0]).toBe('Command Skill.load executed: Write short notes.');
    expect((await session.files.stat('/skills/notes/SKILL.md'))?.untrusted).toBeUndefined();
  });

  it('the spans of a session reach an exporter', async () => {
    const { observe } = await exportsOf<{
      observe: (session: TracedSession, exporter: SpanExporter) => () => Promise<void>;
    }>('docs/how-to/tracing.md', 'export function observe');
    const received: string[] = [];
    const exporter: SpanExporter = {
      export(spans, done) {
        received.push(...spans.map(({ name }) => name));
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    };
    const listeners: ((event: AgentEvent) => void)[] = [];
    const close = observe({ name: 's', on: (listener) => (listeners.push(listener), () => {}) }, exporter);
    const emit = (event: AgentEvent) => listeners.forEach((listener) => listener(event));
    emit({ type: 'run-start', runId: 'r', request: 'Go', resumed: false });
    emit({ type: 'run-end', runId: 'r', status: 'done', summary: '', error: null });
    await close();
    expect(received).toEqual(['invoke_workflow']);
  });

  it('a role takes notes, and the user corrects them', async () => {
    type Notes = Pick<Session, 'notes'> & { on: unknown };
    const { assistant } = await exportsOf<{
      assistant: (model: ChatModel, mayTakeNotes: boolean) => RoleZero;
    }>('docs/how-to/notes.md', 'export const assistant');
    const { tidy } = await exportsOf<{ tidy: (session: Notes) => Promise<void> }>(
      'docs/how-to/notes.md',
      'export async function tidy',
    );
    const write = commands(['Notes.write', { kind: 'fact', text: 'The office is in Oslo.' }]);
    const session = await Session.open({
      storage: memoryStorage(),
      name: 'noting',
      roles: [assistant(scriptedModel({ think: [write, say('Noted.')] }), true)],
      askUser: null,
      emit: () => {},
    });
    await (
      await session.send('Remember in which city the office in /office.md is')
    ).result;
    vi.stubGlobal('confirm', (text: string) => text === 'Correct the note? The office is in Oslo.');
    await tidy({ notes: session.notes, on: () => {} });
    const texts = (await session.notes.list()).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['Answer in German.', 'The office is in Bergen.']);
  });

  it('sessions share memories and notes by name', async () => {
    const { colleague } = await exportsOf<{ colleague: (model: ChatModel, project: string) => RoleZero }>(
      'docs/how-to/memory.md',
      'export const colleague',
    );
    const storage = memoryStorage();
    const open = (name: string) =>
      Session.open({
        storage,
        name,
        roles: [colleague(scriptedModel({}), 'the shop')],
        askUser: null,
        emit: () => {},
      });
    const [one, other] = [await open('one'), await open('other')];
    await one.notes.write({ kind: 'decision', text: 'We use SVG icons.' });
    expect((await other.notes.list()).map(({ text }) => text)).toEqual(['We use SVG icons.']);
    const message = new UserMessage('The logo is a fish.').toData();
    const items = [{ id: message.id, role: '', project: '', createdAt: 0, message }];
    await one.memory.import({ format: 'rolezero-memory', version: 1, items });
    expect(await other.memory.search('logo')).toMatchObject([
      { shared: { name: 'the shop', session: 'one' } },
    ]);
  });

  it('memories are saved and then removed when the disk is nearly full', async () => {
    type Page = Pick<Session, 'memory'> & {
      on: (listener: (event: AgentEvent) => Promise<void>) => void;
      files: object;
    };
    const { offerRoom } = await exportsOf<{ offerRoom: (session: Page) => void }>(
      'docs/how-to/memory.md',
      'export function offerRoom',
    );
    const archived: unknown[] = [];
    const link = { click: vi.fn(), href: '', download: '' };
    vi.stubGlobal('document', { createElement: () => link });
    vi.stubGlobal(
      'confirm',
      (text: string) => text === 'Is memories.json saved? Then 1 memories are removed here.',
    );
    let listener: ((event: AgentEvent) => Promise<void>) | undefined;
    const forgetHistory = vi.fn(async () => 0);
    const memory = {
      archive: async (options: object, keep: (archive: { items: string[] }) => boolean) =>
        archived.push(options, keep({ items: ['the first'] })),
    } as unknown as Session['memory'];
    offerRoom({ memory, files: { forgetHistory }, on: (given) => (listener = given) });
    await listener?.({ type: 'warning', code: 'invalid', message: '', detail: {} });
    expect(archived).toEqual([]);
    await listener?.({ type: 'warning', code: 'storage-low', message: '', detail: {} });
    expect([archived, link.download, link.click.mock.calls.length, forgetHistory.mock.calls.length]).toEqual([
      [{ oldest: 500 }, true],
      'memories.json',
      1,
      1,
    ]);
  });

  it('a budget counts without a price from the model', async () => {
    const thrifty = await roleOf('docs/how-to/approvals.md', 'thrifty');
    const usage = (await runs(thrifty, [say('Done.')])).events.findLast(({ type }) => type === 'usage');
    expect(usage?.type === 'usage' ? usage.total.costUsd : 0).toBeGreaterThan(0);
  });

  it('a role has its own command', async () => {
    const { Scout } = await exportsOf<{ Scout: new (options: RoleZeroOptions) => RoleZero }>(
      'docs/how-to/roles.md',
      'export class Scout',
    );
    const done = await runs(
      (model) => new Scout({ model }),
      [commands(['Scout.survey', {}]), say('That is all.')],
      { '/a.txt': 'hello' },
    );
    expect(outputs(done)['Scout.survey']).toBe('Command Scout.survey executed: /a.txt 5');
  });

  it('models: tools, calls and results in the form of the OpenAI API', async () => {
    const { toolOf, messageOf, chunkOf } = await exportsOf<{
      toolOf: (tool: ToolSpec) => unknown;
      messageOf: (message: ChatMessage) => unknown;
      chunkOf: (index: number, call: ToolCall) => ChatChunk;
    }>('docs/how-to/models.md', 'toolOf = (');
    const tool = { name: 'write', description: 'Writes.', parameters: {} };
    const call = { id: 'c1', name: 'write', args: '{}' };
    expect([
      toolOf(tool),
      messageOf({ role: 'assistant', content: '', toolCalls: [call] }),
      messageOf({ role: 'tool', content: 'Done.', toolCallId: 'c1' }),
      chunkOf(0, call),
    ]).toEqual([
      { type: 'function', function: tool },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write', arguments: '{}' } }],
      },
      { role: 'tool', content: 'Done.', tool_call_id: 'c1' },
      { type: 'tool-call', index: 0, ...call },
    ]);
  });

  it('a custom provider works', async () => {
    const { plainText } = await exportsOf<{ plainText: (url: string) => ChatModel }>(
      'docs/how-to/models.md',
      'plainText(url',
    );
    const answers = [new Response('Grüße!'), new Response('', { status: 500 })];
    vi.stubGlobal('fetch', async () => answers.shift());
    const ask = async (): Promise<ChatChunk[]> => {
      const { signal } = new AbortController();
      const chunks: ChatChunk[] = [];
      for await (const chunk of plainText('/chat').chat({ purpose: 'other', messages: [], signal }))
        chunks.push(chunk);
      return chunks;
    };
    expect(await ask()).toEqual([
      { type: 'text-delta', text: 'Grüße!' },
      { type: 'finish', reason: 'stop' },
    ]);
    await expect(ask()).rejects.toMatchObject({ code: 'model-request', detail: { url: '/chat' } });
  });
});

const { mirrored } = await exportsOf<{
  mirrored: (storage: Storage, send: (session: string, writes: readonly Write[]) => void) => Storage;
}>('docs/how-to/sessions.md', 'export function mirrored');

storageContract('the storage of the sample', {
  fresh: async (now) => {
    const place = memoryStorage({ now });
    const storage = mirrored(place, () => {});
    return { storage, elsewhere: () => mirrored(place, () => {}) };
  },
  runs: 20,
  shares: false,
});

it('the storage of the sample reports what is stored', async () => {
  const reported: [string, readonly Write[]][] = [];
  const store = await mirrored(memoryStorage(), (...args) => reported.push(args)).open('a');
  const write: Write = { table: 'inbox', key: 'Zero/1', value: 1 };
  await store.commit([write], [1, 2, 3, 4]);
  expect(reported).toEqual([['a', [write]]]);
});

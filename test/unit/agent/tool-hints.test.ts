import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool, ToolHints } from '../../../src/core/tool.js';
import { commands, runRole, scriptedModel, type Script } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const DONE = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);

/** The document tools of an application, which no file of the library names. */
const read: Tool = defineTool({
  name: 'Docs.show',
  description: 'Shows a document.',
  input: z.object({ path: z.string() }),
  effect: 'pure',
  hints: { file: 'read', readFirst: true },
  run: ({ path }, { files }) => files.read(path),
});
const write = (name: string, file: ToolHints['file']): Tool =>
  defineTool({
    name,
    description: 'Changes a document.',
    input: z.object({ path: z.string(), content: z.string() }),
    staged: true,
    hints: { ...(file && { file }), changes: 'visible' },
    run: ({ path, content }, { files }) => files.write(path, content),
  });
const DOCS = [
  read,
  write('Docs.save', 'write'),
  write('Docs.extend', 'append'),
  write('Docs.amend', 'replace'),
];

/** A tool that returns what it is given. */
const echo = (hints: ToolHints = {}, name = 'Echo.say'): Tool =>
  defineTool({
    name,
    description: 'Says something. For greetings.',
    input: z.object({ text: z.string() }),
    hints,
    run: ({ text }) => text,
  });
const say = (text: string, name = 'Echo.say') => commands([name, { text }]);

function roleOf(think: Script, options: RoleZeroOptions): RoleZero {
  return new RoleZero({ model: scriptedModel(think), preset: 'full', summarize: false, ...options });
}

const endsOf = (requests: readonly { messages: readonly { content: unknown }[] }[]) =>
  requests.map(({ messages }) => String(messages.at(-1)?.content).split('\n\n').at(-1)?.trim());

describe('the hints of an own tool', () => {
  it('let the advice for a small model name it, as it names the commands of the editor', async () => {
    const think = [
      commands(['Docs.show', { path: '/a.txt' }]),
      commands(['Docs.amend', { path: '/a.txt', content: '1\n' }]),
      DONE,
    ];
    const role = roleOf({ think }, { tools: DOCS, preset: 'small' });
    const { requests } = await runRole(role, 'In /a.txt, write the numbers as figures.', {
      files: { '/a.txt': 'one\n' },
    });
    const [first, second] = endsOf(requests);
    expect(first).toBe('First read /a.txt with Docs.show, alone.');
    expect(second).toContain('with Docs.amend, Docs.save or Docs.extend.');
    const missing = await runRole(
      roleOf({ think: [say('x'), DONE] }, { tools: [...DOCS, echo()], preset: 'small' }),
      'Write the text to /new.txt.',
    );
    expect(endsOf(missing.requests)[1]).toContain('with Docs.save: there is no /new.txt yet.');
  });

  it('let the advice name all commands that do work, where none is for files', async () => {
    const role = roleOf({ think: [say('x'), DONE] }, { tools: [echo()], preset: 'small' });
    const { requests } = await runRole(role, 'Write the text to /new.txt.');
    expect(endsOf(requests)).toEqual([
      expect.not.stringMatching(/Editor/),
      expect.stringContaining('with Echo.say.'),
    ]);
  });

  it('keep a small model from commands that it wrote without the result of another', async () => {
    const think = [
      commands(['Docs.show', { path: '/a.txt' }], ['Docs.save', { path: '/a.txt', content: 'guessed' }]),
      DONE,
      DONE, // it insists that nothing is to be changed
    ];
    const files = { '/a.txt': 'one\n' };
    const small = await runRole(roleOf({ think }, { tools: DOCS, preset: 'small' }), 'Change /a.txt.', {
      files,
    });
    expect(small.files).toEqual(files);
    expect(small.memory.map(({ content }) => content).join('\n')).toContain('Not run: Docs.save');
    const full = await runRole(roleOf({ think }, { tools: DOCS }), 'Change /a.txt.', { files });
    expect(full.files).toEqual({ '/a.txt': 'guessed' });
  });

  it('give it a place and a description in the list for a small model, or leave it out', async () => {
    const tools = [
      ...editor(),
      echo({}, 'Echo.last'),
      echo({ small: { description: 'Briefly.', place: 0 } }, 'Echo.first'),
      echo({ small: false }, 'Echo.hidden'),
    ];
    const role = roleOf({ think: [say('x', 'Echo.hidden'), DONE] }, { tools, preset: 'small' });
    const { requests, memory } = await runRole(role, 'Write the page /index.html');
    const system = String(requests[0]?.messages[0]?.content);
    const lines = system.split('\n').filter((line) => /^[A-Z]\w+\.\w+\(|^end\(/.test(line));
    expect([lines[0], lines.at(-1)]).toEqual([
      'Echo.first(text: string): Briefly.',
      'Echo.last(text: string): Says something. For greetings.',
    ]);
    expect(system).not.toContain('Echo.hidden');
    expect(memory.map(({ content }) => content)).toContain('Command Echo.hidden executed: x');
  });

  it('make its result the observation as it is', async () => {
    const tools = [echo({ rawResult: true }, 'Echo.raw'), echo()];
    const think = [
      commands(['Echo.raw', { text: '' }], ['Echo.say', { text: '' }], ['Echo.raw', { text: 'x' }]),
      DONE,
    ];
    const { memory } = await runRole(roleOf({ think }, { tools }), 'Write the page /index.html');
    expect(memory.map(({ content }) => content)).toContain(
      'Command Echo.raw executed:\n\nCommand Echo.say executed: ""\n\nCommand Echo.raw executed:x',
    );
  });

  it.each([
    ['any request', undefined, 'What is the capital of France?', ['think']],
    ['work', 'work', 'What is the capital of France?', ['quick']],
    ['a search', 'search', 'What is the capital of France?', ['think']],
  ] as const)('decide who classifies a question: it is for %s', async (_, neededFor, request, expected) => {
    const tools = [echo(neededFor && { neededFor })];
    const role = roleOf({ quick: ['Paris.'], think: [DONE] }, { tools });
    const { requests } = await runRole(role, request);
    expect(requests.map(({ purpose }) => purpose)).toEqual(expected);
  });

  it('decide whether the same command can be useful after another one', async () => {
    const look = commands(['Docs.show', { path: '/a.txt' }]);
    const purposes = async (hints: ToolHints) => {
      const think = [look, say('x'), look, DONE];
      const role = roleOf({ think, regenerate: [DONE] }, { tools: [read, echo(hints)] });
      const { requests } = await runRole(role, 'Look at /a.txt twice', { files: { '/a.txt': 'one\n' } });
      return requests.map(({ purpose }) => purpose);
    };
    expect(await purposes({ changes: 'always' })).not.toContain('regenerate');
    expect(await purposes({ changes: 'visible' })).toContain('regenerate');
  });

  it('decide which claims of the model are checked', async () => {
    const claim = async (hints: ToolHints) => {
      const think = [
        say('x'),
        commands(['RoleZero.reply_to_human', { content: 'All tests pass.' }], ['end', {}]),
        DONE,
      ];
      const { memory } = await runRole(
        roleOf({ think }, { tools: [echo(hints)] }),
        'Write the page /index.html',
      );
      return memory.some(({ content }) => content.includes('This has not happened.'));
    };
    expect(await claim({ changes: 'visible' })).toBe(true);
    expect(await claim({ changes: 'visible', tests: true })).toBe(false);
    expect(await claim({})).toBe(false);
  });

  it.each([
    [{ reads: true }, '`hints` of the tool Echo.say has no option reads'],
    [{ file: 'delete' }, '`file` of `hints` of the tool Echo.say'],
    [{ small: true }, 'has as `hints.small` true'],
  ])('are checked where the tool is declared: %j', (hints, message) => {
    expect(() => echo(hints as ToolHints)).toThrow(message);
  });
});

import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { InputSchema } from '../../../src/core/input-schema.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { ToolRegistry } from '../../../src/tools/registry.js';

// cspell:ignore contentt

const write = defineTool({
  name: 'Notes.write',
  description: 'Write a note.',
  input: z.object({ path: z.string(), size: z.number().optional() }),
  aliases: { file_path: 'path', filename: 'path' },
  run: () => undefined,
});

const resolve = (name: string, args: Record<string, never> | Record<string, string | number>) =>
  new ToolRegistry([write]).resolve({ name, args });

describe('the registry of commands', () => {
  it('returns the tool and its validated input', () => {
    expect(resolve('Notes.write', { path: '/a' })).toEqual({ ok: true, tool: write, input: { path: '/a' } });
  });

  it('maps aliases of an argument, and prefers the real name', () => {
    expect(resolve('Notes.write', { file_path: '/a' })).toMatchObject({ ok: true, input: { path: '/a' } });
    expect(resolve('Notes.write', { filename: '/b', path: '/a' })).toEqual({
      ok: false,
      reason: 'input',
      advice:
        'Notes.write has no argument "filename". Its arguments are path (string), size (number, optional).',
    });
  });

  it('names what is missing, wrong or unknown', () => {
    expect(resolve('Notes.write', {})).toMatchObject({
      advice:
        'Invalid arguments for Notes.write: "path" is missing. Its arguments are path (string), size (number, optional).',
    });
    expect(resolve('Notes.write', { path: '/a', size: 'big' })).toMatchObject({
      advice:
        'Invalid arguments for Notes.write: "size": Invalid input: expected number, received string. Its arguments are path (string), size (number, optional).',
    });
    expect(resolve('Notes.write', { path: '/a', color: 'red' })).toMatchObject({
      advice:
        'Notes.write has no argument "color". Its arguments are path (string), size (number, optional).',
    });
  });

  const json = {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  } as const;
  it.each([
    ['an object that drops others', z.object({ path: z.string(), content: z.string() })],
    ['a strict object', z.strictObject({ path: z.string(), content: z.string() })],
    ['a JSON Schema', json],
  ] as const)('names the argument that a wrong name may mean (%s)', (_kind, input) => {
    const tool = defineTool({ name: 'Notes.add', description: '', input, run: () => undefined });
    const registry = new ToolRegistry([tool]);
    expect(registry.resolve({ name: 'Notes.add', args: { path: '/a', contentt: 'x', zoom: 1 } })).toEqual({
      ok: false,
      reason: 'input',
      advice: expect.stringMatching(
        /^Invalid arguments for Notes\.add: (?:"content" is missing|arguments: has no property "content", which is required)\. Notes\.add has no argument "contentt" \(did you mean "content"\?\), "zoom"\. Its arguments are /,
      ) as string,
    });
  });

  it('finds the only command that a name can mean, whatever its case, separators, prefix and group', () => {
    const tools = ['Notes.write', 'Mail.send', 'Mail.write', 'end'].map((name) => ({ ...write, name }));
    const registry = new ToolRegistry(tools).alias('post', 'Mail.send');
    const meant = (name: string) => registry.meant(name)?.name;
    expect(
      ['notes.write', 'NOTES_WRITE', 'Notes::write', 'functions.Notes.write', 'NotesWrite'].map(meant),
    ).toEqual(Array(5).fill('Notes.write'));
    expect(['End', 'send', 'Post', 'write', 'Notes.writes', ''].map(meant)).toEqual(
      ['end', 'Mail.send', 'Mail.send', undefined, undefined, undefined], // two commands are named `write`
    );
  });

  it('accepts common names of arguments, and ignores an unknown one only where it has no effect', () => {
    const input = z.object({ path: z.string(), content: z.string() });
    const tool = defineTool({ name: 'Notes.add', description: '', input, run: () => undefined });
    const registry = new ToolRegistry([tool, { ...tool, name: 'Notes.look', effect: 'pure' }]);
    const advice = (args: Record<string, string | boolean>, name = 'Notes.add') => {
      const resolved = registry.resolve({ name, args });
      return resolved.ok ? [resolved.input, resolved.note ?? ''] : resolved.advice.split('.')[1];
    };
    const whole = { path: '/a', content: 'x' };
    expect(advice({ filePath: '/a', text: 'x' })).toEqual([whole, '']);
    expect(advice({ ...whole, encoding: 'utf-8' })).toEqual([
      whole,
      'It has no argument "encoding", which was ignored.',
    ]);
    expect(advice({ ...whole, append: false })).toEqual([
      whole,
      'It has no argument "append", which was ignored.',
    ]);
    expect(advice({ ...whole, append: true })).toContain('add has no argument "append"');
    expect(advice({ ...whole, overwrite: false })).toContain('add has no argument "overwrite"');
    expect(advice({ ...whole, append: true }, 'Notes.look')).toEqual([
      whole,
      'It has no argument "append", which was ignored.',
    ]);
  });

  it.each([
    ['write_file', 'Editor.write'],
    ['bash', 'Terminal.run_command'],
    ['attempt_completion', 'end'],
  ])('suggests what other agents call %s', (name, meant) => {
    const registry = new ToolRegistry(
      ['Editor.write', 'Terminal.run_command', 'end'].map((each) => ({ ...write, name: each })),
    );
    expect(registry.resolve({ name, args: {} })).toMatchObject({
      advice: expect.stringContaining(`Did you mean ${meant}?`) as string,
    });
  });

  it('suggests similar names for an unknown command, else lists all', () => {
    const registry = new ToolRegistry([write, { ...write, name: 'Mail.send' }]);
    const advice = (name: string) => registry.resolve({ name, args: {} });
    expect(advice('Notes.read')).toMatchObject({
      reason: 'unknown',
      advice: 'There is no command "Notes.read". Did you mean Notes.write? Use one of: Notes.write.',
    });
    expect(advice('send')).toMatchObject({
      advice: 'There is no command "send". Did you mean Mail.send? Use one of: Mail.send.',
    });
    expect(advice('fly')).toMatchObject({
      advice: 'There is no command "fly". Use one of: Notes.write, Mail.send.',
    });
  });

  it('rejects a tool whose address is not one of its arguments', () => {
    const reading = (address: string, input: InputSchema = z.object({ url: z.string() })) =>
      new ToolRegistry([
        { name: 'Web.read', description: 'Read.', aliases: { link: 'url' }, input, address, run: () => '' },
      ]).names;
    const answers = (name: string) =>
      `The \`address\` of Web.read names the argument "${name}", which does not exist. Its arguments are`;
    expect(() => reading('where')).toThrow(
      expect.objectContaining({ code: 'invalid', message: `${answers('where')} url.` }),
    );
    expect(() => reading('link')).toThrow(`${answers('link')} url.`); // The tool receives it under its real name.
    expect(() => reading('constructor')).toThrow(`${answers('constructor')} url.`);
    expect(() => reading('url', z.object({}))).toThrow(`${answers('url')} none.`);
    expect(reading('url')).toEqual(['Web.read']);
    const open = [
      z.looseObject({}),
      z.record(z.string(), z.string()),
      z.object({}).transform(() => ({ url: '' })),
    ];
    for (const input of open) expect(reading('url', input)).toEqual(['Web.read']);
  });

  it('resolves the aliases of a tool', () => {
    const registry = new ToolRegistry([write])
      .alias('note', 'Notes.write')
      .alias('jot', 'Notes.write')
      .alias('x', 'y');
    expect([registry.aliasesOf('Notes.write'), registry.aliasesOf('note')]).toEqual([['note', 'jot'], []]);
  });

  it('keeps the first tool of a name, and rejects an invalid name', () => {
    const registry = new ToolRegistry([write, { ...write, description: 'another' }]);
    expect(registry.get('Notes.write')?.description).toBe('Write a note.');
    expect(() => registry.register({ ...write, name: 'no name' })).toThrow(/not a tool name/);
    expect(() => registry.register({ ...write, name: '__proto__.x' })).toThrow(/not a tool name/);
  });

  it('A-160 registering a name twice keeps the first tool', () => {
    const registry = new ToolRegistry([write]).register({ ...write, description: 'another' });
    expect(registry.tools).toEqual([write]);
  });

  it('A-159 builds the schema of a tool from its description and its described arguments', () => {
    const send = defineTool({
      name: 'Mail.send',
      description: 'Send a letter.',
      input: z.object({
        to: z.string().describe('Who gets it'),
        copies: z.number().int().default(1),
      }),
      run: async () => 'sent',
    });
    expect(JSON.parse(new ToolRegistry([send]).describe())).toEqual({
      'Mail.send': {
        description: 'Send a letter.',
        args: {
          type: 'object',
          properties: {
            to: { type: 'string', description: 'Who gets it' },
            copies: expect.objectContaining({ type: 'integer', default: 1 }) as unknown,
          },
          required: ['to'],
        },
      },
    });
  });

  it('describes all tools as JSON, the same text until one is added', () => {
    const registry = new ToolRegistry([write]);
    const text = registry.describe();
    expect(JSON.parse(text)).toEqual({
      'Notes.write': {
        description: 'Write a note.',
        args: {
          type: 'object',
          properties: { path: { type: 'string' }, size: { type: 'number' } },
          required: ['path'],
        },
      },
    });
    expect(registry.describe()).toBe(text);
    registry.register({ ...write, name: 'Notes.more' });
    expect(Object.keys(JSON.parse(registry.describe()) as object)).toEqual(['Notes.write', 'Notes.more']);
  });
});

it('leaves out limits that only a wrong argument meets, and descriptions that were given before', () => {
  const path = z
    .string()
    .min(1)
    .regex(/^[^\n]*$/)
    .describe('Path of the note.');
  const read = defineTool({
    name: 'Notes.read',
    description: 'Read a note.',
    input: z.strictObject({ path, lines: z.number().int().optional() }),
    run: () => undefined,
  });
  const move = defineTool({
    name: 'Notes.move',
    description: 'Move a note.',
    input: z.strictObject({
      path,
      to: z.object({ folder: z.enum(['old', 'new']).describe('Path of the note.'), at: z.number().min(2) }),
    }),
    run: () => undefined,
  });
  const described = { type: 'string', description: 'Path of the note.' };
  expect(JSON.parse(new ToolRegistry([read, move]).describe())).toEqual({
    'Notes.read': {
      description: 'Read a note.',
      args: {
        type: 'object',
        properties: { path: described, lines: { type: 'integer' } },
        required: ['path'],
      },
    },
    'Notes.move': {
      description: 'Move a note.',
      args: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          to: {
            type: 'object',
            properties: {
              folder: { ...described, enum: ['old', 'new'] },
              at: { type: 'number', minimum: 2 },
            },
            required: ['folder', 'at'],
          },
        },
        required: ['path', 'to'],
      },
    },
  });
});

it('lists only the purpose of each command in small windows', () => {
  const wordy = defineTool({
    name: 'Notes.sort',
    description: 'Sort notes by date, e.g. the newest (v1.2) first. Others stay. Really.',
    input: z.object({}),
    run: () => undefined,
  });
  const plain = defineTool({ ...wordy, name: 'Notes.all', description: 'All notes' });
  const registry = new ToolRegistry([wordy, plain]);
  const whole = registry.describeBriefly();
  expect(whole).toContain('Others stay. Really.');
  expect(registry.describeBriefly(registry.tools, { most: whole.length })).toBe(whole);
  expect(registry.describeBriefly(registry.tools, { most: whole.length - 1 })).toBe(
    'Notes.sort(): Sort notes by date, e.g. the newest (v1.2) first.\nNotes.all(): All notes',
  );
});

it('lists commands in one line each, with optional arguments marked', () => {
  const tool = defineTool({
    name: 'Notes.find',
    description: 'Find notes.',
    input: z.object({
      words: z.array(z.string()),
      order: z.enum(['old', 'new']).default('new'),
      limit: z.union([z.number(), z.literal('all')]).optional(),
      more: z.unknown().optional(),
    }),
    run: () => undefined,
  });
  expect(new ToolRegistry([write, tool]).describeBriefly()).toBe(
    'Notes.write(path: string, size?: number): Write a note.\n' +
      'Notes.find(words: list of string, order?: "old" | "new" = "new", limit?: number | "all", more?: any): Find notes.',
  );
});

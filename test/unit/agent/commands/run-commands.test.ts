import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../../src/core/define-tool.js';
import type { Tool } from '../../../../src/core/tool.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';

const input = z.object({ id: z.string() });

/** Tools that record when they begin and end. Each waits until its whole group has begun. */
function lookers(meeting: number, traits: Partial<Tool> = {}): { tools: Tool[]; diary: string[] } {
  const diary: string[] = [];
  let began = 0;
  let open: () => void = () => {};
  const met = new Promise<void>((resolve) => (open = resolve));
  const look = defineTool({
    name: 'Look.up',
    description: 'Looks something up.',
    input,
    effect: 'egress-read' as const,
    parallel: true,
    ...traits,
    async run({ id }) {
      diary.push(`begin ${id}`);
      if (++began >= meeting) open();
      await met;
      diary.push(`end ${id}`);
      return `found ${id}`;
    },
  } as Tool<{ id: string }>);
  const note = defineTool({
    name: 'Note.add',
    description: 'Notes something.',
    input,
    run: ({ id }) => void diary.push(`note ${id}`),
  });
  return { tools: [look, note], diary };
}

const look = (id: string) => ['Look.up', { id }] as const;
const note = (id: string) => ['Note.add', { id }] as const;
const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

async function run(tools: readonly Tool[], reply: string) {
  return runRole(new RoleZero({ model: scriptedModel({ think: [reply, end] }), tools }), 'look');
}

it('accepts a tool named like a property of every object', async () => {
  const counter = defineTool({
    name: 'constructor.count',
    description: 'Counts its calls.',
    input,
    run: (_, { state }) => String((state['calls'] = Number(state['calls'] ?? 0) + 1)),
  });
  const { memory } = await run(
    [counter],
    commands(['constructor.count', { id: '1' }], ['constructor.count', { id: '2' }]),
  );
  expect(memory[2]?.content).toBe(
    'Command constructor.count executed: 1\n\nCommand constructor.count executed: 2',
  );
});

describe('read-only commands run in parallel (R-171)', () => {
  it('runs adjacent read-only commands in parallel, and the others in order', async () => {
    const { tools, diary } = lookers(3);
    const { memory } = await run(tools, commands(note('0'), look('1'), look('2'), look('3'), note('4')));
    expect(diary.map((entry) => entry.split(' ')[0])).toEqual([
      'note', 'begin', 'begin', 'begin', 'end', 'end', 'end', 'note',
    ]); // prettier-ignore
    expect(memory[2]?.content).toBe(
      ['Note.add', 'Look.up', 'Look.up', 'Look.up', 'Note.add']
        .map((name, index) => `Command ${name} executed${name === 'Look.up' ? `: found ${index}` : ''}`)
        .join('\n\n'),
    );
  });

  it('runs commands in order without the mark, and when repeating them after a crash would do harm', async () => {
    for (const traits of [{ parallel: false }, { replay: 'unsafe', onAmbiguous: 'fail' } as const]) {
      const { tools, diary } = lookers(1, traits);
      await run(tools, commands(look('1'), look('2')));
      expect(diary).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    }
  });

  it('discards the writes of a read-only command', async () => {
    const scribbler = defineTool({
      name: 'Look.scribble',
      description: 'Should only look.',
      input,
      parallel: true,
      async run({ id }, { files, state }) {
        await files.write(`/${id}.txt`, 'scribble');
        state['scribbled'] = true;
        return id;
      },
    });
    const { files, memory } = await run(
      [scribbler],
      commands(['Look.scribble', { id: 'a' }], ['Look.scribble', { id: 'b' }]),
    );
    expect(files).toEqual({});
    expect(memory[2]?.content).toBe('Command Look.scribble executed: a\n\nCommand Look.scribble executed: b');
  });

  it('runs a command that needs approval in order', async () => {
    const { tools, diary } = lookers(1);
    const role = new RoleZero({
      model: scriptedModel({ think: [commands(look('1'), look('2')), end] }),
      tools,
      policy: [{ tool: 'Look.*', do: 'ask' }],
    });
    const { human } = await runRole(role, 'look', { answers: ['yes', 'no'] });
    expect(human.questions).toHaveLength(2);
    expect(diary).toEqual(['begin 1', 'end 1']);
  });
});

describe('a command that fails (R-202)', () => {
  const failing = (onFailure?: 'stop' | 'continue'): Tool =>
    defineTool({
      name: 'Fail.now',
      description: 'Fails.',
      input: z.object({}),
      ...(onFailure === undefined ? {} : { onFailure }),
      run: () => {
        throw new Error('no luck');
      },
    });
  const { tools } = lookers(1);
  const [, noteTool] = tools;
  const given = noteTool === undefined ? [] : [noteTool];

  it('stops the commands after it, and names them to the model', async () => {
    const { memory } = await run(
      [failing(), ...given],
      commands(note('1'), ['Fail.now', {}], note('2'), note('3')),
    );
    expect(memory[2]?.content).toBe(
      [
        'Command Note.add executed',
        'Command Fail.now executed: Error: no luck',
        'Not run: Note.add, Note.add, because Fail.now failed. Give them again if they are still right.',
      ].join('\n\n'),
    );
  });

  it('runs the commands after it when its tool allows it', async () => {
    const { memory } = await run(
      [failing('continue'), ...given],
      commands(note('1'), ['Fail.now', {}], note('2')),
    );
    expect(memory[2]?.content).toBe(
      'Command Note.add executed\n\nCommand Fail.now executed: Error: no luck\n\nCommand Note.add executed',
    );
  });

  it('stores the results of parallel commands and stops the commands after a failure', async () => {
    const picky = defineTool({
      name: 'Look.up',
      description: 'Looks something up.',
      input,
      parallel: true,
      run: async ({ id }) => {
        await Promise.resolve();
        if (id === '2') throw new Error(`no ${id}`);
        return `found ${id}`;
      },
    }) as Tool;
    const { memory } = await run([picky, ...given], commands(look('1'), look('2'), look('3'), note('4')));
    expect(memory[2]?.content).toBe(
      'Command Look.up executed: found 1\n\nCommand Look.up executed: Error: no 2\n\nCommand Look.up executed: found 3\n\nNot run: Note.add, because Look.up failed. Give them again if they are still right.',
    );
  });
});

it('passes on a tool context with a changed field, and keeps its signal', async () => {
  const given: unknown[] = [];
  const inner = defineTool({
    name: 'Inner.look',
    description: 'Looks.',
    input,
    run: (_, { signal, callId }) => void given.push(signal instanceof AbortSignal, callId),
  });
  const outer = defineTool({
    name: 'Outer.look',
    description: 'Looks by another.',
    input,
    run: (asked, context) => inner.run(asked, { ...context, callId: 'exchanged' }),
  });
  await run([outer], commands(['Outer.look', { id: '1' }]));
  expect(given).toEqual([true, 'exchanged']);
});

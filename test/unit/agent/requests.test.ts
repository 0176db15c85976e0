import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { TaskData } from '../../../src/core/events.js';
import type { JsonValue } from '../../../src/core/json.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type CommandSpec = readonly [string, Record<string, JsonValue>];
const REPLY: CommandSpec = ['RoleZero.reply_to_human', { content: 'Here it is.' }];
const END: CommandSpec = ['end', {}];
const count = defineTool({
  name: 'Count.up',
  description: 'Counts.',
  input: z.object({ number: z.number() }),
  run: ({ number }) => `at ${number}`,
});
const up = (number: number): string => commands(['Count.up', { number }]);
const purposes = (requests: readonly { purpose: string }[]): string[] =>
  requests.map(({ purpose }) => purpose);

describe('what a reply stores in memory', () => {
  it('R-121 the reply and its observation are caused by the command, not by a user', async () => {
    const model = scriptedModel({ think: [up(1), commands(REPLY, END)] });
    const { memory } = await runRole(new RoleZero({ model, tools: [count] }), 'go');
    expect(memory.map(({ role, causeBy }) => [role, causeBy])).toEqual([
      ['user', 'UserRequirement'],
      ['assistant', 'RunCommand'],
      ['user', 'RunCommand'],
      ['assistant', 'RunCommand'],
      ['user', 'RunCommand'],
    ]);
  });

  it('R-130 stores repaired commands in their repaired form, with the thought', async () => {
    const model = scriptedModel({
      think: [
        `I count.\n\`\`\`json\n[{'command_name': 'Count.up', 'args': {'number': 1,},}]\n\`\`\``,
        commands(REPLY, END),
      ],
    });
    const { memory } = await runRole(new RoleZero({ model, tools: [count] }), 'go');
    const array = JSON.stringify([{ command_name: 'Count.up', args: { number: 1 } }], null, 4);
    expect(memory[1]?.content).toBe(`I count.\n\n\`\`\`json\n${array}\n\`\`\``);
    expect(memory[2]?.content).toBe('Command Count.up executed: at 1');
  });

  it('R-124 preserves the lines of a file in the observation', async () => {
    const model = scriptedModel({
      think: [commands(['Editor.read', { path: '/a.txt' }]), commands(REPLY, END)],
    });
    const { memory } = await runRole(new RoleZero({ model, tools: editor() }), 'go', {
      files: { '/a.txt': 'one\n"two"\n' },
    });
    expect(memory[2]?.content).toMatch(
      /^Command Editor\.read executed: .*\/a\.txt[^]*\n001\|one\n002\|"two"/,
    );
  });
});

describe('whether the user was answered (R-128)', () => {
  it('R-128 counts an old answer', async () => {
    const think = [commands(REPLY), ...Array.from({ length: 8 }, (_, index) => up(index)), commands(END)];
    const { requests, human } = await runRole(
      new RoleZero({ model: scriptedModel({ think }), tools: [count] }),
      'go',
    );
    expect([human.replies, purposes(requests).includes('report')]).toEqual([['Here it is.'], false]);
  });

  it.each([
    ['that was rejected', commands(['RoleZero.reply_to_human', {}]), commands(END)],
    ['that follows the end', commands(END, REPLY), ''],
    ['that is only mentioned', commands(['Count.up', { number: 'RoleZero.reply_to_human' }]), commands(END)],
  ])('R-128 an answer %s does not', async (_, ...think) => {
    const model = scriptedModel({ think: think.filter((each) => each !== ''), report: 'All done.' });
    const { human } = await runRole(new RoleZero({ model, tools: [count] }), 'go');
    expect(human.replies).toEqual(['All done.']);
  });

  it('R-128 ignores an answer to the previous request', async () => {
    const model = scriptedModel({ think: [commands(REPLY, END), commands(END)], report: 'Done again.' });
    const role = new RoleZero({ model });
    await runRole(role, 'one');
    expect((await runRole(role, 'two')).human.replies).toEqual(['Done again.']);
  });
});

describe('special commands are treated like all others', () => {
  it('R-123 a question without text is answered with advice, stops the commands after it, and does not end the run', async () => {
    const model = scriptedModel({
      think: [commands(['RoleZero.ask_human', {}], REPLY), commands(REPLY, END)],
    });
    const { memory, human, outcome } = await runRole(new RoleZero({ model }), 'go');
    expect(memory[2]?.content).toContain('Invalid arguments for RoleZero.ask_human: "question" is missing.');
    expect([human.replies, outcome.status]).toEqual([['Here it is.'], 'done']);
  });

  it.each(['please <STOP> here', 'Stop.', '<stop>', '"STOP"'])('R-127 %j stops', async (answer) => {
    const model = scriptedModel({ think: [commands(['RoleZero.ask_human', { question: 'go on?' }])] });
    const { outcome } = await runRole(new RoleZero({ model }), 'go', { answers: [answer] });
    expect(outcome.status).toBe('done');
    expect(model.leftovers()).toEqual([]);
  });

  it.each(["don't stop", 'do not stop', 'non-stop', 'the bus stop', 'stop the music only'])(
    'R-127 %j does not',
    async (answer) => {
      const model = scriptedModel({
        think: [commands(['RoleZero.ask_human', { question: 'go on?' }]), commands(REPLY, END)],
      });
      const { human } = await runRole(new RoleZero({ model }), 'go', { answers: [answer] });
      expect(human.replies).toEqual(['Here it is.']);
    },
  );

  it('R-125 treats the same commands with other text around them as a repetition', async () => {
    const think = [
      `First I count.\n${up(1)}`,
      'Now something quite different:\n[{"args":{"number":1},"command_name":"Count.up"}]',
      commands(REPLY, END),
    ];
    const model = scriptedModel({ think, regenerate: up(2) });
    const { requests } = await runRole(new RoleZero({ model, tools: [count] }), 'go');
    expect(purposes(requests)).toContain('regenerate');
  });
});

describe('requests', () => {
  it('R-116 answers web requests at once when the role cannot search', async () => {
    const model = scriptedModel(['Response Category: SEARCH', 'I cannot look that up.']);
    const { human, requests } = await runRole(new RoleZero({ callPlan: 'classic', model }), 'what is new?');
    expect([human.replies, purposes(requests)]).toEqual([['I cannot look that up.'], ['classify', 'quick']]);
  });

  it.each([1, 2, 5])(
    'R-282 %i steps cost at most four calls more, and every call is reported',
    async (steps) => {
      const think = [...Array.from({ length: steps - 1 }, (_, index) => up(index)), commands(END)];
      const { requests, events } = await runRole(
        new RoleZero({ callPlan: 'classic', model: scriptedModel({ think }), tools: [count] }),
        'go',
      );
      const reported = events.flatMap((event) => (event.type === 'usage' ? [event.purpose] : []));
      expect(reported).toEqual(purposes(requests));
      expect(reported).toHaveLength(2 + steps + 2);
    },
  );

  it('R-280 builds a role from its fields and tools, without manual mapping', async () => {
    class Counter extends RoleZero {
      static override readonly id = 'Counter';
      protected override currentState(): string {
        return 'The counter is at rest.';
      }
    }
    const model = scriptedModel({ think: [up(3), commands(REPLY, END)] });
    const role = new Counter({ name: 'Carl', profile: 'Counter', goal: 'count', model, tools: [count] });
    const { memory, requests } = await runRole(role, 'count to three');
    expect(memory[2]?.content).toBe('Command Count.up executed: at 3');
    const first = requests.find(({ purpose }) => purpose === 'think');
    expect(first?.messages[0]?.content).toContain('You are a Counter, named Carl, your goal is count.');
    expect(first?.messages.at(-1)?.content).toContain('# Current State\nThe counter is at rest.');
  });
});

describe('a role subclass that handles finished tasks', () => {
  it('R-264 reports each finished task once, and the plan after the last one', async () => {
    const heard: string[] = [];
    class Listener extends RoleZero {
      protected override onTaskFinished({ taskId }: TaskData): void {
        heard.push(`task ${taskId}`);
      }
      protected override onPlanFinished(): void {
        heard.push('plan');
      }
    }
    const task = (id: string): CommandSpec => [
      'Plan.append_task',
      { task_id: id, dependent_task_ids: [], instruction: `part ${id}`, assignee: 'Zero' },
    ];
    const finish: CommandSpec = ['Plan.finish_current_task', {}];
    const model = scriptedModel({
      think: [
        commands(task('1'), task('2')),
        commands(REPLY, finish, ['Plan.reset_task', { task_id: '1' }]),
        commands(REPLY, finish, finish),
        commands(REPLY, END),
      ],
    });
    await runRole(new Listener({ model }), 'go');
    expect(heard).toEqual(['task 1', 'task 1', 'task 2', 'plan']);
  });
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonValue } from '../../../src/core/json.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { RoleZero, type RoleZeroOptions } from '../../../src/worker/index.js';

/** A command's name and arguments. */
type Given = [string, Record<string, JsonValue>];

const ASK: Given = [
  'RoleZero.ask_human',
  { question: 'Which color?', options: ['red', 'blue'], default: 'blue' },
];
const task = (id: string): Given => [
  'Plan.append_task',
  { task_id: id, dependent_task_ids: [], instruction: `paint ${id}`, assignee: 'Zero' },
];
const END: Given = ['end', {}];
const observed = 'Command RoleZero.ask_human executed:';

function role(think: string[], options: RoleZeroOptions = {}): RoleZero {
  return new RoleZero({ name: 'Zero', model: scriptedModel({ think }), ...options });
}

describe('R-030 a question', () => {
  it('R-030 uses its default when no user answers within the time limit', async () => {
    const { memory, outcome } = await runRole(
      role([commands(ASK), commands(END)], { answerWithinMs: 5 }),
      'paint the door',
    );
    expect(memory[2]?.content).toBe(`${observed}The user gave no other answer: your default applies.`);
    expect(outcome.status).toBe('done');
  });

  it('R-030 without a default lets the model decide then', async () => {
    const { memory } = await runRole(
      role([commands(['RoleZero.ask_human', { question: 'Which?' }]), commands(END)], { answerWithinMs: 5 }),
      'paint the door',
    );
    expect(memory[2]?.content).toContain(
      `${observed}The user did not answer in time. Decide what is most likely wanted`,
    );
  });

  it('R-030 uses an answer in time, also from another tab, and reads an empty answer as the default', async () => {
    const shown: unknown[] = [];
    const open = async (given: string[]): Promise<string[]> => {
      const answers = [...given];
      const think = [...answers.map(() => commands(ASK)), commands(END)];
      const session: Session = await Session.open({
        roles: [role(think, { answerWithinMs: 600_000 })],
        storage: memoryStorage(),
        name: 'test',
        emit: () => {},
        askUser: async (question) => {
          shown.push({ default: question.default, answerWithinMs: question.answerWithinMs });
          setTimeout(() => void session.answer(question.id, answers.shift() ?? ''), 0);
          return null; // The question stays open, and the time limit has not passed.
        },
      });
      await (
        await session.send('paint')
      ).result;
      return session.messages().map(({ content }) => content);
    };
    expect(await open(['green'])).toContain(`${observed}Human response: green`);
    expect(await open([''])).toContain(`${observed}The user gave no other answer: your default applies.`);
    expect(shown).toEqual(Array(2).fill({ default: 'blue', answerWithinMs: 600_000 }));
  });

  it('R-030 waits without a time limit by default', async () => {
    const { outcome } = await runRole(role([commands(ASK)]), 'paint the door');
    expect(outcome.status).toBe('waiting');
  });

  it('never approves a command by time-out', async () => {
    const { outcome, files } = await runRole(
      role([commands(['Files.wipe', {}])], {
        answerWithinMs: 1,
        policy: [{ tool: 'Files.wipe', do: 'ask' }],
        tools: [
          {
            name: 'Files.wipe',
            description: 'Wipe.',
            input: z.object({}),
            run: () => 'wiped',
          },
        ],
      }),
      'clean up',
    );
    expect([outcome.status, files]).toEqual(['waiting', {}]);
  });
});

describe('R-030 confirmation of a plan', () => {
  const confirm = (question: string): string =>
    commands(['RoleZero.ask_human', { question, options: ['yes', 'no'] }]);

  it('R-030 asks before the first task, and does not read a bare no as approval', async () => {
    const zero = role(
      [
        commands(task('a')),
        confirm('A red door?'),
        commands(task('b')),
        confirm('A blue door?'),
        commands(task('c')),
        commands(END),
      ],
      {
        confirmUnderstanding: true,
      },
    );
    const { memory, plan, requests, human } = await runRole(zero, 'paint', {
      answers: ['no', 'yes, but the window as well'],
    });
    const refusals = memory.filter(({ content }) => content.includes('has not confirmed yet'));
    expect(refusals).toHaveLength(2);
    expect(human.questions).toHaveLength(2);
    expect(plan.tasks.map(({ instruction }) => instruction)).toEqual(['paint c']);
    const system = JSON.stringify(requests.find(({ purpose }) => purpose === 'think')?.messages[0]);
    expect(system).toContain('Before the first task of a plan, say in a few sentences what you understood');
  });

  it('R-030 does not treat a previously denied command as a repetition after the confirmation', async () => {
    const zero = role([commands(task('a')), confirm('A red door?'), commands(task('a')), commands(END)], {
      confirmUnderstanding: true,
    });
    const { plan, requests } = await runRole(zero, 'paint', { answers: ['yes'] });
    expect(plan.tasks.map(({ instruction }) => instruction)).toEqual(['paint a']);
    expect(requests.some(({ purpose }) => purpose === 'regenerate')).toBe(false);
  });

  it('R-030 does not ask unless enabled, or without a connected user', async () => {
    const plain = await runRole(role([commands(task('a')), commands(END)]), 'paint');
    const alone = await runRole(
      role([commands(task('a')), commands(END)], { confirmUnderstanding: true }),
      'paint',
      {
        human: false,
      },
    );
    expect([plain.plan.tasks.length, alone.plan.tasks.length]).toEqual([1, 1]);
  });
});

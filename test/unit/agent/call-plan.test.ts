import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { UserMessage, UserRequirement } from '../../../src/core/message.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { CHINESE_PROMPTS } from '../../../src/agent/prompt/chinese.js';
import { PROMPTS } from '../../../src/agent/prompt/prompts.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { search } from '../../../src/tools/search/index.js';
import { commands, runRole, scriptedModel, type Script } from '../../../src/testing/index.js';

type CommandSpec = readonly [string, Record<string, JsonValue>];

/** A reply as written by a model that is constrained to the schema. */
function reply(...commands: CommandSpec[]): string {
  return JSON.stringify({
    thought: 'I go on.',
    commands: commands.map(([command_name, args]) => ({ command_name, args })),
  });
}

const task = (id: string): CommandSpec => [
  'Plan.append_task',
  { task_id: id, dependent_task_ids: [], instruction: `part ${id}`, assignee: 'Zero' },
];
const FINISH: CommandSpec = ['Plan.finish_current_task', {}];
const TELL: CommandSpec = ['RoleZero.reply_to_human', { content: 'It is done.' }];

const note: Tool = defineTool({
  name: 'Note.add',
  description: 'Notes something.',
  input: z.object({ text: z.string() }),
  run: () => undefined,
});

function merged(script: Script, options: RoleZeroOptions = {}) {
  const model = scriptedModel(script, { supports: { jsonSchema: true } });
  return { model, role: new RoleZero({ model, tools: [note], ...options }) };
}

const purposes = (requests: readonly { purpose: string }[]) => requests.map(({ purpose }) => purpose);

describe('the merged call plan', () => {
  it('is the default for every model, but not for a user who plays the role', () => {
    for (const jsonSchema of [true, false]) {
      const model = scriptedModel([], { supports: { jsonSchema } });
      expect(new RoleZero({ model }).callPlan).toBe('merged');
      expect(new RoleZero({ model, callPlan: 'classic' }).callPlan).toBe('classic');
      expect(new RoleZero({ model, playedByUser: true }).callPlan).toBe('classic');
    }
  });

  it('asks a model without structured output for a direct answer in a fence', async () => {
    const answer = 'None is named.\n```json\n{"category": "AMBIGUOUS", "answer": "Which of the two?"}\n```';
    const model = scriptedModel([answer]);
    const result = await runRole(
      new RoleZero({ model, tools: [note] }),
      'Make the work more like the first one was',
    );
    expect(purposes(result.requests)).toEqual(['think']);
    expect(result.requests[0]?.messages.at(-1)?.content).toContain(PROMPTS.firstReplyInText);
    expect([result.human.replies, result.outcome.status]).toEqual([['Which of the two?'], 'done']);
  });

  it('lets the model decide about a question for a fact when the role can search', async () => {
    const web = search({ engine: () => Promise.resolve([]), read: () => Promise.resolve('') });
    const ask = async (tools: readonly Tool[]) => {
      const role = new RoleZero({
        model: scriptedModel({ think: [commands(TELL, ['end', {}])], quick: 'I do not know.' }),
        tools,
      });
      return purposes((await runRole(role, 'Who is the CEO of OpenAI?')).requests)[0];
    };
    expect(await ask(web)).toBe('think');
    expect(await ask([])).toBe('quick');
  });

  it('lets the model decide about a question when the role has commands that no rule knows', async () => {
    const model = scriptedModel([commands(['Note.add', { text: 'a' }]), commands(TELL, ['end', {}])]);
    const result = await runRole(new RoleZero({ model, tools: [note] }), 'What is 2 + 2?');
    expect(purposes(result.requests)).toEqual(['think', 'think']);
    expect(result.requests[0]?.messages.at(-1)?.content).toContain(PROMPTS.firstReplyInText);
  });

  it('works on a request that a rule took for a question when the model says that it needs commands', async () => {
    const model = scriptedModel(['[{"command_name": "begin"}]', commands(TELL, ['end', {}])]);
    const result = await runRole(new RoleZero({ model }), 'What is on my list?');
    expect(purposes(result.requests)).toEqual(['quick', 'think']);
    expect(result.human.replies).toEqual(['It is done.']);
    const shown = result.events.flatMap((event) => (event.type === 'thought-delta' ? [event.text] : []));
    expect(shown.join('')).not.toContain('begin');
  });

  it('works on a request that no rule matches when the first reply has commands', async () => {
    const first = commands(['Note.add', { text: 'a' }]);
    const model = scriptedModel([first, commands(TELL, ['end', {}])]);
    const result = await runRole(
      new RoleZero({ model, tools: [note] }),
      'Make the work more like the first one was',
    );
    expect(purposes(result.requests)).toEqual(['think', 'think']);
    expect(result.requests[1]?.messages.at(-1)?.content).not.toContain(PROMPTS.firstReplyInText);
    expect(result.human.replies).toEqual(['It is done.']);
  });

  it.each([1, 4])('makes at most one call more than %i steps, whoever closes', async (steps) => {
    const work = Array.from({ length: steps - 1 }, (_, at) => commands(['Note.add', { text: `${at}` }]));
    const run = (last: string, options: RoleZeroOptions = {}) => {
      const model = scriptedModel({ think: [...work, last], report: 'All is noted.', summary: 'Notes.' });
      return runRole(new RoleZero({ model, tools: [note], ...options }), 'Write the notes into /notes.md');
    };
    const thoughts = Array<string>(steps).fill('think');
    const reported = await run(commands(TELL, ['end', {}]));
    expect([purposes(reported.requests), reported.outcome.summary]).toEqual([thoughts, 'It is done.']);
    const silent = await run(commands(['end', {}]));
    expect([purposes(silent.requests), silent.outcome.summary]).toEqual([
      [...thoughts, 'report'],
      'All is noted.',
    ]);
    expect(silent.human.replies).toEqual(['All is noted.']);
    const summed = await run(commands(TELL, ['end', {}]), { summarize: true });
    expect([purposes(summed.requests), summed.outcome.summary]).toEqual([[...thoughts, 'summary'], 'Notes.']);
    const without = await run(commands(TELL, ['end', {}]), { summarize: false });
    expect([purposes(without.requests), without.outcome.summary]).toEqual([thoughts, '']);
  });

  it('sums up when the last reply to the user is older than two steps', async () => {
    const add = commands(['Note.add', { text: 'a' }]);
    const model = scriptedModel({
      think: [commands(TELL), add, commands(['Note.add', { text: 'b' }]), commands(['end', {}])],
      summary: 'Two notes.',
    });
    const result = await runRole(new RoleZero({ model, tools: [note] }), 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(['think', 'think', 'think', 'think', 'summary']);
    expect(result.outcome.summary).toBe('Two notes.');
  });

  it('answers a trivial question in one call', async () => {
    const { model, role } = merged(['Canberra.'], { tools: [] });
    const result = await runRole(role, 'What is the capital of Australia?');
    expect(purposes(result.requests)).toEqual(['quick']);
    expect(result.human.replies).toEqual(['Canberra.']);
    expect(result.outcome).toMatchObject({ status: 'done', summary: 'Canberra.' });
    expect(model.leftovers()).toEqual([]);
  });

  it.each([
    ['merged', { quick: 'Thursday.' }],
    ['classic', { classify: 'Response Category: QUICK', quick: 'Thursday.' }],
    [
      'classic',
      {
        classify: 'Response Category: TASK',
        language: 'English',
        think: [commands(TELL, ['end', {}])],
        summary: 'Thursday.',
      },
    ],
  ] as const)('sends the time once per turn, also with a direct answer (%s)', async (callPlan, script) => {
    const role = new RoleZero({ model: scriptedModel(script), callPlan });
    const { requests } = await runRole(role, 'What day is it today?');
    const prompt = JSON.stringify(requests.findLast(({ purpose }) => /quick|think/.test(purpose))?.messages);
    expect(prompt.match(/The current time is 2026-01-01 00:00:00\./g)).toHaveLength(1);
  });

  it('answers a request that no rule matches in the first reply, without a second call', async () => {
    const answer = JSON.stringify({
      thought: 'Nothing is named.',
      category: 'AMBIGUOUS',
      answer: 'Which of the two do you mean?',
      commands: [],
    });
    const { role } = merged([answer]);
    const result = await runRole(role, 'Make the work more like the first one was');
    expect(purposes(result.requests)).toEqual(['think']);
    expect(result.human.replies).toEqual(['Which of the two do you mean?']);
    expect(result.outcome.status).toBe('done');
    expect(result.plan.tasks).toEqual([]);
    expect(result.memory.at(-1)).toMatchObject({ role: 'assistant', causeBy: 'QuickThink' });
  });

  it.each([1, 3, 6])('makes one call per task of a plan of %i, and one for the plan', async (count) => {
    const ids = Array.from({ length: count }, (_, index) => String(index + 1));
    const steps = ids.map((id) =>
      id === String(count)
        ? reply(['Note.add', { text: id }], FINISH, TELL)
        : reply(['Note.add', { text: id }], FINISH),
    );
    const { model, role } = merged([reply(...ids.map(task)), ...steps]);
    const result = await runRole(role, 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(Array<string>(count + 1).fill('think'));
    expect(result.outcome).toMatchObject({ status: 'done', summary: 'It is done.' });
    expect(result.plan.tasks.every(({ isFinished }) => isFinished)).toBe(true);
    expect(model.leftovers()).toEqual([]);
  });

  it('does not end the run at a finished plan before the user has a reply', async () => {
    const { model, role } = merged([reply(task('1'), TELL), reply(FINISH), reply(TELL)]);
    const result = await runRole(role, 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(['think', 'think', 'think']);
    expect(model.leftovers()).toEqual([]);
  });

  it('does not end the run while the model continues', async () => {
    const { role } = merged([reply(task('1'), FINISH), reply(TELL, ['end', {}])]);
    const result = await runRole(role, 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(['think', 'think']);
  });

  it('sends one schema with every thought, with the available commands only', async () => {
    const { model, role } = merged([reply(task('1')), reply(TELL, FINISH)], {
      policy: [
        { tool: 'Note.*', do: 'deny' },
        { tool: 'Plan.reset_task', path: '/secret/**', do: 'deny' },
      ],
    });
    await runRole(role, 'Write the notes into /notes.md');
    const schemas = model.requests.flatMap(({ responseSchema }) => (responseSchema ? [responseSchema] : []));
    expect(schemas).toHaveLength(2);
    expect(schemas[1]).toBe(schemas[0]);
    const offered = JSON.stringify(schemas[0])
      .match(/"const":"[^"]*"/g)
      ?.map((found) => found.slice(9, -1));
    expect(offered).toEqual([
      'Plan.append_task',
      'Plan.reset_task',
      'Plan.replace_task',
      'Plan.finish_current_task',
      'RoleZero.ask_human',
      'RoleZero.reply_to_human',
      'end',
    ]);
    expect(schemas[0]).toMatchObject({
      required: ['thought', 'commands'],
      additionalProperties: false,
      properties: { category: { enum: ['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS'] } },
    });
  });

  it('detects the language without a call, and calls the model when it cannot', async () => {
    const german = merged([reply(task('1')), reply(TELL, FINISH)]);
    await runRole(german.role, 'Bitte schreibe die Notizen in die Datei /notizen.md');
    expect(german.role.language).toBe('German');
    const last = (requests: readonly { messages: readonly { content: unknown }[] }[]) =>
      JSON.stringify(requests[0]?.messages.at(-1)?.content);
    expect(last(german.model.requests)).toContain('everything for people in German');
    const unsure = merged([reply(task('1')), reply(TELL, FINISH)]);
    await runRole(unsure.role, '/notes.md');
    expect(unsure.role.language).toBe('');
    expect(last(unsure.model.requests)).toContain('in the language of the requirement');
  });

  it('in the classic plan the schema is sent as well, without the direct answer', async () => {
    const { model, role } = merged(
      [
        'Response Category: TASK',
        'English',
        reply(task('1')),
        reply(TELL, FINISH, ['end', {}]),
        'Summed up.',
      ],
      { callPlan: 'classic' },
    );
    const result = await runRole(role, 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(['classify', 'language', 'think', 'think', 'summary']);
    expect(Object.keys(model.requests[2]?.responseSchema?.['properties'] ?? {})).toEqual([
      'thought',
      'commands',
    ]);
  });

  it('the conversation only grows: each prompt begins with the previous one, byte for byte', async () => {
    const { model, role } = merged([
      reply(task('1')),
      reply(['Note.add', { text: 'a' }]),
      reply(TELL, FINISH),
    ]);
    await runRole(role, 'Write the notes into /notes.md');
    for (const [index, { messages }] of model.requests.entries()) {
      const before = model.requests[index - 1]?.messages ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });

  it('a message that arrives at the end is processed before the run ends', async () => {
    let tell: ((text: string) => void) | null = null;
    const late = defineTool({
      name: 'Note.late',
      description: 'Something arrives.',
      input: z.object({}),
      run: () => tell?.('And one thing more'),
    });
    const { role } = merged([reply(task('1')), reply(['Note.late', {}], FINISH, TELL), reply(TELL)], {
      tools: [late],
    });
    tell = (text) =>
      role.agent.putMessage(new UserMessage({ content: text, causeBy: UserRequirement, sendTo: ['Zero'] }));
    const result = await runRole(role, 'Write the notes into /notes.md');
    expect(purposes(result.requests)).toEqual(['think', 'think', 'think']);
    expect(JSON.stringify(result.requests[2]?.messages.at(-1))).toContain('And one thing more');
  });
});

describe('prompts of the application (R-240)', () => {
  it('replace the built-in prompts by name', async () => {
    const model = scriptedModel(['Hallo!']);
    const role = new RoleZero({ model, prompts: { quickAnswer: 'Antworte kurz.' } });
    const result = await runRole(role, 'hi');
    expect(result.requests[0]?.messages.at(-1)).toEqual({
      role: 'user',
      content: 'hi\n\n# Time\nThe current time is 2026-01-01 00:00:00.\n\nAntworte kurz.',
    });
  });

  it('exist in Chinese, with the same variables, command names and categories', async () => {
    const marks = (text: string): string[] => [
      ...new Set(
        text.match(/\{\w+\}|\b[A-Z]\w+\.[a-z_]+|\b(QUICK|SEARCH|TASK|AMBIGUOUS)\b|"\w+":?|<\/?\w+>/g),
      ),
    ];
    for (const [name, text] of Object.entries(PROMPTS)) {
      const translated = CHINESE_PROMPTS[name as keyof typeof PROMPTS];
      expect(marks(translated).sort(), name).toEqual(marks(text).sort());
      expect(translated, name).toMatch(/\p{Script=Han}/u);
    }
    const model = scriptedModel(['Response Category: QUICK', '你好！']);
    const result = await runRole(
      new RoleZero({ callPlan: 'classic', model, prompts: CHINESE_PROMPTS }),
      '你好',
    );
    expect(result.requests[0]?.messages.at(-1)?.content).toContain(CHINESE_PROMPTS.classify);
    expect(result.human.replies).toEqual(['你好！']);
  });

  it('rejects unknown prompts, and prompts with unknown variables', async () => {
    expect(() => new RoleZero({ prompts: { quickAnswers: 'x' } as never })).toThrow(
      /no prompt named quickAnswers. They are taskStructure, /,
    );
    const model = scriptedModel({ think: [] });
    const result = await runRole(
      new RoleZero({ callPlan: 'classic', model, prompts: { detectLanguage: '{requirment}?' } }),
      'do it',
    );
    expect(result.outcome.status).toBe('failed');
    expect(result.events.at(-1)).toMatchObject({
      error: { code: 'internal', message: expect.stringContaining('"requirment"') as string },
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { ErrorData } from '../../../src/core/error.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { dyingAt } from './storages.js';

const output = {
  id: 'grade',
  schema: {
    type: 'object',
    properties: { grade: { type: 'integer' }, remark: { type: 'string' } },
    required: ['grade'],
  },
};
const work = commands(['RoleZero.reply_to_human', { content: 'It is good.' }], ['end', {}]);
const good = '{"grade": 2, "remark": "clear"}';
const value = { grade: 2, remark: 'clear' };

let number = 0;
function open(roles: RoleZero[], options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    name: `typed-${++number}`,
    roles,
    askUser: async () => null,
    emit: () => {},
    ...options,
  });
}

async function result(session: Session, options: Parameters<Session['send']>[1] = { output }) {
  return (await session.send('Is this sentence good?', options)).result;
}

const role = (script: Parameters<typeof scriptedModel>[0], options: RoleZeroOptions = {}) => {
  const model = scriptedModel(script, { supports: { jsonSchema: options.callPlan === 'merged' } });
  return { model, role: new RoleZero({ model, ...options }) };
};

describe('a request with a schema', () => {
  it('gives a typed answer after the work', async () => {
    const { model, role: zero } = role({ think: work, output: good });
    const session = await open([zero]);
    expect(await result(session)).toEqual({
      status: 'done',
      summary: 'It is good.',
      error: null,
      output: value,
    });
    expect(session.lastRun?.output).toEqual(value);
    const asked = model.requests.find(({ purpose }) => purpose === 'output');
    expect(asked?.messages.at(-1)?.content).toContain(JSON.stringify(output.schema));
    const first = model.requests.find(({ purpose }) => purpose === 'think');
    expect(first?.messages.at(-1)?.content).toContain('The user also wants the result as JSON');
  });

  it('gives one in the merged call plan, where the reply is bound to the schema', async () => {
    const { model, role: zero } = role({ think: work, output: good }, { callPlan: 'merged' });
    expect(await result(await open([zero]))).toMatchObject({ status: 'done', output: value });
    const asked = model.requests.find(({ purpose }) => purpose === 'output');
    expect(asked?.responseSchema).toEqual(output.schema);
  });

  it.each(['classic', 'merged'] as const)(
    'gives one after a direct answer, call plan %s',
    async (callPlan) => {
      const { role: zero } = role(
        {
          classify: 'Response Category: QUICK',
          quick: 'It is good.',
          think: '{"thought": "", "category": "QUICK", "answer": "It is good.", "commands": []}',
          output: good,
        },
        { callPlan },
      );
      expect(await result(await open([zero]))).toEqual({
        status: 'done',
        summary: 'It is good.',
        error: null,
        output: value,
      });
    },
  );

  it.each<[string, object, string, unknown]>([
    ['in a fence', output.schema, `Here it is:\n\`\`\`json\n${good}\n\`\`\``, value],
    ['after reasoning', output.schema, `<think>{"grade": 1}</think>${good}`, value],
    ['as a list', { type: 'array', items: { type: 'number' } }, '[1, 2]', [1, 2]],
    ['as a number', { type: 'number' }, '4', 4],
    ['as a text without quotes', { type: 'string', enum: ['good', 'bad'] }, 'good', 'good'],
    ['as one of several types', { anyOf: [{ type: 'null' }, { type: 'number' }] }, 'null', null],
  ])('reads an answer %s', async (_case, schema, reply, expected) => {
    const { role: zero } = role({ think: work, output: reply });
    const wanted = { id: '1', schema: schema as Record<string, unknown> };
    expect(await result(await open([zero]), { output: wanted })).toMatchObject({ output: expected });
  });

  it('returns an answer that does not fit to the model, with the reasons', async () => {
    const { model, role: zero } = role({ think: work, output: ['It is good.', '{"grade": "two"}', good] });
    expect(await result(await open([zero]))).toMatchObject({ status: 'done', output: value });
    const asked = model.requests.filter(({ purpose }) => purpose === 'output');
    expect(
      asked.map(
        ({ messages }) => /^(?:Now|Your answer).*\n(.*)/m.exec(String(messages.at(-1)?.content))?.[1],
      ),
    ).toEqual([
      JSON.stringify(output.schema),
      'The reply contains no JSON.',
      'grade: must be integer, but is string',
    ]);
  });

  it('fails with output-invalid when no answer fits, and the work is over', async () => {
    const { model, role: zero } = role({ think: work, output: '{"grade": "two"}' });
    const session = await open([zero]);
    const { status, summary, error } = await result(session);
    expect([status, summary, error?.code]).toEqual(['failed', 'It is good.', 'output-invalid']);
    expect(error?.message).toContain('3 answers that do not fit');
    expect(model.requests.filter(({ purpose }) => purpose === 'output')).toHaveLength(3);
    expect(session.resumable).toBe(false);
    expect(session.lastRun?.error?.code).toBe('output-invalid');
  });

  it('asks the page, whose schema may require more', async () => {
    const asked: unknown[] = [];
    const { role: zero } = role({ think: work, output: ['{"grade": 9}', good] });
    const session = await open([zero], {
      callPage: async (_callId, name, input) => {
        asked.push([name, input]);
        return asked.length === 1 ? ['grade: at most 5'] : [];
      },
    });
    expect(await result(session)).toMatchObject({ output: value });
    expect(asked).toEqual([
      ['check output', { id: 'grade', value: { grade: 9 } }],
      ['check output', { id: 'grade', value }],
    ]);
  });

  it('does not ask for one for the next request, nor without the end of the work', async () => {
    const { role: zero } = role({ think: [work, work], output: [good] });
    const session = await open([zero]);
    await result(session);
    expect(await result(session, {})).toEqual({ status: 'done', summary: 'It is good.', error: null });
    const stuck = role({ think: commands(['Plan.finish_current_task', {}]) }, { maxSteps: 1 });
    expect(await result(await open([stuck.role]))).toEqual({ status: 'exhausted', summary: '', error: null });
  });

  it.each<[string, object, string]>([
    ['a schema that refers to nothing', { $ref: '#/$defs/none' }, 'cannot be used'],
    ['a schema that is too long', { type: 'object', title: 'x'.repeat(60_000) }, 'at most 50000'],
  ])('rejects %s', async (_case, schema, message) => {
    const session = await open([role([]).role]);
    const wanted = { id: '1', schema: schema as Record<string, unknown> };
    await expect(session.send('go', { output: wanted })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message) as string,
    });
  });

  it('rejects one while a run is in progress', async () => {
    const { role: zero } = role({ think: work, output: good });
    const session = await open([zero]);
    const run = await session.send('go');
    await expect(session.send('go', { output })).rejects.toMatchObject({ code: 'invalid' });
    expect((await run.result).output).toBeUndefined();
  });
});

/** Replies depend on the conversation alone, so an interrupted run gets the same ones again. */
function member(steps: readonly string[], outputs: readonly string[] = []): ChatModel & { outputs: number } {
  const model: ChatModel & { outputs: number } = {
    id: 'member',
    contextWindow: 100_000,
    outputs: 0,
    async *chat({ purpose, messages }) {
      const answers = (list: readonly string[]) =>
        list[messages.filter(({ content }) => list.includes(content as string)).length] ?? 'nothing left';
      if (purpose === 'output') model.outputs += 1;
      const replies: Record<string, string> = {
        classify: 'Response Category: TASK',
        language: 'English',
        think: answers(steps),
        output: answers(outputs),
      };
      yield { type: 'text-delta', text: replies[purpose] ?? `${purpose}.` };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return model;
}

describe('a team', () => {
  it('gives the typed answer when its leader ends the work, not when it delegates', async () => {
    const leader = member(
      [
        commands(['TeamLeader.publish_team_message', { content: 'Rate it.', send_to: 'Rita' }]),
        commands(['RoleZero.reply_to_human', { content: 'It is good.' }], ['end', {}]),
      ],
      [good],
    );
    const rita = member([work]);
    const session = await open([new RoleZero({ name: 'Rita', model: rita })], {
      leader: new TeamLeader({ model: leader }),
    });
    expect(await result(session)).toMatchObject({ status: 'done', output: value });
    expect([leader.outputs, rita.outputs]).toEqual([1, 0]);
  });
});

describe('a session that is killed', () => {
  async function killed(
    storage: Storage,
    point: number,
    moment: 'before' | 'after',
  ): Promise<{ error: ErrorData | null; output?: unknown } | null> {
    const make = () => [new RoleZero({ model: member([work], ['{"grade": "two"}', good]) })];
    const { storage: dying, died } = dyingAt(storage, point, moment);
    const first = await open(make(), { storage: dying, name: 'killed' });
    const ended = first.send('go', { output }).then(({ result }) => result);
    const isDead = await Promise.race([died.then(() => true), ended.then(() => false)]);
    if (!isDead) return null;
    const second = await open(make(), { storage, name: 'killed', takeOver: true });
    const run = second.resumable ? await second.resume() : null;
    return run === null ? second.lastRun : run.result;
  }

  it.each(['before', 'after'] as const)(
    'gives the same answer after a kill %s any commit',
    async (moment) => {
      const outputs: unknown[] = [];
      for (let point = 2; ; point++) {
        const after = await killed(memoryStorage(), point, moment);
        if (after === null) break;
        outputs.push(after.output);
      }
      expect(outputs.length).toBeGreaterThanOrEqual(6);
      expect(new Set(outputs.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify(value)]));
    },
  );
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/core/define-tool.js';
import type { ChatModel } from '../../src/core/model.js';
import type { Storage } from '../../src/core/store.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { Session } from '../../src/session/session.js';
import { memoryStorage } from '../../src/storage/index.js';
import { subagents } from '../../src/subagents/index.js';
import { commands } from '../../src/testing/index.js';
import { editor } from '../../src/tools/index.js';
import { alive, killedStorage, type Death, type Log } from './session/storages.js';

const CALLER = [
  commands(['Editor.write', { path: '/plan.txt', content: 'plan\n' }]),
  commands(
    ['Editor.append_file', { path: '/plan.txt', content: 'one' }],
    ['Subagent.run', { task: 'Mail it.' }],
  ),
  commands(
    ['Subagent.run', { task: 'Write it.' }],
    ['Editor.append_file', { path: '/plan.txt', content: 'two' }],
  ),
  commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]),
];
const SUBAGENTS: Record<string, readonly string[]> = {
  'Mail it.': [
    commands([
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'mail', assignee: 'me' },
    ]),
    commands(['Editor.write', { path: '/log.txt', content: 'mail\n' }], ['Mail.send', { to: 'ann' }]),
    commands(
      ['Plan.finish_current_task', {}],
      ['RoleZero.reply_to_human', { content: 'Mailed.' }],
      ['end', {}],
    ),
  ],
  'Write it.': [
    commands(['Editor.append_file', { path: '/log.txt', content: 'write\n' }]),
    commands(['RoleZero.reply_to_human', { content: 'Written.' }], ['end', {}]),
  ],
};

/** Replies depend on the conversation alone, like those of a real model at temperature 0. */
const model: ChatModel = {
  id: 'by conversation',
  contextWindow: 100_000,
  async *chat({ messages, purpose }) {
    const texts = messages.map(({ content }) => String(content));
    const task = Object.keys(SUBAGENTS).find(
      (each) => texts[0]?.includes('Sub-agent') && texts[1]?.includes(each),
    );
    const replies = task === undefined ? CALLER : SUBAGENTS[task];
    const given = messages.filter(({ role }) => role === 'assistant').length;
    yield { type: 'text-delta', text: purpose === 'think' ? (replies?.[given] ?? 'none') : `${purpose}.` };
    yield { type: 'usage', promptTokens: 100, completionTokens: 10 };
    yield { type: 'finish', reason: 'stop' };
  },
};

interface World {
  storage: Storage;
  mailed: string[];
  /** Null without a log. */
  log: Log | null;
}

const storageOf = ({ storage, log }: World, death: Death): Storage => killedStorage(storage, log, death);

async function open({ mailed }: World, storage: Storage): Promise<Session> {
  const mail = defineTool({
    name: 'Mail.send',
    description: 'Sends a mail.',
    input: z.object({ to: z.string() }),
    effect: 'egress-write',
    replay: 'keyed',
    trusted: true,
    run: ({ to }, { callId }) => {
      if (!mailed.includes(callId)) mailed.push(callId); // the receiver drops the second one with the same key
      return `sent to ${to}`;
    },
  });
  const tools = [...editor(), mail, subagents({ steps: 5 })];
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model, tools, policy: [{ tool: 'Mail.*', do: 'ask' }] })],
    askUser: async () => 'yes',
    emit: () => {},
    now: () => 0,
  });
}

/** The state that must not depend on interruptions; ids are numbered in order of appearance. */
async function remains(session: Session): Promise<unknown> {
  const ids = new Map<string, number>();
  const anonymous = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value).replace(/[0-9a-f]{32}|(?<=Zero>)[0-9a-f]{8}/g, (id) => {
        if (!ids.has(id)) ids.set(id, ids.size);
        return `#${ids.get(id)}`;
      }),
    );
  const { records } = await session.export();
  return {
    messages: anonymous(session.messages()),
    steps: anonymous(await session.steps()),
    usage: session.usage(),
    files: [await session.files.read('/plan.txt'), await session.files.read('/log.txt')],
    left: records.filter(({ key }) => key.includes('>')).map(({ table, key }) => `${table}/${key}`),
  };
}

describe.each([
  ['commit', false],
  ['commit and log entry', true],
])('a run with sub-agents that is killed at every %s', (_what, hasLog) => {
  const fresh = (): World => ({
    storage: memoryStorage(),
    mailed: [],
    log: hasLog ? { writes: [], random: null } : null,
  });

  it('ends the same after a resume, with no call or effect twice', async () => {
    const reference = fresh();
    const counted = alive();
    const whole = await open(reference, storageOf(reference, counted));
    expect(await (await whole.send('Do it.')).result).toMatchObject({ status: 'done', summary: 'Done.' });
    const expected = await remains(whole);
    expect(expected).toMatchObject({
      files: ['plan\none\ntwo\n', 'mail\nwrite\n'],
      usage: { calls: 9 },
      left: [],
    });
    expect(counted.count).toBeGreaterThan(20);

    for (let point = 2; point <= counted.count; point++) {
      for (const moment of ['before', 'after'] as const) {
        const each = fresh();
        const died = new Promise<void>((resolve) => {
          const dying = storageOf(each, { point, moment, count: 0, die: resolve });
          void open(each, dying).then((first) => first.send('Do it.'));
        });
        await died;
        const second = await open(each, storageOf(each, alive()));
        const where = `killed ${moment} write ${point} of ${counted.count}`;
        const result = second.resumable ? await (await second.resume()).result : second.lastRun;
        expect(result, where).toMatchObject({ status: 'done', summary: 'Done.' });
        expect(await remains(second), where).toEqual(expected);
        expect(each.mailed, where).toHaveLength(1);
        await second.close();
      }
    }
  });
});

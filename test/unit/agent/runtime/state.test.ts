import { describe, expect, it, test } from 'vitest';
import { RoleZeroError } from '../../../../src/core/error.js';
import { initialState, readState } from '../../../../src/agent/runtime/state.js';
import { newTurn, type ActStage, type Turn } from '../../../../src/agent/runtime/turn.js';

const turn = newTurn('t', null, { name: 'classify' });
const act: ActStage = {
  name: 'act',
  commands: [{ name: 'end', args: {} }],
  results: [],
  attempt: null,
  isStopped: false,
  ending: null,
};
const working = { ...initialState(), turn: { ...turn, stage: act } };

/** A turn as stored by version 1. */
const reaction = {
  id: 't',
  trigger: { id: 'm', content: 'go' },
  chosen: false,
  intent: 'TASK',
  prepared: true,
  commandReply: null,
  cut: false,
  steps: 2,
  totalSteps: 52,
  unreadable: 1,
  replied: true,
  repliedAt: 50,
  conferred: true,
  batch: null,
  ended: false,
  paused: false,
  reply: 'Almost done.',
  summary: '',
  outputs: 'ok',
  answers: {
    'ask:1': 'blue',
    'approve:1:x': 'yes',
    'again:1': 'yes',
    'many:5:5': 'yes',
    'continue:50': 'yes',
  },
  approvedAt: { 'approve:1:x': 1 },
  grants: { a: true },
  grant: { rounds: 1e9, asked: 1 },
  replies: {},
  usage: { tokens: 7, usd: 0.5 },
  trace: { startedAt: 1, calls: [], replyId: '', commands: [] },
};
const upgraded = (part: object): Turn | null =>
  readState({ version: 1, state: 3, untold: ['m'], grants: ['b'], reaction: { ...reaction, ...part } }).turn;

describe('the data of parts', () => {
  it('is taken from where earlier releases stored it', () => {
    const { parts, sent } = readState({
      version: 2,
      sentNotes: { n: 'stamp' },
      recalled: { for: 'm', ids: ['a'] },
      sharedMessages: 3,
      sent: { time: 'now', files: 7, page: 2 },
    });
    expect(sent).toEqual({ time: 'now' });
    expect(parts).toEqual({
      notes: { n: 'stamp' },
      memories: { for: 'm', ids: ['a'], stored: 3 },
      files: { upTo: 7 },
      tools: { Browser: 2 },
    });
    expect(readState({ version: 2, parts, sent }).parts).toEqual(parts);
  });

  it('must be objects', () => {
    expect(() => readState({ version: 2, parts: { notes: 'x' } })).toThrow('parts.notes is not an object');
  });
});

describe('a state of version 1', () => {
  it('is upgraded without its permissions', () => {
    const {
      unread,
      actionIndex,
      turn: read,
      ...rest
    } = readState({
      version: 1,
      state: 3,
      untold: ['m'],
      grants: ['b'],
      reaction,
    });
    expect([unread, actionIndex, Object.keys(rest).includes('grants')]).toEqual([['m'], 3, false]);
    expect(read).toEqual({
      id: 't',
      request: { id: 'm', content: 'go' },
      stage: { name: 'think', unreadableReplies: 1 },
      category: 'TASK',
      step: 52,
      limitFrom: 50,
      usage: { tokens: 7, usd: 0.5, calls: 0, ms: 0 },
      userReply: { text: 'Almost done.', step: 50 },
      hasConsulted: true,
      lastOutput: 'ok',
      replies: {},
      answers: { 'ask:1': 'blue' },
      trace: reaction.trace,
    });
  });

  it('continues in its stage', () => {
    const commands = [{ name: 'a', args: {} }];
    const results = [{ name: 'a', ok: true, output: '' }];
    const batch = { commands, results, intent: 't.52.0', again: 2, stopped: true };
    const ended = { kind: 'ended', summary: 'Done.' };
    const stages = [
      { prepared: false },
      { batch },
      { batch: { ...batch, intent: null, again: undefined }, ended: true, summary: 'Done.' },
      { ended: true, summary: 'Done.' },
      { paused: true },
      { prepared: false, chosen: true },
    ].map((part) => upgraded(part)?.stage);
    const running = { name: 'act', commands, results, isStopped: true };
    expect(stages).toEqual([
      { name: 'classify' },
      { ...running, attempt: { callId: 't.52.0', retries: 2 }, ending: null },
      { ...running, attempt: null, ending: ended },
      { name: 'finish', ending: ended },
      { name: 'finish', ending: { kind: 'paused' } },
      { name: 'procedure', isActionChosen: true },
    ]);
  });

  it('preserves a reply that was not read yet, with the limit that cut it', () => {
    const limit = { tokens: 10, from: 'server', isEmpty: false };
    expect(upgraded({ commandReply: '[]', cut: true, limit })?.replies).toEqual({
      'think:52': { text: '[]', limit },
    });
    expect(upgraded({ commandReply: 'other', replies: { 'think:52': 'first' } })?.replies).toEqual({
      'think:52': { text: 'first', limit: null },
    });
  });
});

test('rejects a damaged or forged state by name, wherever the damage is', () => {
  const damaged: unknown[] = [];
  /** Yields the state with each of its values replaced in turn. */
  const damage = (value: unknown, put: (value: unknown) => unknown): void => {
    for (const wrong of [Symbol.iterator.toString, -0.5, { not: 'this' }, ['nor', ['this']]])
      if (typeof wrong !== typeof value || Array.isArray(wrong) !== Array.isArray(value))
        damaged.push(put(wrong));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
      damage(part, (other) =>
        put(Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }),
      );
  };
  for (const [key, part] of Object.entries(working))
    if (key !== 'version') damage(part, (other) => ({ ...working, [key]: other }));
  expect(damaged.length).toBeGreaterThan(150);
  for (const state of damaged) {
    try {
      readState(state);
    } catch (error) {
      expect(error).toBeInstanceOf(RoleZeroError);
      expect(error).toMatchObject({ code: 'storage-corrupt' });
      continue;
    }
    expect.fail(`read ${JSON.stringify(state)}`);
  }
});

test.each([
  [
    'more results than commands',
    { stage: { ...act, commands: [], results: [{ name: 'a', ok: true, output: '' }] } },
  ],
  ['a command without arguments', { stage: { ...act, commands: [{ name: 'end' }] } }],
  ['a stage that does not exist', { stage: { name: 'dream' } }],
  ['fields of another stage only', { stage: { name: 'think', commands: [] } }],
  ['no id', { id: undefined }],
])('rejects a turn with %s', (_what, part) => {
  expect(() => readState({ ...working, turn: { ...working.turn, ...part } })).toThrow(
    expect.objectContaining({
      code: 'storage-corrupt',
      message: expect.stringContaining('turn.') as string,
    }),
  );
});

test('does not confuse stored keys with properties of every object', () => {
  const state = readState(
    JSON.parse('{"version":2,"sent":{"__proto__":{"polluted":"yes"}},"__proto__":{"polluted":1}}'),
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(state.plan).toEqual(initialState().plan);
});

import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/worker/session-methods.js';
import { readSharedMessage } from '../../../src/worker/viewer.js';

describe('messages between tabs of one session', () => {
  it('forwards calls that read, stop, answer, or change a waiting request, and no others', () => {
    const forwarded = [...METHODS.keys()].filter(
      (method) => readSharedMessage({ type: 'call', call: 'c', holder: 'h', method, args: [] }) !== null,
    );
    expect(forwarded).toEqual([
      'stop',
      'answer',
      'cancel',
      'withdraw',
      'revise',
      'messages',
      'plan',
      'inspect',
      'steps',
      'prompt',
      'usage',
      'space',
      'export',
      'files.read',
      'files.readBytes',
      'files.readAll',
      'files.list',
      'files.stat',
      'files.glob',
      'files.history',
      'files.after',
      'files.difference',
      'files.diff',
      'memory.search',
      'memory.list',
      'memory.export',
      'notes.list',
      'notes.export',
      'branches.list',
      'approvals.list',
    ]);
  });

  it('ignores everything else', () => {
    const call = { type: 'call', call: 'c', holder: 'h', method: 'messages', args: [] };
    expect(readSharedMessage(call)).toEqual(call);
    for (const data of [
      null,
      'look',
      { answers: 'shout' },
      { ...call, method: 'send' },
      { ...call, method: 'files.write' },
      { ...call, method: 'open' },
      { ...call, method: 'toString' },
      { ...call, method: ['messages'] },
      { ...call, args: 'none' },
      { ...call, holder: 1 },
      { type: 'view', holder: 'h' },
      { type: 'events', holder: 'h', batch: 'news' },
      { type: 'result', call: 'c', result: null },
    ])
      expect(readSharedMessage(data)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { isShared, readSaid } from '../../../src/worker/shared-calls.js';

describe('what tabs of one session say to each other', () => {
  it('asks for nothing that writes', () => {
    for (const method of [
      'send',
      'resume',
      'open',
      'close',
      'beat',
      'forgetMemory',
      'changeMemory',
      'importMemory',
    ])
      expect(isShared(method, [])).toBe(false);
    for (const file of [
      'write',
      'writeAll',
      'makeDirectory',
      'remove',
      'move',
      'copy',
      'undo',
      'forgetHistory',
      'constructor',
    ])
      expect(isShared('files', [file, []])).toBe(false);
    expect(isShared('toString', [])).toBe(false);
    expect(isShared('files', ['read', ['/a.txt']])).toBe(true);
    expect(isShared('answer', ['id', 'blue'])).toBe(true);
  });

  it('is passed over when it is none of that', () => {
    const call = { said: 'call', call: 'c', holder: 'h', method: 'messages', args: [] };
    expect(readSaid(call)).toEqual(call);
    for (const data of [
      null,
      'look',
      { said: 'shout' },
      { ...call, method: 'send' },
      { ...call, args: 'none' },
      { ...call, holder: 1 },
      { said: 'shown', holder: 'h' },
      { said: 'told', holder: 'h', batch: 'news' },
      { said: 'result', call: 'c', result: null },
    ])
      expect(readSaid(data)).toBeNull();
  });
});

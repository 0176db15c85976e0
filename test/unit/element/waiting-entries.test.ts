import { describe, expect, it } from 'vitest';
import { type Entry, withQueue } from '../../../src/element/conversation.js';

const request = (id: string, text = id): Entry => ({ id, kind: 'request', text });
const step: Entry = { id: 's', kind: 'step', role: 'Zero', thought: '', commands: [] };
const queued = (messageId: string, content = messageId) => ({ messageId, content, role: 'Zero' });
const entries = [request('first'), request('a'), step, request('b')];

describe('the entries of requests that wait', () => {
  it('are added when another tab has sent them', () => {
    expect(withQueue(entries, 'waiting', ['b', 'c'], [queued('b'), queued('c', 'more')])).toEqual([
      ...entries,
      request('c', 'more'),
    ]);
  });

  it('show the files that are known once they are stored', () => {
    const files = ['/uploads/a.txt'];
    const waiting = [
      { ...queued('b'), files },
      { ...queued('c'), files },
    ];
    expect(withQueue(entries, 'waiting', ['b', 'c'], waiting)).toEqual([
      ...entries.slice(0, -1),
      { ...request('b'), files },
      { ...request('c'), files },
    ]);
  });

  it('have the changed words', () => {
    const after = withQueue(entries, 'revised', ['a'], [queued('a', 'other'), queued('b')]);
    expect(after).toEqual([request('first'), request('a', 'other'), step, request('b')]);
  });

  it('are removed when they are withdrawn', () => {
    expect(withQueue(entries, 'withdrawn', ['a'], [queued('b')])).toEqual([
      request('first'),
      step,
      request('b'),
    ]);
  });

  it('stand before the step that has read them', () => {
    expect(withQueue(entries, 'read', ['a'], [])).toEqual([
      request('first'),
      step,
      request('b'),
      request('a'),
    ]);
  });
});

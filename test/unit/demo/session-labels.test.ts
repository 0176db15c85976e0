import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../demo/state/session-names.js';
import { loadLabels, saveLabels, withLabel, withoutLabel } from '../../../demo/state/session-labels.js';

function storageOf(content: string | null): Storage {
  let stored = content;
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => (stored = value),
  } as unknown as Storage;
}

describe('the labels of sessions', () => {
  it('are stored, and a value can be changed and removed alone', () => {
    const storage = storageOf(null);
    const both = withLabel(withLabel({}, 'a', { first: 'Build it' }), 'a', { title: 'Mine' });
    saveLabels(storage, both);
    expect(loadLabels(storage)).toEqual({ a: { first: 'Build it', title: 'Mine' } });
    expect(withLabel(both, 'a', { title: undefined })).toEqual({ a: { first: 'Build it' } });
    expect(withoutLabel(both, 'a')).toEqual({});
  });

  it('ignore what another program has stored', () => {
    expect(loadLabels(storageOf('no JSON'))).toEqual({});
    expect(loadLabels(storageOf('[1]'))).toEqual({});
    expect(loadLabels(storageOf('{"a": {"title": 5, "first": "x"}, "b": null}'))).toEqual({
      a: { first: 'x' },
      b: {},
    });
  });

  it('give a session its title; without one it has the beginning of its request', () => {
    const name = 'Build a shop · 2026-01-01 10:00:00';
    expect(nameOf(name, {})).toBe('Build a shop');
    expect(nameOf(name, { [name]: { title: 'Kumo' } })).toBe('Kumo');
    expect(nameOf('tour remember 2026-01-01 10:00:00', {})).toBe('Remember');
  });
});

import { describe, expect, it } from 'vitest';
import { isTour, newSessionName, newTourName, titleOf } from '../../../demo/state/session-names.js';

const NOON = new Date(Date.UTC(2026, 0, 1, 12));

describe('names of sessions', () => {
  it('begin with what was asked', () => {
    expect(newSessionName('Build a clock\nwith hands', NOON)).toBe('Build a clock · 2026-01-01 12:00:00');
    expect(titleOf(newSessionName('Build a clock', NOON))).toBe('Build a clock');
  });
  it('are cut between characters and stay within what a name may be', () => {
    const name = newSessionName('🎲'.repeat(300), NOON);
    expect(titleOf(name)).toBe(`${'🎲'.repeat(47)}…`);
    expect(name.length).toBeLessThan(200);
  });
  it('tell a tour from a request that says the same', () => {
    const tour = newTourName(NOON);
    expect([isTour(tour), titleOf(tour)]).toEqual([true, 'Tour']);
    expect(isTour(newSessionName(tour, NOON))).toBe(false);
    expect(isTour(null)).toBe(false);
  });
});

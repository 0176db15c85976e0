import { describe, expect, it } from 'vitest';
import { isTeam, newSessionName, newTourName, titleOf, tourIn } from '../../../demo/state/session-names.js';

const NOON = new Date(Date.UTC(2026, 0, 1, 12));

describe('names of sessions', () => {
  it('begin with the request', () => {
    expect(newSessionName('Build a clock\nwith hands', NOON)).toBe('Build a clock · 2026-01-01 12:00:00.000');
    expect(titleOf(newSessionName('Build a clock', NOON))).toBe('Build a clock');
  });
  it('are cut between characters and stay within the limit of a name', () => {
    const name = newSessionName('🎲'.repeat(300), NOON);
    expect(titleOf(name)).toBe(`${'🎲'.repeat(47)}…`);
    expect(name.length).toBeLessThan(200);
  });
  it('are well-formed, whatever was pasted', () => {
    expect(titleOf(newSessionName('half \ud83c a die 🎲', NOON))).toBe('half \uFFFD a die 🎲');
  });
  it('identify the tour from the request, also for a similar one', () => {
    const tour = newTourName('find-and-fix', NOON);
    expect(tourIn(tour)).toBe('find-and-fix');
    expect(tourIn(newSessionName(tour, NOON))).toBe(null);
    expect(tourIn('tour unheard-of 2026-01-01 12:00:00')).toBe(null);
    expect(tourIn(null)).toBe(null);
  });
  it('identify a team, also from a request for one', () => {
    const name = newSessionName('Plan · a', NOON, true);
    expect([isTeam(name), titleOf(name)]).toEqual([true, 'Plan · a']);
    expect([isTeam(newSessionName('team', NOON)), titleOf(newSessionName('team', NOON))]).toEqual([
      false,
      'team',
    ]);
  });
});

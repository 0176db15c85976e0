import { expect, it } from 'vitest';
import type { Phase } from '../../../../src/core/events.js';
import { assertTransition } from '../../../../src/agent/runtime/state.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';

const allowed = (from: Phase, to: Phase): boolean => {
  try {
    assertTransition(from, to);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'internal', detail: { from, to } });
    return false;
  }
};

it('R-204 a role passes through the phases in order, and reports every change', async () => {
  const model = scriptedModel({
    think: [
      commands(['RoleZero.ask_human', { question: 'blue?' }]),
      commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
    ],
  });
  const { events } = await runRole(new RoleZero({ callPlan: 'classic', model }), 'paint it', {
    answers: ['yes'],
  });
  const phases = events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []));
  expect(phases).toEqual([
    'classifying',
    'thinking',
    'acting',
    'waiting-human',
    'acting',
    'thinking',
    'acting',
    'ended',
    'idle',
  ]);
});

it('R-204 rejects an invalid transition as a programming error', () => {
  expect(allowed('idle', 'ended')).toBe(false);
  expect(allowed('classifying', 'acting')).toBe(false);
  expect(allowed('idle', 'waiting-human')).toBe(false);
  expect(allowed('thinking', 'acting')).toBe(true);
  const all: Phase[] = ['idle', 'classifying', 'thinking', 'acting', 'waiting-human', 'ended', 'failed'];
  expect(all.filter((phase) => !allowed(phase, 'failed') || !allowed(phase, 'idle'))).toEqual([]);
});

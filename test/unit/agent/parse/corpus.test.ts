import { describe, expect, test } from 'vitest';
import { parseCommands } from '../../../../src/agent/parse/commands.js';
import { thoughtOf } from '../../../../src/agent/stream/thought-text.js';
import { REPLIES } from '../../../corpus/replies.js';

describe('replies as small models write them', () => {
  test.each(REPLIES)('$name', ({ reply, commands, error, thought }) => {
    const parsed = parseCommands(reply);
    if (error !== undefined) {
      expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(error) as string });
      return;
    }
    expect(parsed).toEqual({
      ok: true,
      commands,
      repaired: parsed.ok && parsed.repaired,
      incomplete: parsed.ok ? parsed.incomplete : undefined, // see incomplete-commands.test.ts
    });
    if (thought !== undefined) expect(thoughtOf(reply, 'think')).toBe(thought);
  });

  test('has enough entries with unique names', () => {
    expect(new Set(REPLIES.map((reply) => reply.name)).size).toBe(REPLIES.length);
    expect(REPLIES.length).toBeGreaterThanOrEqual(60);
  });
});

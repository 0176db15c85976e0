import { expect, it } from 'vitest';
import { bytesPerStep, FILE, STEP_KINDS, STEPS } from '../../bench/bytes-per-step.js';

/**
 * Bytes that a step may write: the reply with a file's text, and the file. The former text of a replaced file remains. The replica quotes the
 * file from the reply. A step without files writes its messages and the state of its role.
 */
const MOST = {
  write: { database: 2.6 * FILE, replica: 1.7 * FILE },
  rewrite: { database: 2.5 * FILE, replica: 1.5 * FILE },
  edit: { database: 2.6 * FILE, replica: 2.6 * FILE },
  count: { database: 4_200, replica: 6_300 },
  three: { database: 13_000, replica: 30_000 },
} satisfies Record<keyof typeof STEP_KINDS, object>;

it.each(Object.entries(STEP_KINDS))(
  'stores little more than a step of kind %s contains',
  async (name, kind) => {
    const most = MOST[name as keyof typeof STEP_KINDS];
    const { database, replica, tables, commits, stored } = await bytesPerStep(kind, name);
    const of = `${name}: ${JSON.stringify({ database, replica, tables })}`;
    expect(database, of).toBeLessThanOrEqual(most.database);
    expect(replica, of).toBeLessThanOrEqual(most.replica);
    // Every step of these kinds writes a file of that length.
    if (most.database > FILE) expect(stored.database / (STEPS * FILE)).toBeLessThanOrEqual(2.3);
    // One, as its commands have no effect outside of the session; two for a step that also summarizes the conversation.
    expect(commits).toBeLessThan(1.1);
  },
);

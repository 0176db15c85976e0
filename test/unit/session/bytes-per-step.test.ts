import { expect, it } from 'vitest';
import { bytesPerStep, FILE, STEP_KINDS, STEPS } from '../../bench/bytes-per-step.js';

/**
 * Bytes that a step may write: the reply with a file's text, and the file. The former text of a replaced file remains. The replica quotes the
 * file from the reply. A change of one line stores that line, however long the file is. A step without files writes its messages and the state of its role.
 */
const MOST = {
  write: { database: 2.5 * FILE, replica: 1.5 * FILE },
  rewrite: { database: 2.5 * FILE, replica: 1.5 * FILE },
  edit: { database: 7_000, replica: 9_000 },
  editSmall: { database: 7_000, replica: 9_000 },
  editLarge: { database: 7_000, replica: 9_000 },
  count: { database: 4_200, replica: 6_300 },
  three: { database: 8_500, replica: 16_500 },
} satisfies Record<keyof typeof STEP_KINDS, object>;

/** Bytes per measured step of a file that was begun before them, and is compressed during them. */
const FROM_BEFORE = 25_000;

it.each(Object.entries(STEP_KINDS))(
  'stores little more than a step of kind %s contains',
  async (name, kind) => {
    const most = MOST[name as keyof typeof STEP_KINDS];
    const { database, replica, compressed, tables, commits, stored } = await bytesPerStep(kind, name);
    const of = `${name}: ${JSON.stringify({ database, replica, tables })}`;
    expect(database, of).toBeLessThanOrEqual(most.database);
    expect(replica, of).toBeLessThanOrEqual(most.replica);
    expect(compressed, of).toBeLessThanOrEqual((most.replica + FROM_BEFORE) / 4);
    // Every step of these kinds writes a file of that length.
    if (most.database > 2 * FILE) expect(stored.database / (STEPS * FILE)).toBeLessThanOrEqual(2.3);
    // One, as its commands have no effect outside of the session; two for a step that also summarizes the conversation.
    expect(commits).toBeLessThan(1.1);
  },
);

import { describe, expect, it } from 'vitest';
import { runMixture } from '../../chaos/mixtures/history.js';
import { NodeWorld } from '../../chaos/mixtures/node-world.js';
import { mixtureOf, OPERATIONS, shrunk, type Mixture } from '../../chaos/mixtures/operations.js';
import { describeFailure, runMixtures } from '../../chaos/mixtures/run-mixtures.js';

/** `npm run test:chaos` runs any number. */
const MIXTURES = 20;

describe('a random mixture of all calls of sessions', () => {
  it('loses nothing, repeats nothing and shows the same to all clients', { timeout: 60_000 }, async () => {
    const { failures } = await runMixtures(1, MIXTURES);
    expect(failures.map(describeFailure)).toEqual([]);
  });

  it('detects a session that loses acknowledged changes', async () => {
    const mixture = mixtureOf(1, 50);
    const writes: Mixture = {
      settings: { ...mixture.settings, notes: 'own' },
      operations: mixture.operations.map((operation, index) => ({
        ...operation,
        kind: index === 0 ? 'writeNote' : index === 1 ? 'write' : 'openGate',
        what: 1,
      })),
    };
    const world = new NodeWorld(writes.settings);
    const open = world.open.bind(world);
    world.open = async (...args) => {
      const opened = await open(...args);
      const { client } = opened;
      const notes = { ...client.notes, write: async () => (await client.notes.list())[0] as never };
      return { ...opened, client: Object.defineProperties(client, { notes: { value: notes } }) };
    };
    expect(await runMixture(writes, world)).toEqual([
      expect.stringMatching(/^s1 at the end: note "user note \d+" exists 0 times$/u),
    ]);
  });

  it('contains every operation, and is shortened to those that matter', async () => {
    const mixture = mixtureOf(7, 2_000);
    expect(new Set(mixture.operations.map(({ kind }) => kind))).toEqual(new Set(OPERATIONS));
    const matters = ({ operations }: Mixture): boolean =>
      operations.findIndex(({ kind }) => kind === 'kill') <
      operations.findLastIndex(({ kind }) => kind === 'undoAny');
    const { operations } = await shrunk(
      { ...mixture, operations: mixture.operations.slice(0, 100) },
      async (shorter) => matters(shorter) && shorter.operations.some(({ kind }) => kind === 'kill'),
    );
    expect(operations).toEqual([
      { kind: 'kill', where: 0, what: 0, after: 0, waits: true },
      { kind: 'undoAny', where: 0, what: 0, after: 0, waits: true },
    ]);
  });
});

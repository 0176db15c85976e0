import { describe, expect, it } from 'vitest';
import { runMixture } from '../../chaos/mixtures/history.js';
import { NodeWorld } from '../../chaos/mixtures/node-world.js';
import {
  mixtureOf,
  OPERATIONS,
  shrunk,
  type Mixture,
  type Operation,
} from '../../chaos/mixtures/operations.js';
import { describeFailure, runMixtures } from '../../chaos/mixtures/run-mixtures.js';

/** `npm run test:chaos` runs any number. */
const MIXTURES = 20;

describe('a random mixture of all calls of sessions', () => {
  it('loses nothing, repeats nothing and shows the same to all clients', { timeout: 120_000 }, async () => {
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

  describe('with an undo of a write', () => {
    const step = { where: 1, what: 1, after: 0, waits: true };
    const { settings } = mixtureOf(1, 0);
    const undone = (...operations: Partial<Operation>[]): Mixture => ({
      settings: { ...settings, storage: 'database' },
      operations: operations.map((operation) => ({ kind: 'write', ...step, ...operation })),
    });

    it('expects no file whose write was still in progress', async () => {
      const mixture = undone({}, { waits: false }, { kind: 'undoNewest', after: 1 });
      expect(await runMixture(mixture, new NodeWorld(mixture.settings))).toEqual([]);
    });

    it('detects that it removes another file', async () => {
      const mixture = undone({}, {}, { kind: 'undoNewest' });
      const world = new NodeWorld(mixture.settings);
      const open = world.open.bind(world);
      world.open = async (...args) => {
        const opened = await open(...args);
        const { files } = opened.client;
        const undo: typeof files.undo = async (...all) => {
          const result = await files.undo(...all);
          await files.remove('/own/1.txt').catch(() => undefined); // the check undoes, too
          return result;
        };
        return {
          ...opened,
          client: Object.defineProperties(opened.client, { files: { value: { ...files, undo } } }),
        };
      };
      expect(await runMixture(mixture, world)).toContain(
        's1 at the end: /own/1.txt is undefined, and was written',
      );
    });
  });

  describe('with cleared data', () => {
    const step = { where: 1, what: 1, after: 0, waits: true };
    const { settings } = mixtureOf(1, 0);
    const mixture: Mixture = {
      settings: { ...settings, storage: 'database' },
      operations: (['write', 'send', 'clearData', 'write', 'check'] as const).map((kind) => ({
        kind,
        ...step,
      })),
    };

    it('expects nothing of what was stored before', async () => {
      expect(await runMixture(mixture, new NodeWorld(mixture.settings))).toEqual([]);
    });

    it('detects a client that does not notice it', async () => {
      const world = new NodeWorld(mixture.settings);
      world.clearData = async () => true;
      expect(await runMixture(mixture, world)).toEqual([
        'a change was stored after the data of the site was cleared',
      ]);
    });
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

import { connect, sessions, type Session } from 'rolezero';
import type { MemoryExport } from '../../../src/core/long-term.js';
import type { SessionSpace } from '../../../src/core/space.js';

/** Calls that the test makes. */
export interface Stage {
  /** Number of `storage-low` warnings so far. */
  warnings: number;
  /** Opens the session and adds 20 memories of 60 kB; `m3` is pinned. */
  open(): Promise<number>;
  /** Opens the session again, as after a reload. Returns null, or the error code. */
  reopen(): Promise<string | null>;
  /** Returns whether the session is read-only. */
  viewing(): boolean;
  /** Removes the file with this number. Returns null, or the error code. */
  remove(number: number): Promise<string | null>;
  /** Writes a file of 20 kB. Returns null, or the error code. */
  write(): Promise<string | null>;
  /** Writes such files until one is rejected. Returns the error code. */
  fill(): Promise<string>;
  space(): Promise<SessionSpace>;
  memories(): Promise<string[]>;
  /** Archives this many of the oldest memories. Returns their ids. */
  archive(oldest: number): Promise<string[]>;
  files(): Promise<number>;
  /** Returns the export of the open session; without one, what can be read of it. */
  exported(): Promise<string>;
  written(): number;
}

let session: Session | null = null;
let written = 0;
const opened = (): Session => {
  if (session === null) throw new Error('open the session first');
  return session;
};

/** Incompressible characters. */
function noise(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length / 2));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function connected(): Promise<Session> {
  const makeWorker = (): Worker =>
    new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
  const agent = await connect(makeWorker, { session: 'full', persist: false });
  agent.on((event) => {
    if (event.type === 'warning' && event.code === 'storage-low') full.warnings += 1;
  });
  return agent;
}

window.full = {
  warnings: 0,
  async open() {
    session = await connected();
    const items = Array.from({ length: 20 }, (_, number) => {
      const message = { content: `${number} ${noise(60_000)}`, role: 'user', causeBy: '', sentFrom: '' };
      const id = `m${number}`;
      return {
        id,
        role: '',
        project: '',
        createdAt: number,
        message: { ...message, id, sendTo: [], metadata: {} },
      };
    });
    const count = await session.memory.import({ format: 'rolezero-memory', version: 1, session: 'x', items });
    await session.memory.change('m3', { pinned: true });
    return count;
  },
  async reopen() {
    try {
      session = await connected();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  viewing: () => opened().viewing,
  async remove(number) {
    try {
      await opened().files.remove(`/${number}.txt`);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  async write() {
    try {
      await opened().files.write(`/${++written}.txt`, noise(20_000));
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  async fill() {
    for (;;) {
      const refused = await full.write();
      if (refused !== null) return refused;
    }
  },
  space: () => opened().space(),
  memories: async () => (await opened().memory.list()).map(({ id }) => id),
  async archive(oldest) {
    let saved: MemoryExport | undefined;
    await opened().memory.archive({ oldest }, (document) => {
      saved = document;
      return true;
    });
    return (saved?.items ?? []).map(({ id }) => id);
  },
  exported: async () => JSON.stringify(await (session?.export() ?? sessions.export('full'))),
  files: async () => (await opened().files.list()).length,
  written: () => written,
};

declare global {
  interface Window {
    full: Stage;
  }
  const full: Stage;
}

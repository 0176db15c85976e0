import { RoleZeroError, sessions, type Session } from 'rolezero';
import { offer } from './offer.js';
import type { Store } from './state/app-state.js';
import { isTeam, nameOf, newSessionName, tourIn } from './state/session-names.js';
import { saveLabels, withLabel, withoutLabel, type SessionLabel } from './state/session-labels.js';
import { t } from './text/index.js';

/** The sessions in this browser: their list, titles, export and import. */
export class SessionList {
  constructor(
    private readonly store: Store,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
  ) {}

  readonly load = async (): Promise<void> => {
    await this.guarded(async () => {
      const all = await sessions.list();
      this.store.update({ sessions: all.sort((a, b) => b.updatedAt - a.updatedAt) });
    });
  };

  /** The displayed title of a session. */
  titleOf(name: string): string {
    return nameOf(name, this.store.state.labels);
  }

  /** Changes what is known about a session besides itself. */
  label(name: string, change: { [Key in keyof SessionLabel]: SessionLabel[Key] | undefined }): void {
    const labels = withLabel(this.store.state.labels, name, change);
    saveLabels(localStorage, labels);
    this.store.update({ labels });
  }

  /** Stores the beginning of the first request of a session that was not created here, for the search. */
  labelFirst(name: string, text: string): void {
    if (tourIn(name) === null && this.store.state.labels[name]?.first === undefined)
      this.label(name, { first: text });
  }

  /** Adds a request to the beginning of the first one, for the search. */
  labelRequest(name: string, text: string): void {
    const { first } = this.store.state.labels[name] ?? {};
    if (tourIn(name) === null && first?.includes(text) !== true)
      this.label(name, { first: [first ?? '', text].join('\n').trim() });
  }

  /** Gives a session a title; an empty one restores the first. */
  rename(name: string, title: string): void {
    const own = title.trim();
    this.label(name, { title: own === '' ? undefined : own });
    this.store.update({ renaming: null, announcement: t.renamed(this.titleOf(name)) });
  }

  async remove(name: string): Promise<void> {
    await this.guarded(async () => {
      await sessions.remove(name).catch(explainBusy);
      const labels = withoutLabel(this.store.state.labels, name);
      saveLabels(localStorage, labels);
      this.store.update({ labels });
    });
    await this.load();
  }

  /** Downloads the complete session as a file. */
  async export(session: Session): Promise<void> {
    await this.guarded(async () => {
      const document = await session.export();
      offer(`${this.titleOf(session.name)}.json`, JSON.stringify(document));
    });
  }

  /** Downloads all sessions as one archive, which can be imported. Says which ones could not be read. */
  async exportAll(): Promise<void> {
    await this.guarded(async () => {
      const { packSessions } = await import('./panes/session-archive.js');
      const titles = new Map((await sessions.list()).map(({ name }) => [name, this.titleOf(name)]));
      const { archive, failed } = await packSessions(titles);
      offer(`RoleZero ${new Date().toISOString().slice(0, 10)}.zip`, archive);
      if (failed.length > 0) throw new RoleZeroError('invalid', t.notExported(failed.join(', ')));
      this.store.update({ announcement: t.exportedAll(titles.size) });
    });
  }

  /**
   * Restores the sessions in a file: an exported session, or an archive of several. Returns their names.
   * @throws RoleZeroError also when some of an archive could not be restored; the others were.
   */
  async import(file: File): Promise<string[]> {
    if (!file.name.endsWith('.zip')) return [await this.#restore(await file.text())];
    const { unpackSessions } = await import('./panes/session-archive.js');
    const names: string[] = [];
    const failed: string[] = [];
    for (const [path, text] of await unpackSessions(file)) {
      try {
        names.push(await this.#restore(text));
      } catch (error) {
        failed.push(`${path} (${error instanceof Error ? error.message : String(error)})`);
      }
    }
    if (names.length + failed.length === 0) notASession();
    if (failed.length > 0) {
      await this.load();
      throw new RoleZeroError('invalid', t.notImported(names.length, failed.join(', ')));
    }
    return names;
  }

  /** Restores an exported session, under another name when its own is taken. Returns its name. */
  async #restore(text: string): Promise<string> {
    const document = readJson(text);
    const taken = new Set((await sessions.list()).map(({ name }) => name));
    const own = (document as { name?: unknown } | null)?.name;
    if (typeof own !== 'string') return notASession();
    const name = taken.has(own) ? newSessionName(this.titleOf(own), new Date(), isTeam(own)) : own;
    await sessions.import(document, name);
    return name;
  }
}

/** Not the error of the open session, which another tab may have, too. */
function explainBusy(error: unknown): never {
  if (error instanceof RoleZeroError && error.code === 'session-busy')
    throw new RoleZeroError('invalid', `${t.busy} ${t.closeFirst}`);
  throw error;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notASession();
  }
}

function notASession(): never {
  throw new RoleZeroError('invalid', t.notASession);
}

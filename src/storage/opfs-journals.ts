import { answered } from '../core/answered.js';
import { fingerprint } from '../core/fingerprint.js';
import type { JournalFile, JournalFolder, OpenFile } from './journal-folder.js';

/** Stores the replicas of the sessions of one database. */
export interface Journals {
  /** Opens the root of all folders ahead of a `folder` call. Never throws. */
  prepare(): void;
  /** Returns the folder of a session; null without `create` when there is none, or where the browser has no such files. */
  folder(session: string, options: { create: boolean }): Promise<JournalFolder | null>;
  /** Returns the folders of all sessions. */
  folders(): Promise<JournalFolder[]>;
  remove(session: string): Promise<void>;
}

const ROOT_FOLDER = 'rolezero';
/** Folder with files derived from records. */
const DERIVED_FOLDER = 'derived';

/** Stores replicas in the origin private file system. Writes only in workers, because synchronous writing is not available elsewhere. */
export function opfsJournals(databaseName: string): Journals {
  const place = async (create: boolean): Promise<FileSystemDirectoryHandle | null> => {
    const storage = (navigator as { storage?: Partial<StorageManager> }).storage; // missing in an insecure context
    const root = (await storage?.getDirectory?.()) ?? null;
    const ours = root && (await inner(root, ROOT_FOLDER, create));
    return ours && inner(ours, fingerprint(databaseName), create);
  };
  let prepared: ReturnType<typeof place> | null = null;
  return {
    prepare() {
      if (prepared !== null || !canWrite()) return;
      prepared = place(true);
      prepared.catch(() => undefined); // the call that needs it receives the error
    },
    async folder(session, { create }) {
      if (create && !canWrite()) return null;
      const within = async (found: FileSystemDirectoryHandle | null) =>
        found && inner(found, fingerprint(session), create);
      const early = create ? prepared : null;
      prepared = null;
      // The user may clear the site's data at any time: the directory opened earlier may be gone.
      const own = (await within(await early)) ?? (await within(await place(create)));
      return own && new OpfsFolder(own);
    },
    async folders() {
      const found = await place(false);
      const folders: JournalFolder[] = [];
      for await (const handle of found?.values() ?? [])
        if (handle.kind === 'directory') folders.push(new OpfsFolder(handle));
      return folders;
    },
    async remove(session) {
      const found = await place(false);
      if (found === null) return;
      const removed = found.removeEntry(fingerprint(session), { recursive: true });
      await answered(found, removed).catch(ignoreMissing);
    },
  };
}

function canWrite(): boolean {
  return (
    typeof FileSystemFileHandle !== 'undefined' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype
  );
}

/** The DOM types lack this method, because it exists in workers only. */
function access(file: FileSystemFileHandle): Promise<OpenFile> {
  const opening = file as unknown as { createSyncAccessHandle(): Promise<OpenFile> };
  return answered(file, opening.createSyncAccessHandle());
}

class OpfsFolder implements JournalFolder {
  readonly #handle: FileSystemDirectoryHandle;

  constructor(handle: FileSystemDirectoryHandle) {
    this.#handle = handle;
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#handle.keys()) if (name !== DERIVED_FOLDER) names.push(name);
    return names;
  }

  async read(name: string): Promise<Blob> {
    const handle = await this.#handle.getFileHandle(name);
    return answered(handle, handle.getFile());
  }

  async create(name: string): Promise<JournalFile> {
    const handle = await access(await this.#handle.getFileHandle(name, { create: true }));
    const encoder = new TextEncoder();
    let at = handle.getSize();
    return {
      append: (content) => {
        const bytes = typeof content === 'string' ? encoder.encode(content) : content;
        const written = handle.write(bytes, { at });
        at += written;
        if (written < bytes.length)
          throw new DOMException('There is not enough space for it.', 'QuotaExceededError');
      },
      flush: () => handle.flush(),
      close: () => handle.close(),
    };
  }

  async openFile(name: string): Promise<OpenFile> {
    const folder = await this.#handle.getDirectoryHandle(DERIVED_FOLDER, { create: true });
    return access(await answered(folder, folder.getFileHandle(name, { create: true })));
  }

  async remove(name: string): Promise<void> {
    await this.#handle.removeEntry(name).catch((error: unknown) => {
      // A writer that lost the session without noticing still has the file open. Its content is no longer used, and the next cleanup
      // removes it.
      if (!(error instanceof DOMException) || error.name !== 'NoModificationAllowedError')
        ignoreMissing(error);
    });
  }
}

async function inner(
  parent: FileSystemDirectoryHandle,
  name: string,
  create: boolean,
): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await answered(parent, parent.getDirectoryHandle(name, { create }));
  } catch (error) {
    ignoreMissing(error);
    return null;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error;
}

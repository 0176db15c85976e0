import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RandomState } from '../../../src/core/runtime.js';
import type { StorageWarning } from '../../../src/core/store.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { storageError } from '../../../src/storage/storage-error.js';
import { put } from '../../contracts/records.js';
import { codeOf, errorOf } from '../../contracts/storage-contract.js';
import { freshName } from './fresh-name.js';

const random: RandomState = [1, 2, 3, 4];
const denied = () => new DOMException('The user denied permission to access the database.', 'SecurityError');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  if (!('FileSystemFileHandle' in globalThis)) return; // WebKitGTK
  delete (FileSystemFileHandle.prototype as { createSyncAccessHandle?: unknown }).createSyncAccessHandle;
});

/** Runs `code` in a frame with an opaque origin. A browser that blocks storage for a site reports the same errors. */
async function inSandbox(code: string): Promise<DOMException> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = `<script>(async () => { try { ${code} } catch ({ name, message }) { parent.postMessage({ name, message }, '*'); } })()</script>`;
  const heard = new Promise<DOMException>((resolve) => {
    addEventListener('message', ({ source, data }: MessageEvent<{ name: string; message: string }>) => {
      if (source === frame.contentWindow) resolve(new DOMException(data.message, data.name));
    });
  });
  document.body.append(frame);
  try {
    return await heard;
  } finally {
    frame.remove();
  }
}

describe('a browser that stores nothing', () => {
  it('forbids the database: every use fails by name, and works once it is allowed', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw denied();
    });
    const storage = indexedDbStorage({ databaseName: freshName() });
    for (const use of [() => storage.open('game'), () => storage.list(), () => storage.export('game')]) {
      const error = await errorOf(use());
      expect([error.code, error.message]).toEqual([
        'storage-unavailable',
        expect.stringContaining('a browser that allows site data'),
      ]);
      expect((error.cause as DOMException).name).toBe('SecurityError');
    }
    open.mockRestore();
    const store = await storage.open('game'); // The lock was released, too.
    await store.commit([put('roles', 'Zero', 1)], random);
    expect(await store.load('roles')).toEqual([{ key: 'Zero', value: 1 }]);
    await store.close();
  });

  it('has no database', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const storage = indexedDbStorage({ databaseName: freshName() });
    expect(await codeOf(storage.open('game'))).toBe('storage-unavailable');
    expect(await codeOf(storage.list())).toBe('storage-unavailable');
  });

  it.each([
    ['the database', "await indexedDB.open('x', 1);"],
    ['the lock', "await navigator.locks.request('x', () => {});"],
  ])('rejects a sandboxed frame %s with the same code', async (_what, code) => {
    const refusal = await inSandbox(code);
    expect(refusal.name).toBe('SecurityError');
    expect(storageError(refusal, 'open').code).toBe('storage-unavailable');
  });

  it('describes private windows of older browsers', () => {
    const words = 'A mutation operation was attempted on a database that did not allow mutations.';
    expect(storageError(new DOMException(words, 'InvalidStateError'), 'open').code).toBe(
      'storage-unavailable',
    );
  });

  it("reports a full disk when Chromium's LevelDB closes the connection because of it", () => {
    const words =
      'Connection is closing because of: IO error: .../site.indexeddb.leveldb/000008.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)';
    expect(storageError(new DOMException(words, 'UnknownError'), 'use').code).toBe('storage-full');
  });

  it(
    'forbids files: the session works without its replica and reports that',
    { tags: 'storage-api' },
    async () => {
      vi.spyOn(StorageManager.prototype, 'getDirectory').mockRejectedValue(denied());
      Object.defineProperty(FileSystemFileHandle.prototype, 'createSyncAccessHandle', {
        value: () => {}, // Only workers write replicas.
        configurable: true,
      });
      const storage = indexedDbStorage({ databaseName: freshName() });
      const store = await storage.open('game');
      const warnings: StorageWarning[] = [];
      store.listen?.((warning) => warnings.push(warning));
      await store.commit([put('roles', 'Zero', 1)], random);
      expect(warnings).toMatchObject([{ code: 'storage-copy', detail: { session: 'game' } }]);
      expect(warnings[0]?.message).toContain('denied permission');
      await store.close();
      expect(await (await storage.open('game')).load('roles')).toEqual([{ key: 'Zero', value: 1 }]);
    },
  );
});

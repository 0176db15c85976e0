import { openDB } from 'idb';

/**
 * Returns everything stored in this origin as text, by its place. Bytes are read as Latin-1 without zeros, so UTF-16
 * is readable.
 */
export async function everythingStored(): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await openDB(name);
    for (const store of db.objectStoreNames) {
      const keys = await db.getAllKeys(store);
      const values: unknown[] = await db.getAll(store);
      for (const [index, value] of values.entries()) {
        const key = textOf(keys[index]);
        stored.set(`IndexedDB ${name}/${store}/${key}`, `${key} ${await textOfAll(value)}`);
      }
    }
    db.close();
  }
  await readDirectory(await navigator.storage.getDirectory(), 'OPFS', stored);
  for (const [name, storage] of Object.entries({ localStorage, sessionStorage }))
    stored.set(name, JSON.stringify(Object.entries(storage)));
  stored.set('cookies', document.cookie);
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const headers = [...(response?.headers ?? [])].join();
      stored.set(`cache ${name} ${request.url}`, `${headers} ${(await response?.text()) ?? ''}`);
    }
  }
  return stored;
}

async function readDirectory(
  directory: FileSystemDirectoryHandle,
  path: string,
  stored: Map<string, string>,
): Promise<void> {
  for await (const [name, handle] of directory.entries()) {
    const at = `${path}/${name}`;
    if (handle.kind === 'directory') await readDirectory(handle, at, stored);
    else stored.set(at, `${name} ${await textOfAll(await handle.getFile())}`);
  }
}

async function textOfAll(value: unknown): Promise<string> {
  if (value instanceof Blob) return textOf(await value.arrayBuffer());
  if (value instanceof Map || value instanceof Set) return textOfAll([...(value as Iterable<unknown>)]);
  if (Array.isArray(value)) return (await Promise.all((value as unknown[]).map(textOfAll))).join(' ');
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  )
    return textOf(value);
  return textOfAll(Object.entries(value));
}

function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return bytesAsText(new Uint8Array(value));
  if (ArrayBuffer.isView(value))
    return bytesAsText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return String(value);
}

function bytesAsText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.filter((byte) => byte !== 0));
}

/** Forms of a secret: plain, in parts, and in base64 at every offset. */
export function formsOf(secret: string): string[] {
  const middle = secret.slice(3, -3);
  const encoded = ['', 'x', 'xx'].map((before) =>
    btoa(before + secret)
      .slice(before.length === 0 ? 0 : 4, -4)
      .replace(/=+$/, ''),
  );
  return [
    secret,
    middle,
    middle.slice(0, 12),
    middle.slice(-12),
    Array.from(secret).reverse().join(''),
    ...encoded,
  ];
}

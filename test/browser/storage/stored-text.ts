import { readStoredText } from '../../../src/storage/sealed-file.js';

/** Every record of the database as text. */
export async function inDatabase(databaseName: string): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('cannot open'));
  });
  const records = await new Promise<unknown>((resolve, reject) => {
    const request = database.transaction('records').objectStore('records').getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('cannot read'));
  });
  database.close();
  return JSON.stringify(records);
}

/** All files of the replicas as text; empty in a browser without files for them. */
export async function inReplicas(directory?: FileSystemDirectoryHandle): Promise<string> {
  if (!('storage' in navigator)) return '';
  const root = directory ?? (await navigator.storage.getDirectory());
  const texts: string[] = [];
  for await (const handle of root.values()) {
    if (handle.kind === 'directory') texts.push(await inReplicas(handle));
    else {
      const file = await handle.getFile();
      texts.push(await readStoredText({ read: async () => file }, handle.name));
    }
  }
  return texts.join('\n');
}

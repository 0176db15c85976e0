/**
 * How often in a row. LevelDB begins a new log by a write of nothing. Where that is queued right behind somebody's write it is taken
 * together with it, and no log begins: once in about 300 times on a busy machine, and three in a row once in 6,000.
 */
const TIMES = 3;

/**
 * Makes Chromium's LevelDB, in which all databases of an origin are, begin a new log and remove the old one, as it does for a deletion:
 * an empty database of this `name` is made and deleted, in some milliseconds. Elsewhere it does nothing. Rejects where storage is denied
 * or out of order.
 */
export async function beginNewLog(name: string): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    const database = await result(indexedDB.open(name));
    database.close();
    await result(indexedDB.deleteDatabase(name));
  }
}

function result<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });
}

/** Names the rows of a session in all stores of a database. */
export async function rowsOf(session: string, databaseName: string): Promise<string[]> {
  const database = await resultOf(indexedDB.open(databaseName));
  const rows: string[] = [];
  for (const store of database.objectStoreNames) {
    const keys = await resultOf(database.transaction(store).objectStore(store).getAllKeys());
    for (const key of keys)
      if (JSON.stringify([key].flat()[0]) === JSON.stringify(session))
        rows.push(`${store} ${JSON.stringify(key)}`);
  }
  database.close();
  return rows;
}

function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(String(request.error)));
  });
}

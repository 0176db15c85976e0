import { vi } from 'vitest';

interface Requests extends IDBTransaction {
  _execRequestAsync(request: { source: IDBObjectStore; operation: () => never }): IDBRequest<IDBValidKey>;
}

/**
 * Makes the databases of fake-indexeddb reject everything that needs space, as Chromium does on a full disk: removals alone still work.
 * `mockRestore()` of the result makes room.
 */
export function fillDisk(): { mockRestore(): void } {
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
    const operation = (): never => {
      throw new DOMException('', 'QuotaExceededError');
    };
    return (this.transaction as Requests)._execRequestAsync({ source: this, operation });
  });
}

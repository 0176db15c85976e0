import type { DerivedFile } from '../../../../src/core/store.js';

/** A file in memory with a limited size. Crashes leave it as it is. */
export class FileInMemory implements DerivedFile {
  bytes = new Uint8Array(0);
  room = Infinity;
  /** Number of writes since the last flush. */
  unflushed = 0;

  getSize(): number {
    return this.bytes.length;
  }

  read(bytes: Uint8Array, { at }: { at: number }): number {
    const part = this.bytes.subarray(at, at + bytes.length);
    bytes.set(part);
    return part.length;
  }

  write(bytes: Uint8Array, { at }: { at: number }): number {
    const end = at + bytes.length;
    if (end > this.room) throw new DOMException('Full.', 'QuotaExceededError');
    if (end > this.bytes.length) this.truncate(end);
    this.bytes.set(bytes, at);
    this.unflushed++;
    return bytes.length;
  }

  truncate(size: number): void {
    const bytes = new Uint8Array(size);
    bytes.set(this.bytes.subarray(0, size));
    this.bytes = bytes;
  }

  flush(): void {
    this.unflushed = 0;
  }
}

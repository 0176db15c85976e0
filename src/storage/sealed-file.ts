import { numberKey } from '../core/number-key.js';
import type { JournalFolder } from './journal-folder.js';

/**
 * Files of a replica that are complete are *sealed*: a compressed copy takes the place of each. It consists of blocks. Each begins with a
 * line that has the number of bytes of its text, before and after the compression; then the text follows, by `deflate-raw`. The lines of
 * the text contain their checksums, so no more than what precedes a damage is used of a damaged file: at least the blocks before it.
 */
const SUFFIX = '.deflate';

/** Bytes of the text of a block. */
const BLOCK_BYTES = 1_000_000;
/** The first line of a block. */
const HEADER = /^deflate-raw ([0-9]{10}) ([0-9]{10})\n/;
const HEADER_BYTES = headerOf(0, 0).length;
/** Bytes of text that a byte can be decompressed to at most: no text is longer, whatever the first line says. */
const MAX_RATIO = 1_040;

/** Returns the name of a sealed file. */
export function sealedName(name: string): string {
  return name + SUFFIX;
}

/** Returns the name of a file before it was sealed. */
export function unsealedName(name: string): string {
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
}

/** Reads files of a folder, and again when they were sealed, or replaced by a whole copy, meanwhile. */
export async function readFiles<Result>(
  folder: JournalFolder,
  read: (names: string[]) => Promise<Result>,
): Promise<Result> {
  let names = (await folder.names()).sort();
  for (;;) {
    try {
      return await read(names);
    } catch (error) {
      const before = names.join();
      names = (await folder.names()).sort();
      if (names.join() === before) throw error;
    }
  }
}

/** Returns the files of a folder that count: a sealed file next to its text is not complete, or not needed. */
export function countedFiles(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => name === unsealedName(name) || !all.has(unsealedName(name)));
}

/** Reads the text of a file; with `last`, at least that many bytes at its end. The first character may be damaged then. */
export async function readStoredText(
  folder: Pick<JournalFolder, 'read'>,
  name: string,
  last = Infinity,
): Promise<string> {
  const file = await folder.read(name);
  if (name === unsealedName(name)) return file.slice(Math.max(0, file.size - last)).text();
  const decoder = new TextDecoder();
  let text = '';
  for (let at = 0; ;) {
    const header = HEADER.exec(await file.slice(at, at + HEADER_BYTES).text());
    if (header === null) break;
    const [size, length] = [Number(header[1]), Number(header[2])];
    at += HEADER_BYTES;
    const block = file.slice(at, at + length);
    at += length;
    if (size > block.size * MAX_RATIO) break;
    const bytes = await decompress(block, size);
    for (const part of bytes) text += decoder.decode(part, { stream: true });
    if (totalLength(bytes) < size) break;
  }
  return text + decoder.decode();
}

/** Returns whether the browser can compress. */
export function canSeal(): boolean {
  try {
    new CompressionStream('deflate-raw');
    return true;
  } catch {
    return false;
  }
}

/** Returns a text as the content of a sealed file. */
export async function sealText(text: string): Promise<Uint8Array[]> {
  const parts = [];
  for await (const block of compressedBlocksOf(new Blob([text]))) parts.push(...block);
  return parts;
}

/**
 * Replaces a file by a sealed one, and returns that with its size in bytes. The text is removed after the sealed file is flushed, so a crash
 * loses nothing.
 *
 * @throws when there is no space, or when `signal` is aborted; the text remains.
 */
export async function sealFile(
  folder: JournalFolder,
  name: string,
  signal: AbortSignal,
): Promise<{ name: string; size: number }> {
  const text = await folder.read(name);
  const sealed = sealedName(name);
  await folder.remove(sealed); // one that a crash left
  try {
    const size = await writeBlocks(folder, sealed, text, signal);
    // The next writer may have removed the text, because it has forgotten something that is in it.
    if (!(await folder.names()).includes(name)) throw new Error(`The file '${name}' was removed.`);
    await folder.remove(name);
    return { name: sealed, size };
  } catch (error) {
    await folder.remove(sealed);
    throw error;
  }
}

async function writeBlocks(
  folder: JournalFolder,
  name: string,
  text: Blob,
  signal: AbortSignal,
): Promise<number> {
  const file = await folder.create(name);
  try {
    let size = 0;
    for await (const block of compressedBlocksOf(text)) {
      signal.throwIfAborted();
      for (const part of block) file.append(part);
      size += totalLength(block);
    }
    file.flush();
    return size;
  } finally {
    file.close();
  }
}

/** Removes files, and sealed ones by which a writer replaces them at this moment that has lost the session. */
export async function removeFiles(folder: JournalFolder, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await folder.remove(name);
    if (name === unsealedName(name)) await folder.remove(sealedName(name));
  }
}

function headerOf(size: number, length: number): string {
  return `deflate-raw ${numberKey(size)} ${numberKey(length)}\n`;
}

/** Returns the blocks of a text one after the other, each as its first line and its compressed text. */
async function* compressedBlocksOf(text: Blob): AsyncGenerator<[header: Uint8Array, compressed: Uint8Array]> {
  for (let from = 0; from < text.size; from += BLOCK_BYTES) {
    const part = text.slice(from, from + BLOCK_BYTES);
    const compressed = part.stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    yield [new TextEncoder().encode(headerOf(part.size, bytes.length)), bytes];
  }
}

/** Returns the text up to the first damage, and at most `size` bytes of it. */
async function decompress(block: Blob, size: number): Promise<Uint8Array[]> {
  const reader = block.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  try {
    for (let left = size; left > 0;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value.subarray(0, left));
      left -= value.length;
    }
  } catch {
    // damaged from here on
  }
  await reader.cancel().catch(() => undefined);
  return parts;
}

function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

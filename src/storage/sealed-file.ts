import { numberKey } from '../core/number-key.js';
import type { JournalFolder } from './journal-folder.js';

/**
 * Files of a replica that are complete are *sealed*: a compressed copy takes the place of each. It begins with a line that has the number
 * of bytes of the text; then the text follows, by `deflate-raw`. The lines of the text contain their checksums, so a sealed file that is
 * truncated or damaged is read like a text that is: up to the first line that is not intact.
 */
const SUFFIX = '.deflate';

/** The first line of a sealed file. */
const HEADER = /^deflate-raw ([0-9]{10,15})\n/;
/** Maximum length of that line, in bytes. */
const HEADER_BYTES = 40;
/** Bytes of text that a byte can be decompressed to at most: no text is longer, whatever the first line says. */
const MAX_RATIO = 1_040;

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
export async function readText(
  folder: Pick<JournalFolder, 'read'>,
  name: string,
  last = Infinity,
): Promise<string> {
  const file = await folder.read(name);
  if (name === unsealedName(name)) return file.slice(Math.max(0, file.size - last)).text();
  const size = Number(HEADER.exec(await file.slice(0, HEADER_BYTES).text())?.[1] ?? 0);
  const compressed = file.slice(headerOf(size).length);
  return size > compressed.size * MAX_RATIO ? '' : decompress(compressed, size);
}

/**
 * Replaces a file by a sealed one, and returns that with its size in bytes; null when the browser cannot compress. The text is removed
 * after the sealed file is flushed, so a crash loses nothing.
 *
 * @throws when there is no space, or when `signal` is aborted; the text remains.
 */
export async function seal(
  folder: JournalFolder,
  name: string,
  signal: AbortSignal,
): Promise<{ name: string; size: number } | null> {
  const compression = newCompression();
  if (compression === null) return null;
  const text = await folder.read(name);
  const sealed = name + SUFFIX;
  await folder.remove(sealed); // one that a crash left
  try {
    const size = await write(
      folder,
      sealed,
      headerOf(text.size),
      text.stream().pipeThrough(compression),
      signal,
    );
    // The next writer may have removed the text, because it has forgotten something that is in it.
    if (!(await folder.names()).includes(name)) throw new Error(`The file '${name}' was removed.`);
    await folder.remove(name);
    return { name: sealed, size };
  } catch (error) {
    await folder.remove(sealed);
    throw error;
  }
}

function headerOf(size: number): string {
  return `deflate-raw ${numberKey(size)}\n`;
}

async function write(
  folder: JournalFolder,
  name: string,
  header: string,
  content: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const file = await folder.create(name);
  const reader = content.getReader();
  try {
    let size = header.length;
    file.append(header);
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      file.append(value);
      size += value.length;
    }
    file.flush();
    return size;
  } finally {
    file.close();
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns null where the browser cannot compress. */
function newCompression(): CompressionStream | null {
  try {
    return new CompressionStream('deflate-raw');
  } catch {
    return null;
  }
}

/** Returns the text up to the first damage, and at most `size` bytes of it. */
async function decompress(compressed: Blob, size: number): Promise<string> {
  const reader = compressed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let left = size;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    // damaged from here on
  }
  await reader.cancel().catch(() => undefined);
  return text + decoder.decode();
}

import type { FileInput } from './files.js';
import { isRecord, type JsonValue } from './json.js';

/** The files of a request, as the page sends them to the worker. */
export interface AttachedFiles {
  /** Names the files; follows the text of the request. */
  note: string;
  /** Paths of the images among them. */
  images: readonly string[];
  /** Untrusted sources of the names in the note. */
  untrusted: readonly string[];
  /** The files that are stored together with the request. */
  files: readonly FileInput[];
}

/** Name of the metadata of a request with files. */
export const ATTACHED = 'attached';

/** What a stored request knows about its files. */
interface Attached {
  images: string[];
  /** The end of the message that the user has not written; null when the user has written none of it. */
  note: string | null;
}

/** Returns the metadata of a request with files. @param isOfUser the text before the note is the user's */
export function attachedMetadata({ note, images }: AttachedFiles, isOfUser: boolean): JsonValue {
  return { images: [...images], ...(isOfUser ? { note } : {}) };
}

/** Reads the files of a request from its metadata; null when it has none. */
export function attachedTo(metadata: Record<string, unknown>): Attached | null {
  const attached = metadata[ATTACHED];
  if (!isRecord(attached)) return null;
  const { images, note } = attached;
  return {
    images: Array.isArray(images) ? images.filter((path) => typeof path === 'string') : [],
    note: typeof note === 'string' && note !== '' ? note : null,
  };
}

/** Returns the paths in a note about files, and the names of files that are not stored. */
export function filesInNote(note: string): string[] {
  const lines = note.split('\n').filter((line) => line.startsWith('- '));
  return lines.map((line) => line.slice(2).replace(/(?: \(|, ).*$/, ''));
}

/** Returns the text of a request without the note about its files. */
export function withoutNote(content: string, metadata: Record<string, unknown>): string {
  const note = attachedTo(metadata)?.note ?? null;
  return note !== null && content.endsWith(note) ? content.slice(0, -note.length).trimEnd() : content;
}

import { filesInNote } from '../core/attached-files.js';
import { requestText } from '../core/envelope.js';

/** A request as it is shown: the words of the user, and the files beside them. */
export interface ShownRequest {
  kind: 'request';
  text: string;
  /** Paths of its files, and the names of those that are not stored; absent without any. */
  files?: readonly string[];
}

const NOTE = '\n\nAttached files:\n';

/** Returns a request as it is shown, from the content of its message, whose end names its files. */
export function shownRequest(content: string): ShownRequest {
  const whole = requestText(content);
  const at = whole.lastIndexOf(NOTE);
  const note = at < 0 ? '' : whole.slice(at + NOTE.length);
  if (note === '' || !note.split('\n').every((line) => line.startsWith('- ')))
    return { kind: 'request', text: whole };
  return { kind: 'request', text: whole.slice(0, at), files: filesInNote(note) };
}

/** Returns whether a path is that of an image, by its extension. */
export function isImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif)$/i.test(path);
}

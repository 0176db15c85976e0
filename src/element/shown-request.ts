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
  const lines = at < 0 ? [] : whole.slice(at + NOTE.length).split('\n');
  if (lines.length === 0 || !lines.every((line) => line.startsWith('- ')))
    return { kind: 'request', text: whole };
  return { kind: 'request', text: whole.slice(0, at), files: lines.map(nameIn) };
}

/** Returns the path in a line of the note, or the name of a file that is not stored. */
function nameIn(line: string): string {
  return line.slice(2).replace(/(?: \(|, ).*$/, '');
}

/** Returns whether a path is that of an image, by its extension. */
export function isImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif)$/i.test(path);
}

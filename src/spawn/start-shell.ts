import { scriptUrl } from './script-url.js';

let fromText: Promise<string> | undefined;

/** The address of the shell's worker, made from text (1.3 MB, loaded with the first call). One for all sessions of the page. */
export function shellAddress(): Promise<string> {
  fromText ??= import('../tools/terminal/shell-worker-inline.js').then(({ source }) => scriptUrl(source));
  return fromText;
}

import { RoleZeroError } from '../core/error.js';

/** Maximum number of characters of a whole path, of characters of one name in it, and of names in it. */
export const MAX_PATH = 1024;
const MAX_SEGMENT = 255;
const MAX_PATH_DEPTH = 64;

/** Characters that look like `/` or `\`, or become one when a text is normalized, beyond those that NFKC covers. */
const SEPARATOR_LOOK_ALIKES = /[\u2044\u2215\u2216\u2571\u2572\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/u;

/** Characters that look like `.`, beyond those that NFKC converts. */
const DOT_LOOK_ALIKES = /[\u00b7\u06d4\u0701\u0702\u2022\u2027\u3002\u30fb\ua4f8\uff61\uff65]/gu;

/** Control characters, line separators, and marks that change the reading order of a name. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** An absolute path of plain names, which is its own resolution. */
const SIMPLE = /^(?:\/[\w-]+(?:\.[\w-]+)*)+$/;
/** A simple path of this length has at most `MAX_PATH_DEPTH` names. */
const MAX_SIMPLE = 2 * MAX_PATH_DEPTH;

/**
 * Resolves `path` against a directory and returns an absolute path. The result is `/`-separated, without `.`, `..`, doubled or trailing
 * slashes, and never outside `/`, the workspace. Names are composed (NFC), so that two that look the same are the same. Percent signs are
 * ordinary characters; nothing is ever decoded, so `%2e%2e` is just a name.
 *
 * @throws RoleZeroError `permission` for a path that would leave the workspace or disguises itself (`..` beyond the root, drive letters,
 * backslashes, look-alikes of separators and dots); `invalid` for a text that cannot be a path (empty, control characters, broken Unicode,
 * too long, too deep). The message names the path and what to write instead.
 */
export function resolvePath(path: string, workingDirectory = '/'): string {
  if (path.length <= MAX_SIMPLE && SIMPLE.test(path)) return path;
  checkText(path);
  const whole = (path.startsWith('/') ? path : `${workingDirectory}/${path}`).normalize();
  const names = resolveNames(whole, path);
  checkSize(names, path);
  return `/${names.join('/')}`;
}

/** Like `resolvePath`, but returns null for a text that is no path of the workspace, such as a URL. */
export function resolvedPath(path: string): string | null {
  try {
    return resolvePath(path);
  } catch {
    return null;
  }
}

/** @throws RoleZeroError when `path` cannot be a path, or disguises itself. */
function checkText(path: string): void {
  if (path === '')
    throw pathError('invalid', path, 'is empty. Give the path of a file, for example "/notes.txt"');
  if (path.length > MAX_PATH) {
    throw pathError('invalid', path, `has ${path.length} characters; at most ${MAX_PATH} are allowed`);
  }
  if (CONTROL.test(path)) {
    throw pathError('invalid', path, 'contains a control character. Use printable characters only');
  }
  if (path.includes('\\')) {
    throw pathError('permission', path, 'contains a backslash. Separate names with "/"');
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(path)) {
    const example = 'Give the path of a file in the workspace, for example "/notes.txt"';
    throw pathError('invalid', path, `is a URL. ${example}`);
  }
  if (/^[a-z]:/iu.test(path) || /(^|\/)[a-z]:(\/|$)/iu.test(path)) {
    throw pathError('permission', path, 'has a drive letter. Paths start at "/", the workspace');
  }
  if (!/^[\x20-\x7e]*$/u.test(path)) checkUnicode(path);
}

/** Returns the names in a whole path, with `.` and `..` applied. @throws RoleZeroError `permission` when `..` leads beyond the root. */
function resolveNames(whole: string, path: string): string[] {
  const names: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') {
      names.push(name);
    } else if (names.pop() === undefined) {
      throw pathError('permission', path, 'leads out of the workspace. Stay inside "/": use fewer ".."');
    }
  }
  return names;
}

/** @throws RoleZeroError `invalid` when a resolved path, or a name in it, is too long. */
function checkSize(names: readonly string[], path: string): void {
  const long = names.find((name) => name.length > MAX_SEGMENT);
  if (long !== undefined) {
    const limit = `at most ${MAX_SEGMENT} are allowed`;
    throw pathError('invalid', path, `has a name of ${long.length} characters; ${limit}`);
  }
  if (names.length > MAX_PATH_DEPTH) {
    throw pathError('invalid', path, `is ${names.length} names deep; at most ${MAX_PATH_DEPTH} are allowed`);
  }
  const { length } = `/${names.join('/')}`;
  if (length > MAX_PATH) {
    throw pathError('invalid', path, `means ${length} characters; at most ${MAX_PATH} are allowed`);
  }
}

/** Returns the directory of a resolved path; `/` for the root itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

/** Returns the last name of a resolved path; empty for `/`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function checkUnicode(path: string): void {
  if (/\p{Surrogate}/u.test(path)) {
    throw pathError('invalid', path, 'contains half a character (a lone surrogate). Retype the name');
  }
  for (const name of path.split('/')) {
    const plain = name.normalize('NFKC');
    if (SEPARATOR_LOOK_ALIKES.test(name) || /[/\\]/u.test(plain)) {
      throw pathError(
        'permission',
        path,
        'contains a character that looks like a slash. Separate names with a plain "/"',
      );
    }
    const visible = plain.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(DOT_LOOK_ALIKES, '.');
    if (name !== visible && /^\.{0,2}$/u.test(visible) && name !== '') {
      throw pathError(
        'permission',
        path,
        'contains a name that looks like ".", ".." or nothing at all. Write plain dots or another name',
      );
    }
  }
}

function pathError(code: 'invalid' | 'permission', path: string, why: string): RoleZeroError {
  const shown = path.length > 120 ? `${path.slice(0, 120)}…` : path;
  // As JSON, so that invisible characters become visible.
  return new RoleZeroError(code, `The path ${visiblePath(shown)} ${why}.`, { path: shown });
}

function visiblePath(path: string): string {
  return JSON.stringify(path).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

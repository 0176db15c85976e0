/** Parts of checks. Each returns why a result is not acceptable, or null. */
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Cause, Evaluated, Failure, PlannedTask, Result, Task, TextFiles } from './task.js';

const MAX_SHOWN = 160;

export function failure(cause: Cause, reason: string): Failure {
  return { cause, reason };
}

/** Shortens a value for a reason. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { breakLength: Infinity, depth: 6 });
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The text of a file without spaces and line breaks at its ends, and with LF line breaks; null without the file. */
export function textOf(files: TextFiles, path: string): string | null {
  const text = files[path];
  return text === undefined ? null : text.replaceAll('\r\n', '\n').trim();
}

/** Requires files. When other files were made instead, the cause is the wrong file. */
export function exist(
  { files }: Result,
  { files: given = {} }: Pick<Task, 'files'>,
  ...paths: string[]
): Failure | null {
  const missing = paths.filter((path) => files[path] === undefined);
  if (missing.length === 0) return null;
  const others = Object.keys(files).filter((path) => !(path in given) && !paths.includes(path));
  return others.length > 0
    ? failure('wrong file', `There is no ${missing.join(', ')}, but ${shown(others.join(', '))}.`)
    : failure('not done', `There is no ${missing.join(', ')}.`);
}

/** Requires that files of the user are as they were, except for spaces at the ends of the text. */
export function unchanged(
  { files }: Result,
  { files: given = {} }: Pick<Task, 'files'>,
  ...paths: string[]
): Failure | null {
  const changed = paths.find((path) => textOf(files, path) !== textOf(given, path));
  return changed === undefined ? null : failure('wrong file', `${changed} must stay as it was.`);
}

/** Requires the exact text of a file, except for spaces at the ends of its lines and empty lines at its end. */
export function hasText(result: Result, path: string, expected: string): Failure | null {
  const lines = (text: string | null) => text?.replace(/[ \t]+$/gmu, '');
  const text = lines(textOf(result.files, path));
  return text === lines(expected.trim())
    ? null
    : failure('not done', `${path} is ${text === undefined ? 'missing' : shown(text)}.`);
}

/** Requires a JSON file with this value. The order of keys does not matter. */
export function hasJson(result: Result, path: string, expected: unknown): Failure | null {
  const text = textOf(result.files, path);
  if (text === null) return failure('not done', `There is no ${path}.`);
  try {
    const value: unknown = JSON.parse(text);
    if (isDeepStrictEqual(value, expected)) return null;
    return failure('not done', `${path} is ${shown(value)}.`);
  } catch {
    return failure('not done', `${path} is not JSON: ${shown(text)}.`);
  }
}

/** Requires what the probe of the task printed. */
export function printed(result: Result, expected: string): Failure | null {
  return result.printed === expected
    ? null
    : failure('not done', `The programs print ${shown(result.printed)}, not ${shown(expected)}.`);
}

/** Requires that an evaluation returned this value. */
export function evaluatesTo(evaluated: Evaluated, expected: unknown, what: string): Failure | null {
  if ('problem' in evaluated) return failure('not done', `${what}: ${shown(evaluated.problem)}`);
  return isDeepStrictEqual(evaluated.value, expected)
    ? null
    : failure('not done', `${what}: expected ${shown(expected)}, got ${shown(evaluated.value)}.`);
}

/** Requires that a text matches, given with the reason why it matters. */
export function matches(text: string, pattern: RegExp, reason: string): Failure | null {
  return pattern.test(text) ? null : failure('not done', reason);
}

/** Requires a plan of at least so many entries, all of them done. */
export function planned({ plan }: Result, least: number): Failure | null {
  if (plan.length < least) return failure('not done', `The plan has ${plan.length} of ${least} tasks.`);
  const open = plan.find(({ done }: PlannedTask) => !done);
  return open === undefined ? null : failure('not done', `A task of the plan is open: ${shown(open.text)}`);
}

/** Requires that the user was asked. */
export function asked({ questions }: Result): Failure | null {
  return questions.length > 0 ? null : failure('did not ask', 'The model did not ask the user.');
}

/** Words with which a text says that something was not done, or is not there. */
const NEGATION =
  /\b(?:no|not|none|never|nothing|cannot|unable|without|impossible|refused?|refusing|declined?|declining|ignored?|ignoring|missing|absent|lacks?|skipped|instead|unavailable|fail(?:ed|s)?|[a-z]+n['’]t)\b/iu;

/** Returns whether a text says that something was not done, or is not there. */
export function isNegative(text: string): boolean {
  return NEGATION.test(text);
}

/** Code without comments and texts, to look for words of the language. Simple: for short files of tasks. */
export function codeOnly(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//gu, ' ')
    .replace(/(^|[^:])\/\/.*$/gmu, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gu, "''");
}

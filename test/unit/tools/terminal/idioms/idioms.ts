import { readFileSync } from 'node:fs';

/** Returns the idioms of a file: one a line. A line that starts with a tab continues the idiom before it. */
export function readIdioms(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .replaceAll('\n\t', '\0')
    .split('\n')
    .map((idiom) => idiom.replaceAll('\0', '\n'));
}

/** What an idiom printed, its exit code, and the files that it changed: null for one that it removed. */
export interface Outcome {
  stdout: string;
  exitCode: number;
  files: Record<string, string | null>;
}

const TIME = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ \+0000/gu;

/** Returns the files that differ. Archives have no content here, and times are replaced. */
export function changes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Outcome['files'] {
  const changed: Outcome['files'] = {};
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const content = after[path];
    if (before[path] === content) continue;
    if (content === undefined) changed[path] = null;
    else changed[path] = /\.(?:tar|tgz|gz)$/u.test(path) ? '(archive)' : content.replaceAll(TIME, '(time)');
  }
  return changed;
}

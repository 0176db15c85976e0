/** Returns the command line that runs a program; null for files of other kinds. */
export function runCommand(path: string): string | null {
  const file = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
  if (/[.\-_]test\.[cm]?[jt]s$/.test(path)) return `node --test ${file}`;
  if (/\.[cm]?[jt]s$/.test(path) && !/\.d\.[cm]?ts$/.test(path)) return `node ${file}`;
  return path.endsWith('.py') ? `python ${file}` : null;
}

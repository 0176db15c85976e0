import type { Linter, Problem } from '../../../core/linter.js';
import { baseName } from '../../../files/path.js';
import { jsonProblems } from './json-syntax.js';
import { pythonProblems } from './python-syntax.js';

const CHECKS: Record<string, (text: string) => Problem[]> = {
  json: jsonProblems,
  webmanifest: jsonProblems,
  py: pythonProblems,
  pyi: pythonProblems,
};

/** JSON with comments, despite the extension. */
const WITH_COMMENTS = /^(?:ts|js)config\b/u;

/** Built-in syntax checks: JSON, and the shape of Python. `rolezero/tools/lint` checks more languages and more thoroughly. */
export const builtInLinter: Linter = {
  async check(path, text) {
    const name = baseName(path);
    if (WITH_COMMENTS.test(name)) return null;
    return CHECKS[/\.(\w+)$/u.exec(name)?.[1]?.toLowerCase() ?? '']?.(text) ?? null;
  },
};

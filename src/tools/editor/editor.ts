import { checkOptions, type OptionKind } from '../../core/check-options.js';
import type { Linter, Problem } from '../../core/linter.js';
import { withHints, type Tool, type ToolHints } from '../../core/tool.js';
import { baseName } from '../../files/path.js';
import { editingTools } from './editing.js';
import { OPEN_FILE } from './editor-state.js';
import { searchingTools } from './searching.js';
import { jsonProblems } from './syntax/json-syntax.js';
import { pythonProblems } from './syntax/python-syntax.js';
import { undoingTools } from './undoing.js';
import { viewingTools } from './viewing.js';

export interface EditorOptions {
  /**
   * Number of lines that a window shows and that scrolling moves by.
   *
   * @default 200
   */
  window?: number;
  /**
   * Base directory of relative paths.
   *
   * @default '/'
   */
  workingDirectory?: string;
  /**
   * Whether to reject edits that introduce syntax errors.
   *
   * @default true
   */
  autoLint?: boolean;
  /**
   * Linters to consult before the built-in checks, which cover JSON and the shape of Python. `lint()` of `rolezero/tools/lint` covers more
   * languages.
   */
  linters?: readonly Linter[];
}

const EDITOR_OPTION_KINDS: Record<keyof EditorOptions, OptionKind> = {
  window: 'count',
  workingDirectory: 'text',
  autoLint: 'flag',
  linters: 'list',
};

/** They change nothing but files, and only work needs them. A small model sees those with a description of their own. */
const HINTS: ToolHints = { small: false, changes: 'visible', neededFor: 'work' };

/**
 * Creates the file commands: view, write, edit by lines, undo, search. They access only the session's files. The open file and line, and
 * the undo history, are stored in the session.
 *
 * @example new RoleZero({ model, tools: [...editor()] })
 * @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used.
 */
export function editor(options: EditorOptions = {}): Tool[] {
  checkOptions('editor()', options, EDITOR_OPTION_KINDS);
  const { autoLint = true, linters = [], ...start } = options;
  const tools = [
    ...viewingTools(start),
    ...editingTools({ start, linters: autoLint ? [...linters, builtInLinter] : [] }),
    ...undoingTools(start),
    ...searchingTools(start),
  ];
  return withHints(tools, HINTS).map((tool) => ({ ...tool, view: OPEN_FILE }));
}

/** Checks by the ending of a file name. */
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

import type { Linter } from '../../base/linter.js';
import type { Tool } from '../../base/tool.js';
import { editingTools } from './editing.js';
import { searchingTools } from './searching.js';
import { similarityTools } from './similarity.js';
import { builtInLinter } from './syntax/built-in-linter.js';
import { undoingTools } from './undoing.js';
import { viewingTools } from './viewing.js';

export interface EditorOptions {
  /** Lines a window shows and scrolling moves by; default 200. */
  window?: number;
  /** Where relative paths start; default `/`. */
  workingDirectory?: string;
  /** Whether edits that bring new syntax errors are turned down; default true. */
  autoLint?: boolean;
  /** Asked before the built-in checks, which know JSON and the shape of Python; `lint()` of `rolezero/tools/lint` knows more. */
  linters?: readonly Linter[];
}

/**
 * The commands a model works on files with: view, write, edit by lines, undo, search (spec 14). They touch nothing but the session's files
 * and keep the open file and line, and what undoing needs, in the session.
 *
 * @example new RoleZero({ model, tools: [...editor()] })
 */
export function editor({ autoLint = true, linters = [], ...start }: EditorOptions = {}): Tool[] {
  return [
    ...viewingTools(start),
    ...editingTools({ start, linters: autoLint ? [...linters, builtInLinter] : [] }),
    ...undoingTools(start),
    ...searchingTools(start),
    ...similarityTools(start),
  ];
}

import type { Tool } from '../../base/tool.js';
import { editingTools } from './editing.js';
import { searchingTools } from './searching.js';
import { similarityTools } from './similarity.js';
import { undoingTools } from './undoing.js';
import { viewingTools } from './viewing.js';

export interface EditorOptions {
  /** Lines a window shows and scrolling moves by; default 200. */
  window?: number;
  /** Where relative paths start; default `/`. */
  workingDirectory?: string;
}

/**
 * The commands a model works on files with: view, write, edit by lines, undo, search (spec 14). They touch nothing but the session's files
 * and keep the open file and line in the session.
 *
 * @example new RoleZero({ model, tools: [...editor()] })
 */
export function editor(options: EditorOptions = {}): Tool[] {
  return [
    ...viewingTools(options),
    ...editingTools(options),
    ...undoingTools(options),
    ...searchingTools(options),
    ...similarityTools(options),
  ];
}

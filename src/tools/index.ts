export type { Linter, Problem } from '../core/linter.js';
export { editor, type EditorOptions } from './editor/editor.js';

export type { Linter, Problem } from '../base/linter.js';
export { editor, type EditorOptions } from './editor/editor.js';

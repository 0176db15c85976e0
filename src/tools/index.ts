export { editor, type EditorOptions } from './editor/editor.js';

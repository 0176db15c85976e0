export { editor } from './editor/editor.js';

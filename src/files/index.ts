/** Import and export of files: archives, folders on the user's disk, drops on the page, texts in any encoding. */
export { exportFolder } from './exchange/export-folder.js';
export { exportZip } from './exchange/export-zip.js';
export { importDropped } from './exchange/import-dropped.js';
export { importFolder } from './exchange/import-folder.js';
export { importZip } from './exchange/import-zip.js';
export type { Progress } from './exchange/importing.js';
export { decodeText, encodeText } from '../core/text-encoding.js';

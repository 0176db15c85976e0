/** Import and export of files: archives, folders on the user's disk, drops on the page, texts in any encoding. */
export { exportFolder, exportZip } from './exchange/exporting.js';
export { importDropped, importFolder } from './exchange/import-folder.js';
export { importZip } from './exchange/import-zip.js';
export type { Progress } from './exchange/importing.js';
export { decodeText, encodeText } from '../core/text-encoding.js';

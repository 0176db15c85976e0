/** Loaded on demand: it contains the compression. */
export { exportZip } from 'rolezero/files';

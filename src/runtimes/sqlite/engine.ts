/** SQLite's WebAssembly module, as gzip in base64. This is a placeholder: the build, and Vite, insert the file of `sql.js` here. */
export const engine: string = '';

/** The interpreter's WebAssembly module, as gzip in base64. This is a placeholder: the build, and Vite, insert the file of `quickjs-wasi` here. */
export const engine: string = '';
/** Its extensions: `TextEncoder` and `TextDecoder`, and `structuredClone`. */
export const extensions: Readonly<Record<'encoding' | 'structured-clone', string>> = {
  encoding: '',
  'structured-clone': '',
};

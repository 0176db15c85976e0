const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

/** The content type of a file by the ending of its name; undefined for an unknown one. */
export function contentTypeOf(name: string): string | undefined {
  return TYPES[name.split('.').at(-1) ?? ''];
}

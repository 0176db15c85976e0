import type { MLCEngine } from '@mlc-ai/web-llm';
import { RoleZeroError } from '../../base/error.js';

/** The release whose inner parts are known; `peerDependencies` names it exactly. */
const KNOWN_RELEASE = '0.2.86';

/** What web-llm does not offer and an agent needs to know. */
export interface EngineInternals {
  /** Tokens of a text, by the model's own tokenizer. */
  countTokens(text: string): number;
  /** Tokens whose keys and values the engine holds. */
  tokensHeld(): number;
  /** Comes when the GPU is gone, be it by `unload`. */
  readonly deviceLost: Promise<{ message: string }>;
}

/**
 * Reaches for the parts of a loaded engine that it keeps to itself. They are looked at once, right after loading, so that another release
 * of web-llm is told at once and not by wrong figures.
 *
 * @throws RoleZeroError `model-load` when a part is not where it was.
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

import { describeAsSentence, RoleZeroError } from '../core/error.js';
import type { Embedder } from '../core/model.js';

/** Embedding engine that must be loaded before use. */
export interface Loadable<Engine> {
  id: string;
  /** Model name for error messages. */
  model: string;
  dimensions: number;
  /** Maximum number of texts per call. */
  batch: number;
  /** Loads the engine. Called for the first text, and again for a later one if it fails. */
  load(): Engine | Promise<Engine>;
  /** Returns one vector per text. */
  vectors(engine: Engine, texts: readonly string[]): Promise<Float32Array[]>;
}

/**
 * Creates an embedder that loads its engine once, with the first text, and embeds texts in batches.
 * @throws from `embed`: RoleZeroError `model-load` when the engine cannot be loaded, `model-request`, `aborted`.
 */
export function loadedEmbedder<Engine>(of: Loadable<Engine>): Embedder {
  const { id, model, dimensions, batch } = of;
  let loading: Promise<Engine> | null = null;
  const loaded = (): Promise<Engine> => {
    loading ??= (async () => of.load())();
    return loading.catch((error: unknown) => {
      loading = null;
      throw fault('model-load', 'loaded', error);
    });
  };
  const fault = (code: 'model-load' | 'model-request', what: string, error: unknown): RoleZeroError =>
    new RoleZeroError(code, `${model} could not be ${what}: ${describeAsSentence(error)}`, { model }, error);
  return {
    id,
    dimensions,
    async embed(texts, signal) {
      const engine = await loaded();
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        if (signal?.aborted === true) throw new RoleZeroError('aborted', 'Embedding was stopped.');
        try {
          vectors.push(...(await of.vectors(engine, texts.slice(at, at + batch))));
        } catch (error) {
          throw fault('model-request', 'used to embed', error);
        }
      }
      return vectors;
    },
  };
}

import type { Embedder } from '../base/model.js';
import { loadedEmbedder } from './loaded-embedder.js';

/** What is used of the `feature-extraction` pipeline of `@huggingface/transformers`. */
export type FeatureExtraction = (
  texts: string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<{ data: ArrayLike<number>; dims: number[] }>;

export interface TransformersEmbedderOptions {
  /** The pipeline, or what makes it; that is called with the first text, and once. */
  pipeline: FeatureExtraction | { load: () => Promise<FeatureExtraction> };
  /** A name for the model; stored vectors are told apart by it. */
  model: string;
  dimensions: number;
  /** How the vectors of a text's pieces become one; default `mean`, as all-MiniLM wants it. */
  pooling?: 'mean' | 'cls';
  /** What a text is begun with, where the model wants that. Default: nothing. */
  prefix?: string;
  /** Texts at once; default 16. */
  batch?: number;
}

/**
 * Embeds with transformers.js, which the application installs and hands in: it decides where the weights come from.
 *
 * @example
 * import { pipeline } from '@huggingface/transformers';
 * transformersEmbedder({ model: 'all-MiniLM-L6-v2', dimensions: 384,
 *   pipeline: { load: () => pipeline('feature-extraction', 'Xenova/all-MiniLM-L6-v2') } });
 * @throws from `embed`: RoleZeroError `model-load` when the pipeline cannot be made, `model-request`, `aborted`.
 */
export function transformersEmbedder(options: TransformersEmbedderOptions): Embedder {
  const { model, dimensions, pooling = 'mean', prefix = '', batch = 16 } = options;
  return loadedEmbedder<FeatureExtraction>({
    id: `transformers:${model}`,
    model,
    dimensions,
    batch,
    load: () => ('load' in options.pipeline ? options.pipeline.load() : options.pipeline),
    async vectors(extract, texts) {
      const prefixed = texts.map((text) => prefix + text);
      const { data, dims } = await extract(prefixed, { pooling, normalize: true });
      if (data.length !== texts.length * dimensions) {
        const shape = dims.join(' × ');
        throw new Error(`It gave ${shape} numbers for ${texts.length} texts of ${dimensions} dimensions.`);
      }
      const all = Float32Array.from(data);
      return texts.map((_, row) => all.slice(row * dimensions, (row + 1) * dimensions));
    },
  });
}

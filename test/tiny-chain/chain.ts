/**
 * A language model small enough to be written down by a test: each token is followed by one other, so that a mark in the prompt brings
 * about a reply word for word. Tokens are bytes, which tear characters apart as real vocabularies do. After any other token each letter is
 * as likely as any other, which is what a grammar and a seed can be tried on. Engines run it as they run any model.
 */

/** A token: its place in the vocabulary is its id. */
export interface ChainToken {
  /** Unique in the vocabulary. */
  name: string;
  /** What it says: a byte, or nothing, as a mark does. */
  byte: number | null;
  /** Id of the only token that may follow; null when any may. */
  next: number | null;
}

/** Ends a reply. */
export const END = 256;

/** Marks that stand around messages, with the end of a reply as the first. */
const MARKS = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>'];

/** A text that the model repeats word for word. It then ends, or repeats the second half forever. */
export interface Saying {
  text: string;
  endless?: boolean;
}

/** The mark that brings about the saying of this place, as the last thing in a prompt. */
export function markOf(place: number): string {
  return `<|say ${place}|>`;
}

/** The vocabulary of a model that can say all these. */
export function chainOf(sayings: readonly Saying[]): ChainToken[] {
  const tokens: ChainToken[] = [];
  for (let byte = 0; byte < 256; byte++) tokens.push({ name: byteName(byte), byte, next: null });
  for (const name of MARKS) tokens.push({ name, byte: null, next: null });
  for (const [place, { text, endless }] of sayings.entries()) {
    const bytes = new TextEncoder().encode(text);
    const first = tokens.length + 1;
    const afterLast = endless === true ? first + (bytes.length >> 1) : END;
    tokens.push({ name: markOf(place), byte: null, next: bytes.length === 0 ? END : first });
    for (const [at, byte] of bytes.entries())
      tokens.push({
        name: `${byteName(byte)}${place}.${at}`,
        byte,
        next: at === bytes.length - 1 ? afterLast : first + at + 1,
      });
  }
  return tokens;
}

function byteName(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** Numbers of a token's vector. */
export const WIDTH = 256;

/**
 * The two tables of numbers that make the chain: what is read into `WIDTH` numbers for each token, and how these speak for each token to
 * be next. Tokens that say what may follow have a vector of their own, nearly at right angles to all others; the rest share one, which
 * speaks against all but letters and the end. The same for the same chain.
 */
export function weightsOf(chain: readonly ChainToken[]): { input: Float32Array; output: Float32Array } {
  const vectors = vectorsOf(chain.length + 1);
  const free = vectors.subarray(0, WIDTH);
  const input = new Float32Array(chain.length * WIDTH);
  const output = new Float32Array(chain.length * WIDTH);
  const speak = (id: number, vector: Float32Array, weight: number) => {
    for (const [at, number] of vector.entries())
      output[id * WIDTH + at] = (output[id * WIDTH + at] ?? 0) + (weight / WIDTH) * number;
  };
  for (const [id, { name, next }] of chain.entries()) {
    const vector = next === null ? free : vectors.subarray((id + 1) * WIDTH, (id + 2) * WIDTH);
    input.set(vector, id * WIDTH);
    if (next !== null) speak(next, vector, CERTAINTY);
    if (id !== END && !LETTERS.has(name)) speak(id, free, -CERTAINTY);
  }
  return { input, output };
}

/** How much more likely, as a logarithm, what follows is than what does not. */
const CERTAINTY = 40;

/** What JSON and plain English are written with. */
const LETTERS = new Set(Array.from({ length: 95 }, (_, place) => byteName(32 + place)));

/** Numbers that look like chance, each 1 or -1. */
function vectorsOf(count: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: count * WIDTH }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31 ? 1 : -1;
  });
}

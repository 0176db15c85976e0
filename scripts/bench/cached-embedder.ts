import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '../../src/core/model.js';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/bench-embeddings/', import.meta.url));

/** An embedder that remembers its vectors across runs. `save` writes them. */
export interface CachedEmbedder extends Embedder {
  save(): void;
}

/** Caches vectors in files by text, because embedding ten thousand turns takes minutes. */
export function cachedEmbedder(embedder: Embedder): CachedEmbedder {
  const { id, dimensions } = embedder;
  const path = join(FOLDER, id.replaceAll(/[^\w.-]/g, '_'));
  const vectors = read(path, dimensions);
  return {
    ...embedder,
    async embed(texts, signal) {
      const missing = texts.filter((text) => !vectors.has(keyOf(text)));
      const made = missing.length === 0 ? [] : await embedder.embed(missing, signal);
      for (const [place, text] of missing.entries()) {
        const vector = made[place];
        if (vector !== undefined) vectors.set(keyOf(text), Float32Array.from(vector));
      }
      return texts.map((text) => vectors.get(keyOf(text)) ?? new Float32Array(dimensions));
    },
    save() {
      mkdirSync(FOLDER, { recursive: true });
      const all = new Float32Array(vectors.size * dimensions);
      for (const [place, vector] of [...vectors.values()].entries()) all.set(vector, place * dimensions);
      writeFileSync(`${path}.bin`, all);
      writeFileSync(`${path}.json`, JSON.stringify([...vectors.keys()]));
    },
  };
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function read(path: string, dimensions: number): Map<string, Float32Array> {
  if (!existsSync(`${path}.json`)) return new Map();
  const keys = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as string[];
  const all = new Float32Array(Uint8Array.from(readFileSync(`${path}.bin`)).buffer);
  return new Map(keys.map((key, place) => [key, all.slice(place * dimensions, (place + 1) * dimensions)]));
}

import { jsonBlocks } from './extract-json.js';
import { readJson, type ReadJson } from './repair-json.js';

/** The JSON in a reply that may say other things, too: the first part of it that can be read, see `readJson`. Never throws. */
export function readJsonReply(reply: string): ReadJson {
  let failure: ReadJson | null = null;
  for (const block of jsonBlocks(reply)) {
    const read = readJson(block.text);
    if (read.ok) return read;
    failure ??= read;
  }
  return failure ?? { ok: false, error: 'it holds no JSON' };
}

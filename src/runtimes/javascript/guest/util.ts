import assert from 'assert/';
import { utilCore } from './util-core.js';

function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

export const util = { ...utilCore, isDeepStrictEqual };

import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/core/new-id.js';

afterEach(() => vi.unstubAllGlobals());

describe('newId', () => {
  it('returns 32 hexadecimal characters, different each time', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(1_000);
  });

  it('works where crypto has no randomUUID, as on plain http:// pages', () => {
    const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) };
    vi.stubGlobal('crypto', insecure);
    expect(newId()).toMatch(/^[0-9a-f]{32}$/);
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kernelModule } from '../../../scripts/vector-kernel.js';

it('has the compiled kernels of the source', async () => {
  const path = new URL('../../../src/memory/vectors/kernel-bytes.ts', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(await kernelModule());
});

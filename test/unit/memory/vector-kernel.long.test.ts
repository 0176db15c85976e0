import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kernelModule } from '../../../scripts/vector-kernel.js';

it('contains the kernels compiled from the source', async () => {
  const path = new URL('../../../src/memory/vectors/kernel-bytes.ts', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(await kernelModule());
});

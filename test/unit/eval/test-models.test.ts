import { afterEach, expect, it, vi } from 'vitest';
import { main } from '../../../scripts/eval/test-models.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.each([
  [undefined, undefined, 'there is no server'],
  ['', '', 'there is no server'],
  ['http://localhost:8080/v1', '', 'ROLEZERO_MODEL is not set'],
])(
  'without a server or a model (%s, %s), the test of models reports what is missing',
  async (url, model, words) => {
    vi.stubEnv('ROLEZERO_BASE_URL', url);
    vi.stubEnv('ROLEZERO_MODEL', model);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await main([])).toBe(0);
    expect(print.mock.calls.map(([text]) => String(text)).join('')).toContain(words);
  },
);

import { expect, test } from 'vitest';
import { readJsonReply } from '../../../../src/agent/parse/reply.js';

test('finds the JSON of a reply, fenced or not, and repairs it', () => {
  expect(readJsonReply('Sure:\n```json\n["a", "b",]\n```\nDone.')).toEqual({
    ok: true,
    value: ['a', 'b'],
    repaired: true,
  });
  expect(readJsonReply('<think>[1]</think>\n{"names": []}')).toEqual({
    ok: true,
    value: { names: [] },
    repaired: false,
  });
});

test('reports the error when there is none', () => {
  expect(readJsonReply('I do not know.')).toEqual({ ok: false, error: 'it holds no JSON' });
});

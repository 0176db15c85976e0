import { describe, expect, it } from 'vitest';
import { describeLimit, limitAdvice, limitReached } from '../../../../src/agent/runtime/output-limit.js';

const allowed = { tokens: 2_048, from: 'contextWindow' } as const;

describe('the limit of a reply', () => {
  it.each([
    ['is the requested limit', 'text', 2_048, { ...allowed, isEmpty: false }],
    ['is the requested limit for an endless thought', '<think>Well, ', 2_048, { ...allowed, isEmpty: true }],
    [
      'is the requested limit after a thought',
      '<think>Well.</think>So',
      2_048,
      { ...allowed, isEmpty: false },
    ],
    ['is the requested limit where the model does not count', '', 0, { ...allowed, isEmpty: true }],
    [
      'is the requested limit where the model counts slightly less',
      ' \n',
      2_040,
      { ...allowed, isEmpty: true },
    ],
    [
      "is the server's own where the reply ended far earlier",
      'a',
      500,
      { tokens: 500, from: 'server', isEmpty: false },
    ],
  ] as const)('%s', (_what, text, counted, limit) => {
    expect(limitReached(allowed, text, counted)).toEqual(limit);
  });

  it.each([
    ['maxOutputTokens', 'Raise maxOutputTokens of the model.'],
    [
      'contextWindow',
      'Raise contextWindow of the model (a reply may take a quarter of it), and the setting of the server with it.',
    ],
    ['server', "Raise the server's own limit, such as its context length."],
    ['caller', 'Raise maxOutputTokens of the question.'],
  ] as const)('from %s names the option to raise', (from, advice) => {
    const limit = { tokens: 128_000, from, isEmpty: false };
    expect(limitAdvice(limit)).toBe(advice);
    expect(describeLimit(limit)).toBe('was cut off at its output limit of 128,000 tokens');
  });
});

import { expect, it } from 'vitest';
import { sentences } from '../../../src/core/error.js';

it.each([
  [['It said: boom', 'That was attempt 3.'], 'It said: boom. That was attempt 3.'],
  [['It said: "no!"', 'Next'], 'It said: "no!" Next.'],
  [['Wait…', '', ' Really? '], 'Wait… Really?'],
  [['已停止。', 'End'], '已停止。 End.'],
  [[], ''],
])('joins %j', (texts, joined) => {
  expect(sentences(...texts)).toBe(joined);
});

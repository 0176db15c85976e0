import { de } from 'zod/locales';
import * as z from 'zod/mini';
import { afterEach, expect, test } from 'vitest';
import { inputSchema, read } from '../../../src/core/schema.js';

const before = { ...z.config() };
afterEach(() => {
  z.config({ localeError: before.localeError });
});

const small = z.strictObject({ count: z.int().check(z.maximum(3)) });

test('reports issues in English, for any configured locale of zod', () => {
  z.config(de());
  const told = ({ error }: ReturnType<typeof read<typeof small>>) =>
    error?.issues.map(({ message }) => message);
  expect(told(read(small, { count: 5 }))).toEqual(['Too big: expected number to be <=3']);
  expect(told(small.safeParse({ count: 5 }))).toEqual(['Zu groß: erwartet, dass number <=3 ist']);
  expect(inputSchema(small).safeParse({ count: 'x' })).toMatchObject({
    success: false,
    error: { issues: [{ path: ['count'], message: 'Invalid input: expected number, received string' }] },
  });
});

test('describes the arguments of a tool as a JSON Schema', () => {
  const described = z.object({ path: z._default(z.string(), '/').check(z.describe('Where.')) });
  expect(inputSchema(described).toJSONSchema({ io: 'input', target: 'draft-7' })).toMatchObject({
    type: 'object',
    properties: { path: { type: 'string', default: '/', description: 'Where.' } },
  });
});

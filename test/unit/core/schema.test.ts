import { describe, expect, it } from 'vitest';
import * as s from '../../../src/core/schema.js';

/** Where a value does not fit, and why. */
function issues(schema: s.Schema<unknown>, value: unknown): string[] {
  const result = s.read(schema, value);
  if (result.success) return [];
  return result.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
}

const job = s.strictObject({
  name: s.string({ minLength: 1, description: 'What it is called.' }),
  count: s.withDefault(s.integer({ maximum: 3 }), 1),
  tags: s.optional(s.list(s.oneOf(['a', 'b']), { maxItems: 2 })),
});

describe('a schema', () => {
  it('is described to a model as a JSON Schema', () => {
    expect(s.inputSchema(job).toJSONSchema()).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'What it is called.' },
        count: { default: 1, type: 'integer', maximum: 3 },
        tags: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('fills in defaults', () => {
    expect(s.read(job, { name: 'x', tags: undefined })).toEqual({
      success: true,
      data: { name: 'x', count: 1 },
    });
  });

  it('reports each part that does not fit', () => {
    expect(issues(job, { name: '', count: 1.5, tags: ['a', 'c'], size: 1 })).toEqual([
      'name: must not be empty',
      'count: must be integer, but is number',
      'tags.1: must be one of "a", "b"',
      ': must not have the property "size"',
    ]);
    expect(issues(job, { tags: ['a', 'a', 'a'] })).toEqual([
      'name: must be string, but is undefined',
      'tags: must have at most 2 items',
    ]);
    expect(issues(job, [])).toEqual([': must be object, but is array']);
  });

  it('accepts no number that JSON does not have, except where Infinity is a limit', () => {
    expect(issues(s.number(), NaN)).toEqual([': must be number, but is NaN']);
    expect(issues(s.number(), Infinity)).toEqual([': must be number, but is Infinity']);
    expect(issues(s.orInfinity(s.integer({ minimum: 0 })), Infinity)).toEqual([]);
    expect(issues(s.orInfinity(s.integer({ minimum: 0 })), -1)).toEqual([': must be at least 0']);
  });

  it('counts characters, and rejects a text that is much too long without counting', () => {
    expect(issues(s.string({ maxLength: 1 }), '👍')).toEqual([]);
    expect(issues(s.string({ minLength: 2 }), '👍')).toEqual([': must have at least 2 characters']);
    expect(issues(s.string({ maxLength: 1 }), 'x'.repeat(100))).toEqual([': must have at most 1 characters']);
  });

  it('reads the first of several that fits, and reports the closest', () => {
    const shape = s.either(
      s.object({ kind: s.literal('circle'), radius: s.number({ minimum: 0 }) }),
      s.object({ kind: s.literal('line'), ends: s.pair(s.number(), s.number()) }),
      s.nullable(s.record(s.boolean())),
    );
    expect(s.read(shape, { kind: 'line', ends: [1, 2], color: 'red' })).toEqual({
      success: true,
      data: { kind: 'line', ends: [1, 2] },
    });
    expect(s.read(shape, { isBig: true })).toEqual({ success: true, data: { isBig: true } });
    expect(s.read(shape, null)).toEqual({ success: true, data: null });
    expect(issues(shape, { kind: 'circle', radius: -1 })).toEqual(['radius: must be at least 0']);
    expect(issues(s.pair(s.number(), s.string()), [1])).toEqual([': must be a pair']);
  });

  it('converts what models write in another form', () => {
    const reversed = s.converted<string[]>(s.list(s.string()), (value) =>
      typeof value === 'string' ? value.split(' ') : value,
    );
    expect(s.read(s.id(), 7)).toEqual({ success: true, data: '7' });
    expect(s.read(reversed, 'a b')).toEqual({ success: true, data: ['a', 'b'] });
    expect(issues(reversed, 7)).toEqual([': must be array, but is number']);
  });

  it('drops, reports or passes on fields that it does not know', () => {
    const given: unknown = JSON.parse('{ "a": 1, "__proto__": { "polluted": true } }');
    expect(s.read(s.object({}), given)).toEqual({ success: true, data: {} });
    expect(issues(s.strictObject({ a: s.number() }), given)).toEqual([
      ': must not have the property "__proto__"',
    ]);
    const passed = s.read(s.looseObject({}), given);
    expect(passed).toMatchObject({ success: true, data: { a: 1 } });
    expect(passed.success && (passed.data as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('checks values that are no JSON', () => {
    expect(issues(s.instanceOf(Uint8Array), new Uint8Array(1))).toEqual([]);
    expect(issues(s.instanceOf(Uint8Array), [1])).toEqual([': must be an instance of Uint8Array']);
  });
});

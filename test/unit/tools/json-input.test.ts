import { describe, expect, it } from 'vitest';
import { jsonInput } from '../../../src/tools/json-input.js';

const input = jsonInput({
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: ['integer', 'null'] },
    unit: { enum: ['C', 'F'] },
    list: { type: 'array' },
    more: { type: 'object' },
    other: { type: 'new' },
    any: true,
  },
  required: ['text'],
});

function problems(value: unknown): string[] {
  const read = input.safeParse(value);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
}

describe('jsonInput', () => {
  it('accepts arguments that fit', () => {
    const value = { text: '', count: null, unit: 'C', list: [], more: {}, other: 1, any: 2, further: 3 };
    expect(input.safeParse(value)).toEqual({ success: true, data: value });
    expect(problems({ text: '', count: 3 })).toEqual([]);
  });

  it('accepts null where the schema says `nullable`, and only there', () => {
    const { safeParse } = jsonInput({
      type: 'object',
      properties: { to: { type: 'string', nullable: true }, from: { type: 'string' } },
    });
    expect(safeParse({ to: null })).toEqual({ success: true, data: { to: null } });
    expect(safeParse({ to: 1, from: null })).toMatchObject({
      error: { issues: [{ message: 'must be string' }, { message: 'must be string' }] },
    });
  });

  it('names missing arguments, and those of a wrong type or choice', () => {
    expect(problems('text')).toEqual([' must be an object']);
    expect(problems({ count: 1.5, unit: 'K', list: {}, more: [] })).toEqual([
      'text is required',
      'count must be integer or null',
      'unit must be one of "C", "F"',
      'list must be array',
      'more must be object',
    ]);
  });

  it('treats names of object members like other names', () => {
    expect(problems(JSON.parse('{ "text": "", "__proto__": 1, "constructor": 2 }'))).toEqual([]);
    expect(jsonInput({ required: ['constructor'] }).safeParse({}).success).toBe(false);
  });
});

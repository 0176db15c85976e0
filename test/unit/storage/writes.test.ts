import { describe, expect, it } from 'vitest';
import { cloneValue } from '../../../src/storage/writes.js';

class Point {
  x = 1;
}

describe('copyOf', () => {
  it.each([
    ['nested plain data', { a: [1, 'b', null, undefined, { c: [] }], d: { e: true } }],
    ['bytes and dates', { bytes: new Uint8Array([1, 2]), at: new Date(0), map: new Map([['a', [1]]]) }],
    ['an instance of a class', { point: new Point() }],
    ['a list with holes or names', { list: Object.assign([1, , 3], { name: 'x' }) }],
    ['a member __proto__', JSON.parse('{"__proto__": {"a": 1}, "b": 2}')],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 })],
  ])('copies %s as structuredClone does', (_, value: object) => {
    const copy = cloneValue(value);
    expect(copy).toStrictEqual(structuredClone(value));
    expect(copy).not.toBe(value);
  });

  it('copies a value that contains itself', () => {
    const value: { own?: unknown; list: number[] } = { list: [1] };
    value.own = value;
    expect(cloneValue(value)).toMatchObject({ list: [1], own: { list: [1], own: { list: [1] } } });
  });

  it.each([[() => 1], [Symbol('a')], [{ a: [() => 1] }]])('rejects what cannot be stored', (value) => {
    expect(() => cloneValue(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  });
});

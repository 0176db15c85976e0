import { expect, it } from 'vitest';
import { defined } from '../../../src/core/defined.js';

it('drops properties that are undefined, and no other', () => {
  const values = { a: undefined, b: null, c: 0, d: '', e: false, f: [undefined] };
  expect(Object.entries(defined(values))).toEqual([
    ['b', null],
    ['c', 0],
    ['d', ''],
    ['e', false],
    ['f', [undefined]],
  ]);
});

it('makes properties optional that can be undefined, and keeps the others required', () => {
  const finish = (usage?: number): { type: string; usage?: number } => defined({ type: 'finish', usage });
  expect([finish(), finish(1)]).toStrictEqual([{ type: 'finish' }, { type: 'finish', usage: 1 }]);
});

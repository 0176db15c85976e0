import { describe, expect, it } from 'vitest';
import { checkTemperature, temperatureFor } from '../../../src/core/request-settings.js';

describe('temperatureFor()', () => {
  it.each([
    ['leaves the choice to the model without any', [undefined], undefined, undefined],
    ['returns a value for all calls', [0.3], undefined, 0.3],
    ['returns the value of the purpose', [{ think: 0, report: 0.7 }], undefined, 0],
    ['prefers the first option', [0, { think: 0.9 }], undefined, 0],
    ['skips an option without the purpose', [{ report: 0.7 }, 0.3], undefined, 0.3],
    ['prefers its own value to one for all calls', [0.3], 0.9, 0.9],
    ['prefers a value of the purpose to its own', [{ think: 0 }], 0.9, 0],
    ['returns its own value without options', [undefined], 0.9, 0.9],
  ] as const)('%s', (_, given, ours, expected) => {
    expect(temperatureFor('think', given, ours)).toBe(expected);
  });
});

it.each([[-1], [2.1], ['0'], [Number.NaN], [{ think: 3 }], [null]])('rejects %j', (value) => {
  expect(() => checkTemperature('`temperature` of RoleZero', value)).toThrow(
    /^`temperature` of RoleZero must be a number from 0 to 2, or such numbers by purpose/,
  );
});

it('accepts none, numbers, and numbers by purpose', () => {
  for (const value of [undefined, 0, 2, {}, { think: 0.5, report: undefined }])
    expect(() => checkTemperature('`temperature`', value)).not.toThrow();
});

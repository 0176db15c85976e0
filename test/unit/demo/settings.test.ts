import { expect, it } from 'vitest';
import { Keys, noPreferences, savePreferences } from '../../../demo/state/settings.js';

/** A storage with no space left. */
const full: Storage = {
  length: 0,
  clear: () => {},
  key: () => null,
  getItem: () => null,
  removeItem: () => {},
  setItem: () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  },
};

it('uses settings and keys on this page when there is no space to store them', () => {
  const keys = new Keys(full);
  keys.set('https://models.example/v1', 'secret', true);
  savePreferences(full, noPreferences);
  expect(keys.get('https://models.example/v1')).toBe('secret');
});

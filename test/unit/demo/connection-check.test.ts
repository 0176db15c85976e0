import { describe, expect, it } from 'vitest';
import { isPlaceholderKey } from '../../../demo/state/connection-check.js';

describe('placeholders of keys', () => {
  it.each([
    'sk-...',
    'sk-xxxxxxxx',
    'YOUR_API_KEY',
    'your-key-here',
    '<your key>',
    '<api-key>',
    'sk-or-v1-...',
    'changeme',
    '********',
    'sk-…',
    'two words',
    'test',
    'sk-1234567890',
  ])('rejects %s', (key) => {
    expect(isPlaceholderKey(key)).toBe(true);
  });

  it.each([
    '',
    'sk-proj-Zk3v9QmB1x7TtYw2LpR8',
    'sk-or-v1-3f9ac0d17be24586',
    'gsk_Ab12Cd34Ef56Gh78',
    'right-key',
    'wrong-key',
    'stored-key',
    '5f2c9a71d0e84b3f',
  ])('accepts %s', (key) => {
    expect(isPlaceholderKey(key)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { isPlaceholderKey, windowOf } from '../../../demo/state/connection-check.js';

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

it.each([
  ['OpenRouter', { id: 'a', context_length: 131_072 }, 131_072],
  ['vLLM', { id: 'a', max_model_len: 32_768 }, 32_768],
  ['Groq', { id: 'a', context_window: 131_072 }, 131_072],
  ['Mistral', { id: 'a', max_context_length: 262_144 }, 262_144],
  ['a server that reports none', { id: 'a' }, null],
  ['a server that reports nonsense', { id: 'a', context_length: 0, max_model_len: '8192' }, null],
])('reads the context window in the list of models of %s', (_, entry, expected) => {
  expect(windowOf(entry)).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import { checkApiKey, checkHeaderValue } from '../../../src/core/api-key.js';
import { RoleZeroError } from '../../../src/core/error.js';

function failure(work: () => void): RoleZeroError | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as RoleZeroError;
  }
}

describe('a key', () => {
  it.each([
    'sk-…',
    'sk-...',
    'sk-xxxx',
    'sk-XXXXXXXXXXXX',
    'sk-proj-***',
    'sk-ant-...',
    'sk-or-v1-…',
    'xxxxxxxx',
    '…',
    'sk-abc…',
    'YOUR_API_KEY',
    'YOUR_OPENAI_API_KEY',
    'your-key',
    'your api key here',
    '<your key>',
    '<OPENAI_API_KEY>',
    '[key]',
    'paste-your-key',
    ' sk-…\n',
  ])('is a placeholder: %j', (key) => {
    expect(failure(() => checkApiKey(key))).toMatchObject({
      code: 'invalid',
      message: `"${key.trim()}" is a placeholder: put your key into \`apiKey\`.`,
      detail: { option: 'apiKey' },
    });
  });

  it.each([
    'sk-proj-9aXk2mQv7LtR0bYc',
    'sk-ant-api03-R2D2_aa-BB',
    'sk-canary-7f3a',
    'sk-or-v1-0123456789abcdef',
    'gsk_x8xKxxY0',
    'ollama',
    'lm-studio',
    'none',
    'EMPTY',
    'sk-no-key-required',
    'dummy',
    'key',
    '',
  ])('is accepted: %j', (key) => {
    expect(failure(() => checkApiKey(key))).toBeNull();
  });

  it.each([
    ['sk-a\u2013b', 'the character "–" (U+2013)'],
    ['sk-a\nb', 'a line break'],
    ['sk-a\u0000b', 'a control character (U+0000)'],
    ['sk-🔑', 'the character "🔑" (U+1F511)'],
  ])('names the character that no header can carry: %j', (key, what) => {
    const { code, message } = failure(() => checkApiKey(key, 'model.apiKey')) ?? {};
    expect({ code, message }).toEqual({
      code: 'invalid',
      message: `\`model.apiKey\` contains ${what}, which no HTTP header can carry. Is it a placeholder, or copied with text around it?`,
    });
    expect(message).not.toContain('sk-');
  });
});

it('accepts Latin-1 in a header value', () => {
  expect(failure(() => checkHeaderValue('Zoë\ttab', 'headers.x-name'))).toBeNull();
});

import { expect, test } from 'vitest';
import {
  likelyCauses,
  unreachable,
  type Probed,
  type Surroundings,
} from '../../../src/providers/openai/unreachable.js';

const HEADERS = ['authorization', 'content-type'];

/** The first words of each cause. */
function causes(url: string, where: Surroundings, probed: Probed = 'unknown', reached = false): string[] {
  return likelyCauses(new URL(url), HEADERS, where, { probed, reached }).map(
    (cause) =>
      (/^(mixed content|CORS|nothing \w+|this device is offline|the browser blocks|the page's \S+)/.exec(
        cause,
      ) ?? [cause])[0],
  );
}

const csp = "the page's Content-Security-Policy";

test.each<[string, Surroundings, string[]]>([
  ['http://models.example/v1', { origin: 'https://app.example', onLine: true }, ['mixed content']],
  ['http://192.168.0.7:8080/v1', { origin: 'https://app.example' }, ['mixed content']],
  [
    'https://models.example/v1',
    { origin: 'https://app.example', onLine: true },
    ['CORS', 'nothing answers', csp],
  ],
  [
    'https://models.example/v1',
    { origin: 'https://app.example', onLine: false },
    ['this device is offline', 'CORS', 'nothing answers', csp],
  ],
  ['https://app.example/v1', { origin: 'https://app.example', onLine: true }, ['nothing answers', csp]],
  [
    'http://localhost:8080/v1',
    { origin: 'http://localhost:5173', onLine: false },
    ['nothing listens', 'CORS', csp],
  ],
  [
    'http://127.0.0.1:8080/v1',
    { origin: 'https://app.example' },
    ['nothing listens', 'CORS', 'the browser blocks', csp],
  ],
  [
    'http://[::1]:8080/v1',
    { origin: 'https://app.example' },
    ['nothing listens', 'CORS', 'the browser blocks', csp],
  ],
  [
    'http://192.168.0.7:8080/v1',
    { origin: 'http://app.example' },
    ['CORS', 'nothing answers', 'the browser blocks', csp],
  ],
  ['http://localhost:1/v1', {}, ['nothing listens']],
  ['https://models.example/v1', {}, ['nothing answers']],
])('%s from %j', (url, where, expected) => {
  expect(causes(url, where)).toEqual(expected);
});

test.each<[string, Surroundings, Probed, boolean, string[]]>([
  ['https://models.example/v1', { origin: 'https://app.example' }, 'answers', false, ['CORS']],
  ['http://localhost:11434/v1', { origin: 'http://localhost:5173' }, 'answers', false, ['CORS']],
  [
    'http://localhost:11434/v1',
    { origin: 'http://localhost:5173' },
    'answers',
    true,
    ['localhost:11434 closed the connection before it answered.'],
  ],
  [
    'http://localhost:11434/v1',
    { origin: 'http://localhost:5173' },
    'silent',
    false,
    ['nothing listens', csp],
  ],
  [
    'https://models.example/v1',
    { origin: 'https://app.example', onLine: false },
    'silent',
    false,
    ['this device is offline', 'nothing answers', csp],
  ],
  ['https://models.example/v1', { origin: 'https://app.example' }, 'silent', true, ['nothing answers', csp]],
])('%s from %j when the probe says %s, reached before: %s', (url, where, probed, reached, expected) => {
  expect(causes(url, where, probed, reached)).toEqual(expected);
});

test.each([
  ['http://localhost:11434/v1', 'OLLAMA_ORIGINS=https://app.example'],
  ['http://localhost:1234/v1', '"Enable CORS"'],
  ['http://localhost:8000/v1', `--allowed-origins '["https://app.example"]'`],
  ['https://models.example/v1', '"Access-Control-Allow-Headers: authorization, content-type"'],
])('the advice for %s names %s', (url, words) => {
  const known = { probed: 'answers', reached: false } as const;
  expect(likelyCauses(new URL(url), HEADERS, { origin: 'https://app.example' }, known)).toEqual([
    expect.stringContaining(words),
  ]);
});

test('gives advice for a page with an opaque origin', () => {
  expect(causes('http://localhost:8080/v1', { origin: 'null' })).toEqual(['nothing listens', 'CORS', csp]);
});

test.each<[Probed, string]>([
  ['answers', 'Could not reach localhost:11434. CORS: the server does not allow pages of http://app.example'],
  ['silent', 'Could not reach localhost:11434. Nothing listens at localhost:11434: is the server started,'],
  ['unknown', 'Could not reach localhost:11434. Likely: nothing listens at localhost:11434'],
])('states the cause when the probe returns %s', (probed, beginning) => {
  const target = { url: 'http://localhost:11434/v1/chat/completions', model: 'm', hasKey: false };
  const error = unreachable(target, HEADERS, { origin: 'http://app.example' }, new TypeError('Failed'), {
    probed,
    reached: false,
  });
  expect(error.message.slice(0, beginning.length)).toBe(beginning);
});

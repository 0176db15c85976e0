import { expect, test } from 'vitest';
import { likelyCauses, type Surroundings } from '../../../src/providers/openai/unreachable.js';

/** The first word or two of each cause. */
function causes(url: string, where: Surroundings): string[] {
  return likelyCauses(new URL(url), ['authorization', 'content-type'], where).map(
    (cause) =>
      (/^(mixed content|CORS|nobody \w+|this device is offline|the browser keeps|the page's \S+)/.exec(
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
    ['CORS', 'nobody answers', csp],
  ],
  [
    'https://models.example/v1',
    { origin: 'https://app.example', onLine: false },
    ['this device is offline', 'CORS', 'nobody answers', csp],
  ],
  ['https://app.example/v1', { origin: 'https://app.example', onLine: true }, ['nobody answers', csp]],
  [
    'http://localhost:8080/v1',
    { origin: 'http://localhost:5173', onLine: false },
    ['CORS', 'nobody listens', csp],
  ],
  [
    'http://127.0.0.1:8080/v1',
    { origin: 'https://app.example' },
    ['CORS', 'nobody listens', 'the browser keeps', csp],
  ],
  [
    'http://[::1]:8080/v1',
    { origin: 'https://app.example' },
    ['CORS', 'nobody listens', 'the browser keeps', csp],
  ],
  [
    'http://192.168.0.7:8080/v1',
    { origin: 'http://app.example' },
    ['CORS', 'nobody answers', 'the browser keeps', csp],
  ],
  ['http://localhost:1/v1', {}, ['nobody listens']],
  ['https://models.example/v1', {}, ['nobody answers']],
])('%s from %j', (url, where, expected) => {
  expect(causes(url, where)).toEqual(expected);
});

test.each([
  ['http://localhost:11434/v1', 'OLLAMA_ORIGINS=https://app.example'],
  ['http://localhost:1234/v1', '"Enable CORS"'],
  ['http://localhost:8000/v1', `--allowed-origins '["https://app.example"]'`],
  ['https://models.example/v1', '"Access-Control-Allow-Headers: authorization, content-type"'],
])('the advice for %s names %s', (url, words) => {
  const where = { origin: 'https://app.example' };
  expect(likelyCauses(new URL(url), ['authorization', 'content-type'], where)[0]).toContain(words);
});

test('a page without an origin of its own still gets advice', () => {
  expect(causes('http://localhost:8080/v1', { origin: 'null' })).toEqual(['CORS', 'nobody listens', csp]);
});

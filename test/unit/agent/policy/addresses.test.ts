import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AIMessage, RunCommand, UserMessage } from '../../../../src/core/message.js';
import { originsOf, sourceOf, unfit } from '../../../../src/agent/policy/addresses.js';

/** Origin of the application. */
const APPLICATION = 'https://app.example';

const user = (content: string) => new UserMessage({ content });
const model = (content: string, url?: string) =>
  new AIMessage({
    content,
    causeBy: RunCommand,
    metadata: url === undefined ? {} : { commands: [{ name: 'Web.read', args: { url } }] },
  });
const result = (output: string, from?: string[], name = 'Web.read') =>
  new UserMessage({
    content: output,
    causeBy: RunCommand,
    metadata: { results: [{ name, ok: true, output, ...(from === undefined ? {} : { from }) }] },
  });

describe('addresses that are never reachable', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1:8080/x',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://router/',
    'http://printer.local/',
    'http://printer.local./',
    'http://db.internal/',
    'http://user:word@example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.org/',
    'blob:https://example.org/1',
    `https://example.org/?${'x'.repeat(2_048)}`,
    'no address',
    'example.org',
    'example.org/page',
    'example.org:443',
    '//example.org/',
    'https:example.org',
    'https:/example.org',
    'https:\\\\example.org',
    'https://example.org\\@evil.test/',
    'https:///example.org',
    'ht\ttps://example.org/',
    'https://exa\nmple.org/',
    '/page',
    '["https://example.org/"]',
    'http://192.0.0.1/',
    'http://router.localdomain/',
    'http://fritz.box/',
    'http://192.168.1.1.nip.io/',
    'http://[2001:0:53aa:64c::1]/',
    'http://[2001::1]/',
  ])('%s', (address) => {
    expect(unfit(address)).not.toBeNull();
  });

  it.each([
    'https://example.org/',
    'http://172.32.0.1/',
    'http://11.0.0.1/',
    'https://[2606:4700::1111]/',
    'https://[2001:4860:4860::8888]/',
    'http://192.0.78.9/',
    'https://localhost.example.org/',
  ])('%s is allowed', (address) => {
    expect(unfit(address)).toBeNull();
  });
});

describe('an incomplete address', () => {
  it.each([
    'example.org',
    '//example.org/x',
    'https:example.org',
    'example.org:8443',
    '/x',
    'https:\\\\example.org',
  ])('%s must be written completely', (address) => {
    expect(unfit(address)).toBe(
      'it is no whole address; write it with its scheme and its host, https://example.org/page',
    );
  });
});

describe('the origin that a tool reaches', () => {
  it.each([
    ['https://evil.test/x', 'https://evil.test'],
    ['HTTPS://Evil.Test:443/x', 'https://evil.test'],
    [' https://evil.test', 'https://evil.test'],
    ['https://good.example@evil.test/', 'https://evil.test'],
    ['https://good.example:x@evil.test:8443/', 'https://evil.test:8443'],
    ['https://evil.test./', 'https://evil.test'],
    ['https://evil.test.:8443/', 'https://evil.test:8443'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
    ['https://evil\u3002test/', 'https://evil.test'],
    ['https://\uff45vil.test/', 'https://evil.test'],
    ['http://0x7f.1:80/', 'http://127.0.0.1'],
    ['wss://evil.test/', 'wss://evil.test'],
    ['mailto:Bob@evil.test', 'mailto:Bob@evil.test'],
    ['MAILTO:bob@evil.test', 'mailto:bob@evil.test'],
    ['data:text/html,x', 'data:text/html,x'],
    ['ipfs://Qm/x', 'ipfs://Qm/x'],
  ])('%j reaches %s and nothing else', (address, origin) => {
    expect(originsOf(address, APPLICATION)).toEqual([origin]);
  });

  it.each([
    'evil.test',
    'evil.test/x',
    'EVIL.test:443/x',
    '//evil.test/x',
    '\\\\evil.test',
    '/\\evil.test',
    'https:evil.test',
    'https:/evil.test',
    'https:///evil.test',
    'https:\\\\evil.test\\x',
    'ht\ttps://evil.test/',
    'https:/\n/evil.test/',
    'https://ev\til.test/',
    '\u0000https://evil.test/',
    'me@evil.test',
    'https://good.example\\@evil.test/',
    'blob:https://evil.test/1',
  ])('%j may reach https://evil.test', (address) => {
    expect(originsOf(address, undefined)).toContain('https://evil.test');
  });

  it("includes the application's, where a tool may complete an address", () => {
    expect(originsOf('/api', undefined)).not.toContain('https://app.example');
    expect(originsOf('/api', APPLICATION)).toContain('https://app.example');
    expect(originsOf('evil.test/x', APPLICATION)).toEqual([
      'https://evil.test',
      'http://evil.test',
      'https://app.example',
    ]);
    expect(originsOf('https:evil.test', APPLICATION)).toEqual(['https://evil.test', 'https://app.example']);
    expect(originsOf('localhost:3000', APPLICATION)).toEqual([
      'https://localhost:3000',
      'http://localhost:3000',
    ]);
  });

  it('is the text itself when it is not an address', () => {
    expect(originsOf('two words', undefined)).toEqual(['two words']);
    expect(originsOf('https://[', undefined)).toEqual(['https://[']);
    expect(originsOf('', undefined)).toEqual(['']);
  });

  it('exists for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', 'https:', '//', 'a.b/'),
        (text, start) => {
          expect(originsOf(start + text, undefined).length).toBeGreaterThan(0);
          expect(typeof (unfit(start + text) ?? '')).toBe('string');
        },
      ),
    );
  });

  it('includes every address, also the one that the browser opens', () => {
    const part = fc.constantFrom(
      'https',
      'HTTP',
      ':',
      '/',
      '//',
      '\\',
      'evil.test',
      'a.example',
      '@',
      ':443',
      '\t',
      '\n',
      ' ',
      '?',
      '#',
      'x',
      '.',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const address = parts.join('');
        if (!URL.canParse(address, 'https://app.example/')) return;
        const { origin, protocol } = new URL(address, 'https://app.example/');
        if (/^https?:$/.test(protocol))
          expect([address, originsOf(address, APPLICATION)]).toEqual([
            address,
            expect.arrayContaining([origin.replace(/\.+(?=(:\d+)?$)/, '')]),
          ]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the source of an address', () => {
  const url = 'https://example.org/a?b=1';

  it('is the user, the application, or content from outside', () => {
    expect(sourceOf(url, [user(`look at ${url}, please`)], [])).toBe('user');
    expect(sourceOf('https://example.org/', [user('look at example.org')], [])).toBe('user');
    expect(sourceOf(url, [], [`Sources: ${url}`])).toBe('user');
    expect(sourceOf(url, [result(`a link: ${url}`, ['https://other.example'])], [])).toBe('content');
    expect(sourceOf(url, [result(`Human response: ${url}`, undefined, 'RoleZero.ask_human')], [])).toBe(
      'user',
    );
  });

  it('is not the model, also when a tool or a page repeats its address', () => {
    expect(sourceOf(url, [model(`I will open ${url}`)], [])).toBe(null);
    expect(sourceOf(url, [result(url, undefined, 'Terminal.run_command')], [])).toBe(null);
    expect(
      sourceOf(url, [model('…', url), result(`You asked for ${url}`, ['https://evil.example'])], []),
    ).toBe(null);
    expect(sourceOf(url, [model('…', url), user(`yes, ${url}`)], [])).toBe('user');
  });

  it('is not the user when the text passed through a role that read untrusted content', () => {
    const passedOn = new UserMessage({ content: url, metadata: { untrusted: ['https://evil.example'] } });
    expect(sourceOf(url, [passedOn], [])).toBe(null);
  });

  it('is not anyone when the model composed it from other texts', () => {
    const put = result(url, ['https://evil.example'], 'Terminal.run_command');
    const [first] = put.metadata['results'] as Record<string, unknown>[];
    Object.assign(first ?? {}, { composed: true });
    expect(sourceOf(url, [put], [])).toBe(null);
  });

  it.each<[string, string, boolean]>([
    ['https://a.example/page', 'https://a.example/pa', false],
    ['https://a.example/page', 'https://a.example/', true], // the front page of a host that was named
    ['https://a.example/docs/x', 'https://a.example/docs', false],
    ['https://a.example/docs/, then', 'https://a.example/docs', true],
    ['https://a.example/docs#part', 'https://a.example/docs', false],
    ['https://a.example/docs?from=mail', 'https://a.example/docs', false],
    ['Have you seen https://a.example/docs?', 'https://a.example/docs', true],
    ['[a](https://a.example/docs)', 'https://a.example/docs', true],
    ['See https://a.example/docs.', 'https://a.example/docs', true],
    ['见https://a.example/docs。', 'https://a.example/docs', true],
    ['https://a.example/?x=12', 'https://a.example/?x=1', false],
    ['report.com', 'https://t.co/', false],
    ['write to bob@a.example', 'https://a.example/', false],
    ['a.example.evil.test', 'https://a.example/', false],
    ['aa.evil.test', 'https://a.evil.test/', false],
    ['Go to a.example.', 'https://a.example/', true],
  ])('%j names %s: %s', (text, address, given) => {
    expect(sourceOf(address, [user(text)], [])).toBe(given ? 'user' : null);
  });

  it('content from outside, alone or at a site that the user named', () => {
    const listed = result(`a link: ${url}`, ['https://other.example']);
    expect(sourceOf(url, [user('look around'), listed], [])).toBe('content');
    expect(sourceOf(url, [user('look around example.org'), listed], [])).toBe('site');
    expect(sourceOf(url, [listed], ['Helps with https://example.org/start'])).toBe('site');
    expect(sourceOf(url, [user('look around my.example.org and an-example.org'), listed], [])).toBe(
      'content',
    );
    expect(sourceOf('/relative', [result('see /relative', ['https://other.example'])], [])).toBe('content');
  });

  it('is not the user who picked an option that the model wrote', () => {
    const answer = result(`Human response: ${url}`, undefined, 'RoleZero.ask_human');
    expect(sourceOf(url, [model('…', url), answer], [])).toBe(null);
  });

  it('does not cover a longer address', () => {
    expect(sourceOf(`${url}&secret=1`, [user(url)], [])).toBe(null);
    expect(sourceOf('https://example.org/?q=secret', [user('https://example.org/')], [])).toBe(null);
  });
});

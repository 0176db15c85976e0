import { describe, expect, it } from 'vitest';
import { AIMessage, RunCommand, UserMessage } from '../../../src/base/message.js';
import { isGiven, unfit } from '../../../src/role/addresses.js';

const person = (content: string) => new UserMessage({ content });
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

describe('addresses that are reached under no circumstances', () => {
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
  ])('%s', (address) => {
    expect(unfit(address)).not.toBeNull();
  });

  it.each([
    'https://example.org/',
    'http://172.32.0.1/',
    'http://11.0.0.1/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.org/',
  ])('%s is fit', (address) => {
    expect(unfit(address)).toBeNull();
  });
});

describe('who named an address', () => {
  const url = 'https://example.org/a?b=1';

  it('the person, the application, and what came from outside', () => {
    expect(isGiven(url, [person(`look at ${url}, please`)], [])).toBe(true);
    expect(isGiven('https://example.org/', [person('look at example.org')], [])).toBe(true);
    expect(isGiven(url, [], [`Sources: ${url}`])).toBe(true);
    expect(isGiven(url, [result(`a link: ${url}`, ['https://other.example'])], [])).toBe(true);
    expect(isGiven(url, [result(`Human response: ${url}`, undefined, 'RoleZero.ask_human')], [])).toBe(true);
  });

  it('not the model: neither itself, nor through a tool or a page that repeats it', () => {
    expect(isGiven(url, [model(`I will open ${url}`)], [])).toBe(false);
    expect(isGiven(url, [result(url, undefined, 'Terminal.run_command')], [])).toBe(false);
    expect(
      isGiven(url, [model('…', url), result(`You asked for ${url}`, ['https://evil.example'])], []),
    ).toBe(false);
    expect(isGiven(url, [model('…', url), person(`yes, ${url}`)], [])).toBe(true);
  });

  it('not a person whose words came by way of somebody who had read strangers', () => {
    const passedOn = new UserMessage({ content: url, metadata: { untrusted: ['https://evil.example'] } });
    expect(isGiven(url, [passedOn], [])).toBe(false);
  });

  it('not what was put together here of the words of others', () => {
    const put = result(url, ['https://evil.example'], 'Terminal.run_command');
    const [first] = put.metadata['results'] as Record<string, unknown>[];
    Object.assign(first ?? {}, { composed: true });
    expect(isGiven(url, [put], [])).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ['https://a.example/page', 'https://a.example/pa', false],
    ['https://a.example/page', 'https://a.example/', true], // the front page of a host that was named
    ['https://a.example/docs/x', 'https://a.example/docs', false],
    ['https://a.example/docs/, then', 'https://a.example/docs', true],
    ['https://a.example/docs#part', 'https://a.example/docs', true],
    ['https://a.example/docs?from=mail', 'https://a.example/docs', true],
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
    expect(isGiven(address, [person(text)], [])).toBe(given);
  });

  it('a longer address is another one', () => {
    expect(isGiven(`${url}&secret=1`, [person(url)], [])).toBe(false);
    expect(isGiven('https://example.org/?q=secret', [person('https://example.org/')], [])).toBe(false);
  });
});

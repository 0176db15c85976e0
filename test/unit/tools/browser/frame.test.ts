import { describe, expect, it } from 'vitest';
import { readAddress, shownAddress } from '../../../../src/tools/browser/frame/addresses.js';
import { contentPolicy, readOrigins } from '../../../../src/tools/browser/frame/content-policy.js';
import { virtualLocation } from '../../../../src/tools/browser/virtual-location.js';
import { TabHistory } from '../../../../src/tools/browser/frame/tab-history.js';
import { wrapperDocument } from '../../../../src/tools/browser/frame/wrapper.js';
import { MESSAGE_LIMITS } from '../../../../src/tools/browser/limits.js';
import { read } from '../../../../src/core/schema.js';
import { fromDriver } from '../../../../src/tools/browser/protocol.js';

describe('addresses', () => {
  it('name files by path or file:///, relative to the open page', () => {
    const shown = (text: string, from = 'about:blank') => shownAddress(readAddress(text, from).href);
    expect(shown('/a/b.html')).toBe('file:///a/b.html');
    expect(shown('a b.html')).toBe('file:///a%20b.html');
    expect(shown('file:///a.html?x=1#y')).toBe('file:///a.html?x=1#y');
    expect(shown('../c.html', 'https://workspace.invalid/a/b.html')).toBe('file:///c.html');
    expect(shown('c.html', 'https://site.example/a/b.html')).toBe('file:///c.html');
    expect(shown('https://me:secret@site.example/x')).toBe('https://site.example/x');
    expect(shown('/../../etc/passwd')).toBe('file:///etc/passwd'); // of the workspace; nothing else exists there
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/1',
    'chrome://version',
    '',
    'x'.repeat(5_000),
  ])('rejects %.30s', (address) => {
    expect(() => readAddress(address, 'about:blank')).toThrow(
      expect.objectContaining({ code: 'tool-input' }) as Error,
    );
  });
});

describe('what a page may load', () => {
  it('is only itself, unless origins are allowed; a policy cannot be injected', () => {
    expect(contentPolicy([])).not.toMatch(/https?:/);
    expect(contentPolicy(readOrigins(['https://cdn.example/lib/']))).toContain(
      'connect-src data: blob: https://cdn.example;',
    );
    for (const origin of ["'self'", 'https://a.example; script-src *', '*', 'data:', 'https://*'])
      expect(() => readOrigins([origin])).toThrow(expect.objectContaining({ code: 'invalid' }) as Error);
  });

  it('the wrapper blocks navigation of its page, and both have opaque origins', () => {
    expect(wrapperDocument([])).toContain("frame-src 'none'");
    expect(wrapperDocument([])).not.toContain('allow-same-origin');
    expect(wrapperDocument([])).not.toContain('allow-top-navigation');
  });
});

describe('location in scripts', () => {
  it.each([
    ['location.href = "a"', '__rolezeroLocation(location).href = "a"'],
    ['window.location = "a"', '__rolezeroLocation(window.location).href = "a"'],
    ['top.location.replace(x)', '__rolezeroLocation(location).replace(x)'],
    ['document.location.search', '__rolezeroLocation(document.location).search'],
    ['location.pathname === "/x"', '__rolezeroLocation(location).pathname === "/x"'],
    ['new URL(location)', 'new URL(location)'],
    ['user.location.href', 'user.location.href'],
    ['let location = 1; location = 2', 'let location = 1; location = 2'],
    ['const f = (location) => { location = 2; }', 'const f = (location) => { location = 2; }'],
    ['this.#location.x', 'this.#location.x'],
    ['if (location == null) {}', 'if (location == null) {}'],
    ['({ location: 1 })', '({ location: 1 })'],
    ['...location.href', '...location.href'],
    ['const l = window.location;', 'const l = __rolezeroLocation(window.location);'],
    ['const l = location;', 'const l = __rolezeroLocation(location);'],
    ['return location', 'return __rolezeroLocation(location)'],
    ['a === location;', 'a === location;'],
    ['f(location)', 'f(location)'],
    ['__rolezeroLocation(location).href', '__rolezeroLocation(location).href'],
  ])('%s', (code, written) => {
    expect(virtualLocation(code)).toBe(written);
  });
});

describe('history of a tab', () => {
  it('limits the address of a page to its own document and origin', () => {
    const history = new TabHistory();
    const at = (url: string) => `https://workspace.invalid${url}`;
    history.visit({ url: at('/a'), document: 1 }, 'push');
    history.visit({ url: at('/b'), document: 2 }, 'push');
    history.within({ url: at('/b?1'), how: 'push', index: 1 }, 2);
    history.within({ url: 'https://evil.example/', how: 'push', index: 2 }, 2);
    history.within({ url: at('/old'), how: 'push', index: 1 }, 1); // of a document that no longer exists
    expect(history.current?.url).toBe(at('/b?1'));
    history.within({ url: at('/b'), how: 'traverse', index: 0 }, 2);
    expect([history.at(-1)?.url, history.current?.url, history.at(1)?.url]).toEqual([
      at('/a'),
      at('/b'),
      at('/b?1'),
    ]);
    history.within({ url: at('/b'), how: 'traverse', index: -5 }, 2);
    expect(history.current?.url).toBe(at('/b'));
  });
});

describe('messages of a hostile page', () => {
  const title = (text: string) => ({ type: 'event', event: { event: 'title', title: text } });

  it('are dropped when malformed or too long', () => {
    expect(read(fromDriver, title('x')).success).toBe(true);
    const wrong: unknown[] = [
      null,
      'title',
      [],
      title('x'.repeat(MESSAGE_LIMITS.title + 1)),
      { type: 'event', event: { event: 'eval', code: '1' } },
      { type: 'answer', id: 'one', ok: true },
      { type: 'answer', id: 1, ok: false, code: 'other', message: '' },
      {
        type: 'event',
        event: {
          event: 'navigate',
          url: 'x'.repeat(MESSAGE_LIMITS.url + 1),
          how: 'link',
          method: 'get',
          fields: [],
          popup: false,
          top: false,
        },
      },
      {
        type: 'event',
        event: {
          event: 'navigate',
          url: 'x',
          how: 'link',
          method: 'get',
          fields: Array(MESSAGE_LIMITS.fields + 1).fill(['a', 'b']),
          popup: false,
          top: false,
        },
      },
    ];
    expect(wrong.filter((message) => read(fromDriver, message).success)).toEqual([]);
  });

  it('pollute no prototype', () => {
    const message: unknown = JSON.parse(
      '{"type":"event","event":{"event":"title","title":"x","__proto__":{"polluted":1}},"__proto__":{"polluted":1}}',
    );
    expect(read(fromDriver, message)).toEqual({ success: true, data: title('x') });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

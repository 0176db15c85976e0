import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchWeb, searxng, wikipedia } from '../../../../src/tools/search/index.js';
import { isSamePlace } from '../../../../src/tools/search/http.js';
import { fetchPage } from '../../../../src/tools/search/search.js';
import { type FaultServer, startFaultServer } from '../../../fault-server/fault-server.js';
import { drop, head, json, send, sendBytes, stall, type Reply } from '../../../fault-server/replies.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());
beforeEach(() => {
  (server.requests as unknown[]).length = 0;
});

const never = new AbortController().signal;
const list = { asString: false } as const;
const parameters = (index = 0) => new URL(server.requests[index]?.path ?? '', server.origin).searchParams;

describe('wikipedia', () => {
  const engine = () => wikipedia({ baseURL: server.origin });

  it('finds articles through the API with CORS', async () => {
    const hits = [
      {
        title: 'Game of life',
        snippet: 'A <span class="searchmatch">cell</span> &amp; its &quot;life&quot;',
      },
      { title: 'C++ / C#', snippet: '' },
    ];
    server.script([json(200, { query: { search: hits } })]);
    expect(await searchWeb(engine(), 'cell life?', { ...list, maxResults: 5 })).toEqual([
      { link: `${server.origin}/wiki/Game_of_life`, title: 'Game of life', snippet: 'A cell & its "life"' },
      { link: `${server.origin}/wiki/C%2B%2B_%2F_C%23`, title: 'C++ / C#', snippet: '' },
    ]);
    expect(Object.fromEntries(parameters())).toEqual({
      action: 'query',
      format: 'json',
      formatversion: '2',
      origin: '*',
      list: 'search',
      srsearch: 'cell life?',
      srprop: 'snippet',
      srlimit: '5',
    });
  });

  it('reads the articles it finds as plain text, and leaves other pages to others', async () => {
    server.script([
      json(200, { query: { pages: [{ title: 'C++ / C#', extract: 'Two languages.' }] } }),
      json(200, { query: { pages: [{ title: 'Gone', missing: true }] } }),
    ]);
    const { read } = engine();
    expect(await read?.(`${server.origin}/wiki/C%2B%2B_%2F_C%23`, never)).toBe('Two languages.');
    expect(parameters().get('titles')).toBe('C++_/_C#');
    expect(await read?.(`${server.origin}/wiki/Gone`, never)).toBe('');
    expect(await read?.('https://elsewhere.example/wiki/A', never)).toBe(null);
    expect(server.requests).toHaveLength(2);
  });

  it('sends no cookies and reports errors', async () => {
    server.script([
      json(200, { error: { info: 'The srsearch parameter must be set.' } }),
      json(429, {}),
      [head(200), send('<html>')],
      [drop],
    ]);
    const problem = () => searchWeb(engine(), 'x').catch((error: unknown) => String(error));
    expect([await problem(), await problem(), await problem(), await problem()]).toEqual([
      'RoleZeroError: its API reported: The srsearch parameter must be set.',
      'RoleZeroError: its server answered 429',
      'RoleZeroError: its answer is no JSON',
      expect.stringContaining('could not be fetched'),
    ]);
  });

  it.each([[{}], [[]], [{ query: null }], [{ query: { search: [1, null, {}] } }]])(
    'reads no results from %j',
    async (answer) => {
      server.script([json(200, answer)]);
      expect(await searchWeb(engine(), 'x', list)).toEqual([]);
    },
  );
});

describe('searxng', () => {
  it('requests JSON below its base URL', async () => {
    server.script([
      json(200, {
        results: [{ url: 'https://a.example/', title: 'A', content: 'about a' }, { url: 7 }, null],
      }),
    ]);
    expect(await searchWeb(searxng({ baseURL: `${server.origin}/sub` }), 'a b', list)).toEqual([
      { link: 'https://a.example/', title: 'A', snippet: 'about a' },
    ]);
    expect(server.requests[0]?.path).toBe('/sub/search?q=a+b&format=json');
  });

  it('names the setting that is usually missing', async () => {
    server.script([json(403, {})]);
    await expect(searchWeb(searxng({ baseURL: server.origin }), 'x')).rejects.toThrow('search.formats');
  });

  it('requires a web URL', () => {
    expect(() => searxng({ baseURL: 'search.example' })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });

  it('closes a silent engine after a time limit, and calls the next one', async () => {
    server.script([[head(200, { 'content-type': 'application/json' }), send('{"results":'), stall]]);
    const next = () => Promise.resolve([{ link: 'https://b.example/', title: 'B', snippet: '' }]);
    const found = await searchWeb([searxng({ baseURL: server.origin }), next], 'x', {
      ...list,
      timeoutMs: 60,
    });
    expect(found.map(({ title }) => title)).toEqual(['B']);
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });
});

describe('a page fetched directly', () => {
  const read = (reply: Reply) => {
    server.script([reply]);
    return fetchPage(`${server.origin}/page`, never);
  };

  it('returns its text', async () => {
    const html = '<!doctype html><title>x</title><p>One<p>two &lt;3';
    expect(await read([head(200, { 'content-type': 'text/html; charset=utf-8' }), send(html)])).toBe(
      'x One two <3',
    );
  });

  it('is decoded with its own charset, up to one mebibyte', async () => {
    const latin = [head(200, { 'content-type': 'text/plain; charset="iso-8859-1"' }), sendBytes([0xfc])];
    expect(await read(latin)).toBe('ü');
    expect(await read([head(200, { 'content-type': 'text/plain; charset=klingon' }), send('ü')])).toBe('ü');
    const endless = await read([
      head(200, { 'content-type': 'text/plain' }),
      send('x'.repeat(3_000_000)),
      stall,
    ]);
    expect(endless.length).toBeLessThan(1_200_000);
  });

  it('that is not text, or missing, is an error', async () => {
    await expect(read([head(200, { 'content-type': 'application/pdf' }), send('%PDF')])).rejects.toThrow(
      'it is no text but application/pdf',
    );
    await expect(read([head(404)])).rejects.toThrow('its server answered 404');
  });

  describe('where a redirect leads', () => {
    let other: FaultServer;
    beforeAll(async () => {
      other = await startFaultServer();
    });
    afterAll(() => other.close());
    const shown: Reply = [head(200, { 'content-type': 'text/plain' }), send('theirs')];

    it('on the same host is followed', async () => {
      server.script([[head(302, { location: '/there' })], shown]);
      expect(await fetchPage(`${server.origin}/page`, never)).toBe('theirs');
      expect(server.requests.map(({ path }) => path)).toEqual(['/page', '/there']);
    });

    it('elsewhere is not read, and the error names the URL to request', async () => {
      other.script([shown]);
      await expect(read([head(302, { location: `${other.origin}/there?a=1` })])).rejects.toThrow(
        `it redirects to ${other.origin}/there?a=1: ask for that address itself`,
      );
      other.script([shown]);
      const engine = searxng({ baseURL: server.origin });
      server.script([[head(307, { location: `${other.origin}/search` })]]);
      await expect(searchWeb(engine, 'x', list)).rejects.toThrow(`it redirects to ${other.origin}/search`);
    });

    it('to the same host by https, with or without www, is followed', () => {
      const pairs = [
        ['http://a.example/x', 'https://a.example/y', true],
        ['http://a.example/', 'https://www.a.example/', true],
        ['https://www.a.example/', 'https://a.example/', true],
        ['https://a.example/', 'http://a.example/', false],
        ['https://a.example/', 'https://b.a.example/', false],
        ['http://a.example/', 'https://a.example:8443/', false],
        ['http://a.example:8080/', 'https://a.example/', false],
        ['https://a.example/', 'https://a.example.evil.example/', false],
      ] as const;
      for (const [from, to, same] of pairs)
        expect([from, to, isSamePlace(from, to)]).toEqual([from, to, same]);
    });
  });
});

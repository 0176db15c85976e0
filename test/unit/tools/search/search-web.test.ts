import { describe, expect, expectTypeOf, it } from 'vitest';
import { searchWeb } from '../../../../src/tools/search/index.js';
import type { SearchFunction, SearchResult } from '../../../../src/tools/search/engine.js';

const hit = (link: string, more: object = {}) => ({ link, title: 'T', snippet: 's', ...more });
const finds: SearchFunction = () => Promise.resolve([hit('https://a.example/'), hit('https://b.example/')]);
const fails: SearchFunction = () => Promise.reject(new Error('the engine is down'));

describe('searchWeb', () => {
  it('returns a text or a list', async () => {
    expect(await searchWeb(finds, 'x')).toBe('T\nhttps://a.example/\ns\n\nT\nhttps://b.example/\ns');
    const list = await searchWeb([finds], 'x', { asString: false });
    expectTypeOf(list).toEqualTypeOf<SearchResult[]>();
    expect(list).toEqual([hit('https://a.example/'), hit('https://b.example/')]);
  });

  it('A-225 rethrows a failure, or returns an empty result when errors are ignored', async () => {
    await expect(searchWeb(fails, 'x')).rejects.toThrow('the engine is down');
    await expect(searchWeb(fails, 'x', { asString: false })).rejects.toThrow('the engine is down');
    expect(await searchWeb(fails, 'x', { ignoreErrors: true })).toBe('');
    expect(await searchWeb(fails, 'x', { ignoreErrors: true, asString: false })).toEqual([]);
  });

  it('requests eight results by default, and uses no more than that', async () => {
    const asked: number[] = [];
    const generous: SearchFunction = (_, { maxResults }) => {
      asked.push(maxResults);
      return Promise.resolve(Array.from({ length: 50 }, (_, index) => hit(`https://a.example/${index}`)));
    };
    expect(await searchWeb(generous, 'x', { asString: false })).toHaveLength(8);
    expect(await searchWeb(generous, 'x', { asString: false, maxResults: 3 })).toHaveLength(3);
    expect(asked).toEqual([8, 3]);
  });

  it('accepts only web addresses, and limits every text to one short line', async () => {
    const wild = (() =>
      Promise.resolve([
        hit('javascript:alert(1)'),
        hit('/relative'),
        hit('https://x.example/ two words'),
        hit(`https://x.example/${'x'.repeat(3_000)}`),
        { link: 7 },
        null,
        'text',
        hit('https://good.example/', { title: 'a\nba\n'.repeat(1_000), snippet: undefined }),
      ])) as unknown as SearchFunction;
    const [only, ...others] = await searchWeb(wild, 'x', { asString: false });
    expect(others).toEqual([]);
    expect(only).toEqual({
      link: 'https://good.example/',
      title: 'a ba '.repeat(40).slice(0, -1),
      snippet: '',
    });
  });

  it('treats an engine without a list as failed', async () => {
    const odd = (() => Promise.resolve('results')) as unknown as SearchFunction;
    await expect(searchWeb([odd, fails], 'x')).rejects.toMatchObject({
      code: 'tool-failed',
      message:
        'No search engine answered. odd failed: odd did not give a list of results. fails failed: the engine is down.',
    });
  });

  it('ends at once when stopped, and calls no other engine', async () => {
    const stopping = new AbortController();
    let asked = 0;
    const deaf: SearchFunction = () => {
      asked += 1;
      stopping.abort(new Error('enough'));
      return new Promise(() => {});
    };
    const options = { signal: stopping.signal, ignoreErrors: true };
    await expect(searchWeb([deaf, deaf], 'x', options)).rejects.toThrow('enough');
    expect(asked).toBe(1);
  });

  it('aborts an engine at its time limit', async () => {
    let aborted = false;
    const slow: SearchFunction = (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('aborted by signal'));
        });
      });
    await expect(searchWeb(slow, 'x', { timeoutMs: 10 })).rejects.toMatchObject({ code: 'tool-timeout' });
    expect(aborted).toBe(true);
  });
});

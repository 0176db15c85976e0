import { describe, expect, it } from 'vitest';
import type { Files } from '../../../../src/core/files.js';
import { VirtualFiles } from '../../../../src/files/virtual-files.js';
import { withListedFiles } from '../../../../src/tools/terminal/listed-files.js';

/** Files that count the calls of `stat` that reach them. */
async function setup(): Promise<{ files: Files; asked: () => number; forget: () => void; below: Files }> {
  const workspace = new VirtualFiles({ now: () => 0 });
  workspace.writeAll([
    { path: '/a.txt', content: 'one' },
    { path: '/b.txt', content: 'three' },
  ]);
  const below = workspace.stage();
  let asked = 0;
  const counting = new Proxy(below, {
    get(target, name) {
      if (name === 'stat') asked += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  const { files, forget } = withListedFiles(counting);
  await files.list('/');
  return { files, asked: () => asked, forget, below };
}

describe('listed files', () => {
  it('are not asked for again', async () => {
    const { files, asked } = await setup();
    expect([(await files.stat('/a.txt'))?.size, (await files.stat('/b.txt'))?.size]).toEqual([3, 5]);
    expect(await files.stat('/c.txt')).toBeNull();
    expect(asked()).toBe(0);
    expect([(await files.stat('/'))?.type, await files.stat('/other/c.txt')]).toEqual(['directory', null]);
    expect(asked()).toBe(2);
  });

  it.each<[what: string, change: (files: Files) => Promise<void>, size: number | undefined]>([
    ['written', (files) => files.write('/a.txt', 'longer'), 6],
    ['removed', (files) => files.remove('/a.txt'), undefined],
    ['moved', (files) => files.move('/a.txt', '/c.txt'), undefined],
    [
      'covered by a copy',
      async (files) => {
        await files.remove('/a.txt');
        await files.copy('/b.txt', '/a.txt');
      },
      5,
    ],
  ])('are asked for again when a file is %s', async (_, change, size) => {
    const { files } = await setup();
    await change(files);
    expect((await files.stat('/a.txt'))?.size).toBe(size);
  });

  it('of a list that was made before a change are not used', async () => {
    const { files } = await setup();
    const listing = files.list('/');
    await Promise.all([listing, files.write('/a.txt', 'longer')]);
    expect((await files.stat('/a.txt'))?.size).toBe(6);
  });

  it('are forgotten for good when something else may change them', async () => {
    const { files, forget, below } = await setup();
    forget();
    await files.list('/');
    await below.write('/a.txt', 'longer');
    expect((await files.stat('/a.txt'))?.size).toBe(6);
  });
});

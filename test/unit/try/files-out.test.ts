import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RefusedPath, writeBelow } from '../../../scripts/try/files-out.js';

const text = (content: string) => new TextEncoder().encode(content);
let place: string;
let out: string;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'files-out-')));
  out = join(place, 'out');
});
afterEach(() => rm(place, { recursive: true }));

describe('files of a session on this machine', () => {
  it('are written below the directory, which is created', async () => {
    expect(await writeBelow(out, '/game/index.html', text('hi'))).toEqual({
      path: '/game/index.html',
      size: 2,
      replaced: false,
    });
    expect(await writeBelow(out, '/game/index.html', text('hello'))).toEqual({
      path: '/game/index.html',
      size: 5,
      replaced: true,
    });
    expect(await readFile(join(out, 'game/index.html'), 'utf8')).toBe('hello');
    expect(await readdir(join(out, 'game'))).toEqual(['index.html']);
  });

  it('may go to a directory that is itself a link', async () => {
    await mkdir(join(place, 'real'));
    await symlink(join(place, 'real'), out);
    await writeBelow(out, '/a', text('a'));
    expect(await readFile(join(place, 'real/a'), 'utf8')).toBe('a');
  });

  it.each(['/../a', '/a/../../b', '/a\\b', '/a\u0000b', '/\u001b[2J', '/', ''])(
    'are rejected as %j',
    async (path) => {
      await expect(writeBelow(out, path, text('x'))).rejects.toThrow(RefusedPath);
      expect(await readdir(place, { recursive: true })).toEqual(['out']);
    },
  );

  it('do not follow a link out, neither as a directory nor as a file', async () => {
    await mkdir(out);
    await mkdir(join(place, 'outside'));
    await writeFile(join(place, 'outside/secret'), 'kept');
    await symlink(join(place, 'outside'), join(out, 'folder'));
    await symlink(join(place, 'outside/secret'), join(out, 'file'));
    await symlink(join(place, 'outside/new'), join(out, 'dangling'));
    for (const path of ['/folder/secret', '/folder/new', '/file', '/dangling', '/folder']) {
      await expect(writeBelow(out, path, text('x'))).rejects.toThrow(RefusedPath);
    }
    expect(await readdir(join(place, 'outside'))).toEqual(['secret']);
    expect(await readFile(join(place, 'outside/secret'), 'utf8')).toBe('kept');
  });

  it('do not reach a file outside by a hard link', async () => {
    await mkdir(out);
    await writeFile(join(place, 'secret'), 'kept');
    await link(join(place, 'secret'), join(out, 'a'));
    await writeBelow(out, '/a', text('new'));
    expect(await readFile(join(place, 'secret'), 'utf8')).toBe('kept');
    expect(await readFile(join(out, 'a'), 'utf8')).toBe('new');
  });

  it('do not replace a directory, and no file replaces their directory', async () => {
    await mkdir(join(out, 'a'), { recursive: true });
    await writeFile(join(out, 'b'), 'b');
    await expect(writeBelow(out, '/a', text('x'))).rejects.toThrow(RefusedPath);
    await expect(writeBelow(out, '/b/c', text('x'))).rejects.toThrow(RefusedPath);
  });
});

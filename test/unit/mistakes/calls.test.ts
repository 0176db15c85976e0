import { describe, expect, it } from 'vitest';
import type { HostApi } from '../../../src/wire/protocol.js';
import { checkedHost } from '../../../src/worker/checked-host.js';

const host = checkedHost(
  new Proxy({} as HostApi, { get: () => async () => ({ ok: true, value: null }) }),
) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;

const call = (method: string, ...args: unknown[]) => host['callMethod']?.(method, args);
/** The error message of a call of `session.files`. */
const files = (method: string, ...args: unknown[]) => call(`files.${method}`, ...args);
const rejected = (message: string) => ({
  ok: false,
  error: expect.objectContaining({ code: 'invalid', message }) as unknown,
});

describe('wrong arguments of session methods', () => {
  it('suggests an alternative to an extra argument', async () => {
    expect(await files('list', '/', { recursive: true })).toEqual(
      rejected(
        'files.list() takes 1 argument, but was given 2. It lists everything below the directory, so it needs no { recursive: true }.',
      ),
    );
    expect(await files('read', '/a.txt', 'utf8')).toEqual(
      rejected(
        'files.read() takes 1 argument, but was given 2. It reads UTF-8 text; files.readBytes() reads bytes.',
      ),
    );
    expect(await files('move', '/a', '/b', true)).toEqual(
      rejected('files.move() takes 2 arguments, but was given 3.'),
    );
    expect(await files('history', 5)).toEqual(
      rejected('files.history() takes no arguments, but was given 1.'),
    );
  });

  it('counts missing arguments and names the wrong one', async () => {
    expect(await files('read')).toEqual(rejected('files.read() needs 1 argument, but was given 0.'));
    expect(await files('write', '/a.txt', { a: 1 })).toEqual(
      rejected('files.write() was given invalid arguments. Argument 2: must be a string or a Uint8Array.'),
    );
    expect(await call('memory.search', 5)).toEqual(
      rejected('memory.search() was given invalid arguments. Argument 1: must be string, but is number.'),
    );
  });

  it('names an option that does not exist', async () => {
    expect(await call('send', 'hello', { too: 'Zero' })).toEqual(
      rejected('send() was given invalid arguments. Argument 2: must not have the property "too".'),
    );
    expect(await files('undo', 'id', { partially: true })).toEqual(
      rejected(
        'files.undo() was given invalid arguments. Argument 2: must not have the property "partially".',
      ),
    );
    expect(await call('messages', { lats: 3 })).toEqual(
      rejected('messages() was given invalid arguments. Argument 1: must not have the property "lats".'),
    );
  });
});

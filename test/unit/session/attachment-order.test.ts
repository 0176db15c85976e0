import { describe, expect, it } from 'vitest';
import { requestSender } from '../../../src/client/send.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { scriptedModel } from '../../../src/testing/index.js';

describe('requests that are sent while the files of an earlier one are read', () => {
  /** A file that can be read when `read` is called, or not at all when `fail` is. */
  function slowFile(name: string) {
    let read = (): void => {};
    let fail = (): void => {};
    const content = new Promise<ArrayBuffer>((resolve, reject) => {
      read = () => resolve(new ArrayBuffer(4));
      fail = () => reject(new Error('unreadable'));
    });
    const slow = Object.assign(new File(['slow'], name), { arrayBuffer: () => content });
    return { slow, read, fail };
  }

  async function sender() {
    const session = await Session.open({
      storage: memoryStorage(),
      name: 's',
      roles: [new RoleZero({ model: scriptedModel([]) })],
      emit: () => {},
      askUser: async () => '',
    });
    const sent: unknown[] = [];
    const call = async (...args: unknown[]) => {
      sent.push(args[0]);
      return null;
    };
    return { sent, request: requestSender(call, { files: session.files, readers: [], warn: () => {} }) };
  }

  it('wait for it', async () => {
    const { sent, request } = await sender();
    const [first, second] = [slowFile('a.txt'), slowFile('b.txt')];
    const requests = [
      request('first', { files: [first.slow] }),
      request('second', { files: [second.slow] }),
      request('third'),
    ];
    second.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
    first.read();
    await Promise.all(requests);
    expect(sent).toEqual(['first', 'second', 'third']);
    await request('fourth');
    expect(sent.at(-1)).toBe('fourth');
  });

  it('are sent when it fails, in their order', async () => {
    const { sent, request } = await sender();
    const [first, second] = [slowFile('a.txt'), slowFile('b.txt')];
    const failures = [request('first', { files: [first.slow] }), request('second', { files: [second.slow] })];
    const third = request('third');
    second.fail();
    await expect(failures[1]).rejects.toThrow('unreadable');
    expect(sent).toEqual([]);
    first.fail();
    await Promise.all([expect(failures[0]).rejects.toThrow('unreadable'), third]);
    expect(sent).toEqual(['third']);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../../src/core/error.js';
import { VirtualFiles } from '../../../../src/files/virtual-files.js';
import { remoteFiles, serveFiles } from '../../../../src/tools/terminal/ports.js';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

function joined() {
  const files = new VirtualFiles({ now: () => 7 });
  const channel = new MessageChannel();
  channels.push(channel);
  serveFiles(files, channel.port1);
  return { files, remote: remoteFiles(channel.port2), port: channel.port2 };
}

describe('files at the other end of a port', () => {
  test('behave like local files, with many calls at a time', async () => {
    const { files, remote } = joined();
    await Promise.all(Array.from({ length: 100 }, (_, i) => remote.write(`/d/${i}`, `text ${i}`)));
    await remote.write('/bytes', new Uint8Array([0, 255]));
    await remote.makeDirectory('/e');
    await remote.move('/bytes', '/e/bytes');
    await remote.remove('/d/0');
    expect(await Promise.all(['/d/1', '/d/99'].map((path) => remote.read(path)))).toEqual([
      'text 1',
      'text 99',
    ]);
    expect(await remote.readBytes('/e/bytes')).toEqual(new Uint8Array([0, 255]));
    expect(await remote.list('/e')).toEqual([{ path: '/e/bytes', type: 'file', size: 2, modifiedAt: 7 }]);
    expect(await remote.stat('/d/0')).toBeNull();
    expect((await files.list('/d')).length).toBe(99);
  });

  test('reject with the same errors as local files', async () => {
    const { remote } = joined();
    const error = await remote.read('/../x').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RoleZeroError);
    expect((error as RoleZeroError).code).toBe('permission');
    await expect(remote.read('/none')).rejects.toMatchObject({
      code: 'not-found',
      detail: { path: '/none' },
    });
  });

  test('expose only the methods of files', async () => {
    const { port } = joined();
    const reply = new Promise(
      (resolve) => (port.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)),
    );
    port.postMessage({ id: 1, method: 'constructor', args: [] });
    expect(await reply).toMatchObject({ id: 1, error: { code: 'invalid' } });
  });
});

import { RoleZeroError, toRoleZeroError, type ErrorData } from '../../core/error.js';
import type { Files } from '../../core/files.js';

/** Allowed methods of `Files`; calls to any other name are rejected. */
const FILE_METHODS = [
  'read',
  'readBytes',
  'write',
  'stat',
  'list',
  'makeDirectory',
  'remove',
  'move',
  'copy',
  'glob',
] as const;
type FileMethod = (typeof FILE_METHODS)[number];

interface FileCall {
  id: number;
  method: FileMethod;
  args: unknown[];
}
type PortReply = { id: number; value: unknown } | { id: number; error: ErrorData };

/** Gives the other end of `port` access to these files until the port is closed. */
export function serveFiles(files: Files, port: MessagePort): void {
  port.onmessage = ({ data }: MessageEvent<FileCall>) => {
    void answerCall(files, data).then((reply) => port.postMessage(reply));
  };
}

async function answerCall(files: Files, { id, method, args }: FileCall): Promise<PortReply> {
  try {
    if (!FILE_METHODS.includes(method)) throw new RoleZeroError('invalid', `Files cannot ${method}.`);
    const methods = files as unknown as Record<FileMethod, (...args: unknown[]) => Promise<unknown>>;
    return { id, value: await methods[method](...args) };
  } catch (error) {
    return { id, error: toRoleZeroError(error).toData() };
  }
}

/** Returns the files at the other end of `port`. */
export function remoteFiles(port: MessagePort): Files {
  const pending = new Map<number, { resolve(value: never): void; reject(error: RoleZeroError): void }>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<PortReply>) => {
    const call = pending.get(data.id);
    pending.delete(data.id);
    if ('error' in data) call?.reject(RoleZeroError.fromData(data.error));
    else call?.resolve(data.value as never);
  };
  const call =
    <M extends FileMethod>(method: M) =>
    (...args: Parameters<Files[M]>) =>
      new Promise<never>((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        const message: FileCall = { id: last, method, args };
        port.postMessage(message);
      });
  return {
    read: call('read'),
    readBytes: call('readBytes'),
    write: call('write'),
    stat: call('stat'),
    list: call('list'),
    makeDirectory: call('makeDirectory'),
    remove: call('remove'),
    move: call('move'),
    copy: call('copy'),
    glob: call('glob'),
  };
}

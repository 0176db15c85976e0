import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server with one repository, `/r.git`, which everybody may read and write. It has one commit. */
export async function gitServer(): Promise<{
  url: string;
  requests: string[];
  git(...args: string[]): string;
  close(): void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'git-server-'));
  const bare = join(folder, 'r.git');
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(folder, 'init', '-q', '--bare', '-b', 'main', bare);
  run(bare, 'config', 'http.receivepack', 'true');
  const work = join(folder, 'work');
  run(folder, 'clone', '-q', bare, work);
  run(work, 'checkout', '-q', '-b', 'main');
  execFileSync('sh', ['-c', 'echo remote > file.txt'], { cwd: work });
  run(work, 'add', '.');
  run(work, '-c', 'user.name=R', '-c', 'user.email=r@example.org', 'commit', '-qm', 'From the server');
  run(work, 'push', '-q', 'origin', 'main');
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    requests.push(`${request.method} ${pathname}`);
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on('data', (part: Buffer) => parts.push(part));
    backend.on('close', () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf('\r\n\r\n');
      const headers = all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      const status = headers.find(([name]) => name === 'Status')?.[1];
      response.writeHead(
        status === undefined ? 200 : Number.parseInt(status, 10),
        Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
      );
      response.end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    git: (...args) => run(bare, ...args),
    close: () => {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

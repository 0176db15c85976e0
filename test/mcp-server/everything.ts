import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { extraPackages } from '../../scripts/extra-packages.mjs';

/** The reference server of the Model Context Protocol, in a process of its own. */
export interface Everything {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startEverything(): Promise<Everything> {
  const folder = `${extraPackages('mcp-everything')}/node_modules/@modelcontextprotocol/server-everything`;
  const port = await freePort();
  const running = spawn(process.execPath, [`${folder}/dist/index.js`, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = once(running, 'exit');
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; tries < 200; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await wait(50);
  }
  return {
    url,
    async stop() {
      running.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

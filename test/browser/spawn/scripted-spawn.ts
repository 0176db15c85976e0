import { inject } from 'vitest';
import { spawn, type SpawnOptions } from '../../../src/spawn/index.js';
import { commands } from '../../../src/testing/scripted-model.js';
import { remoteFaultServer } from '../../fault-server/remote.js';
import { reply } from '../../fault-server/replies.js';

/** The worker of this package. */
export const readyMade = new URL('../../../src/spawn/worker.ts', import.meta.url);

/** A server with a model that writes /a.txt on request. */
async function modelThatWrites(): Promise<SpawnOptions['model']> {
  return modelThatSays(
    commands(['Editor.write', { path: '/a.txt', content: 'hi' }]),
    commands(['end', {}]),
    'Wrote a.txt.',
  );
}

export async function modelThatSays(...replies: string[]): Promise<SpawnOptions['model']> {
  const server = await remoteFaultServer(inject('faultServer'));
  await server.script(replies.map((text) => reply(text)));
  // With `jsonSchema`, the server is asked for nothing before the first reply.
  return { baseURL: server.url, model: 'scripted', contextWindow: 8_192, jsonSchema: false };
}

export async function whatBecomesOf(options: Omit<SpawnOptions, 'model'>): Promise<unknown> {
  const session = await spawn({ ...options, session: crypto.randomUUID(), model: await modelThatWrites() });
  const { status, summary } = await session.send('Write hi.').result();
  const file = await session.files.read('/a.txt');
  await session.close();
  return { status, summary, file };
}

export const written = { status: 'done', summary: 'Wrote a.txt.', file: 'hi' };

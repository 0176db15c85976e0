import { z } from 'zod';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage, memoryStorage } from '../../../src/storage/index.js';
import { serveLoops, type Next } from './contender.js';

const add = defineTool({
  name: 'Counter.add',
  description: 'Adds a number to the sum.',
  input: z.object({ n: z.number() }),
  run: ({ n }) => `added ${n}`,
});

/** Replies at once: the next number, or the end. */
function instantModel(next: Next): ChatModel {
  return {
    id: 'instant',
    contextWindow: 1_000_000,
    async *chat({ purpose }) {
      yield { type: 'text-delta', text: replyTo(purpose, next) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function replyTo(purpose: string, next: Next): string {
  if (purpose === 'classify') return 'Response Category: TASK';
  if (purpose !== 'think') return 'English';
  const n = next();
  return JSON.stringify([
    n === null ? { command_name: 'end', args: {} } : { command_name: 'Counter.add', args: { n } },
  ]);
}

function role(next: Next): RoleZero {
  return new RoleZero({
    model: instantModel(next),
    tools: [add],
    maxSteps: 1_000_000,
    summarize: false,
  });
}

let sessions = 0;

async function inSession(storage: Storage, next: Next): Promise<void> {
  const name = `loop-${sessions++}`;
  const session = await Session.open({
    roles: [role(next)],
    storage,
    name,
    askUser: null,
    emit: () => {},
  });
  const { result } = await session.send('Add the numbers.');
  const { status, error } = await result;
  await session.close();
  await storage.remove(name);
  if (status !== 'done') throw new Error(`The run ended as ${status}: ${error?.message ?? ''}`);
}

const inMemory = memoryStorage();
const onDisk = indexedDbStorage({ databaseName: 'rolezero-bench-loop' });
serveLoops({
  'not stored': async (next) => {
    await role(next).run('Add the numbers.');
  },
  'stored in memory': (next) => inSession(inMemory, next),
  'stored on disk': (next) => inSession(onDisk, next),
});

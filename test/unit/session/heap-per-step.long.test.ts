import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { SessionStore, Storage } from '../../../src/core/store.js';
import { Session } from '../../../src/session/session.js';

const STEPS = 4_000;
/** The heap is measured this many times. */
const SPANS = 8;

/** A store that holds nothing, so that only the memory of the session itself counts. */
const FORGETFUL: SessionStore = {
  name: 's',
  epoch: 1,
  random: [1, 2, 3, 4],
  lost: new Promise(() => {}),
  load: () => Promise.resolve([]),
  read: () => Promise.resolve([]),
  commit: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
const storage = { open: () => Promise.resolve(FORGETFUL) } as unknown as Storage;

it('a session with long-term memory holds a few hundred bytes a step, however long it runs', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap: number[] = [];
  let step = 0;
  const model: ChatModel = {
    id: 'm',
    contextWindow: 8_192,
    async *chat({ purpose }) {
      if (purpose !== 'think') {
        yield { type: 'text-delta', text: purpose === 'classify' ? 'Response Category: TASK' : 'noted' };
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      if (step % (STEPS / SPANS) === 0) {
        collect();
        heap.push(process.memoryUsage().heapUsed);
      }
      const command = { command_name: step === STEPS ? 'end' : 'Counter.add', args: { n: step } };
      step += 1;
      yield { type: 'text-delta', text: JSON.stringify([command]) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const add = defineTool({
    name: 'Counter.add',
    description: 'Adds a number.',
    input: z.object({ n: z.number() }),
    run: ({ n }) => `Added ${n} to the sum, as was asked for.`,
  });
  const session = await Session.open({
    roles: [
      new RoleZero({
        model,
        tools: [add],
        maxSteps: STEPS + 1,
        summarize: false,
        longTermMemory: longTermMemory({ maxMessages: 100 }),
      }),
    ],
    storage,
    name: 's',
    askUser: null,
    emit: () => {},
  });
  expect(await (await session.send('Add the numbers.')).result).toMatchObject({ status: 'done' });
  const half = SPANS / 2;
  const perStep = ((heap.at(-1) ?? NaN) - (heap[half] ?? NaN)) / (STEPS / 2);
  expect(perStep).toBeLessThan(600); // 2,400 without long-term memory, where all messages stay in memory
  await session.close();
});

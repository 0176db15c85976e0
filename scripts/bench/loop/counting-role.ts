import { z } from 'zod';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Next } from './contender.js';

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

/** Returns a role that adds numbers, one in each step, until its model has no next one. */
export function countingRole(next: Next): RoleZero {
  return new RoleZero({
    model: instantModel(next),
    tools: [add],
    maxSteps: 1_000_000,
    summarize: false,
  });
}

import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import { longTermMemory, RoleZero, type ChatModel } from 'rolezero/worker';
import type { Setup } from './bridge.js';

/** The agent of this script, for any model. */
export function agent(model: ChatModel, setup: Setup | null): RoleZero {
  const common = { name: 'Zero', goal: 'build what the user requests', model };
  if (setup === null) return new RoleZero({ ...common, tools: editor() });
  const { pages, maxSteps, memoryWindow } = setup;
  return new RoleZero({
    ...common,
    tools: pages === null ? editor() : [...editor(), ...browser()],
    maxReactLoop: maxSteps,
    ...(memoryWindow === null ? {} : { longTermMemory: longTermMemory({ memoryK: memoryWindow }) }),
  });
}

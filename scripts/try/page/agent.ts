import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import { terminal } from 'rolezero/tools/terminal';
import { longTermMemory, RoleZero, type ChatModel } from 'rolezero/worker';
import { sameModel } from '../../../src/providers/same-model.js';
import type { Setup } from './bridge.js';
import { programs } from './programs.js';
import { recordedModel } from './recorded-model.js';

/** The agent of this script, for any model. */
export function agent(model: ChatModel, setup: Setup | null): RoleZero {
  const common = { name: 'Zero', goal: 'build what the user requests' };
  if (setup === null) return new RoleZero({ ...common, model, tools: editor() });
  const { pages, python, maxSteps, memoryWindow, replyFormat, preset, temperature, calls } = setup;
  const inForm = replyFormat === 'text' ? inText(model) : model;
  return new RoleZero({
    ...common,
    model: calls === null ? inForm : recordedModel(inForm, calls),
    tools: [
      ...editor(),
      ...(pages === null ? [] : browser()),
      ...(python === null ? [] : terminal(programs(python))),
    ],
    maxSteps,
    ...(memoryWindow === null ? {} : { longTermMemory: longTermMemory({ maxMessages: memoryWindow }) }),
    ...(preset === null ? {} : { preset }),
    ...(temperature === null ? {} : { temperature }),
  });
}

/** The same model without the abilities to hold a reply to a schema, and to call tools. */
function inText(model: ChatModel): ChatModel {
  return {
    ...sameModel(model),
    supports: { ...model.supports, jsonSchema: false, toolCalls: false },
    chat: (request) => model.chat(request),
  };
}

import { Wllama } from '@wllama/wllama/esm/index.js';
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { webLLM } from 'rolezero/providers/web-llm';
import { wllama } from 'rolezero/providers/wllama';
import { RoleZeroError, serve, type ChatModel } from 'rolezero/worker';
import type { ModelChoice } from '../arguments.js';
import { agent } from './agent.js';
import type { WorkerConfig } from './bridge.js';

serve<WorkerConfig>(({ model, setup }) => agent(modelOf(model), setup));

function modelOf(choice: ModelChoice): ChatModel {
  if (choice.kind === 'web-llm') return webLLM(choice.model);
  if (choice.kind !== 'wllama') throw new RoleZeroError('invalid', `${choice.kind} needs no engine.`);
  const { name, url } = choice.model;
  return wllama({ engine: () => new Wllama({ default: wasm }), model: url, name, contextWindow: 8_192 });
}

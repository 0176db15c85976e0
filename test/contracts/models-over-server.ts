import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { RoleZeroError } from '../../src/core/error.js';
import type { ChatModel } from '../../src/core/model.js';
import { fromAiSdk } from '../../src/providers/ai-sdk/index.js';
import { failover } from '../../src/providers/failover/index.js';
import { metered } from '../../src/providers/metered/index.js';
import { queued } from '../../src/providers/queued/index.js';
import { openai } from '../../src/providers/openai/index.js';
import { chatModelContract } from './chat-model.js';
import type { Provider } from './provider-table.js';
import { overServer, type ServerPort } from './server-model.js';

const dead: ChatModel = {
  id: 'dead',
  contextWindow: 8_192,
  supports: { jsonSchema: true, images: true, seed: true },
  async *chat({ signal }) {
    if (signal.aborted) throw new RoleZeroError('aborted', 'Stopped.');
    throw new RoleZeroError('model-device-lost', 'The device is gone.');
  },
};

const able = { jsonSchema: true, seed: true };
const plain = (baseURL: string) => openai({ baseURL, model: 'm', contextWindow: 8_192 });
const full = (baseURL: string) => openai({ baseURL, model: 'm', contextWindow: 8_192, ...able });

/** A model from the AI SDK's own package. */
export function aiSdkModel(baseURL: string, create: typeof createOpenAICompatible): ChatModel {
  const provider = create({
    name: 'local',
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return fromAiSdk(provider('m'), { contextWindow: 8_192, ...able });
}

/** Runs the contract for every adapter of a server, each with its own server. */
export function contractsOverServer(start: () => Promise<ServerPort>): void {
  const over = (name: string, make: (baseURL: string) => ChatModel, row?: Provider) =>
    chatModelContract(name, async () => ({
      ...overServer(await start(), make),
      ...(row === undefined ? {} : { row }),
    }));
  over('openai', plain);
  over('openai with schema and seed', full, 'openai');
  over('fromAiSdk, a model of AI SDK 6', (url) => aiSdkModel(url, createOpenAICompatible), 'fromAiSdk');
  over('queued', (baseURL) => queued(full(baseURL)));
  over('metered', (baseURL) => metered(full(baseURL), {}));
  over('failover', (baseURL) => failover(dead, full(baseURL)));
}

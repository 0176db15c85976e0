import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extraPackages } from '../../../scripts/extra-packages.mjs';
import { chatModelContract } from '../../contracts/chat-model.js';
import { aiSdkModel } from '../../contracts/models-over-server.js';
import { overServer } from '../../contracts/server-model.js';
import { startFaultServer } from '../../fault-server/fault-server.js';

// The package requires Node 22, so it is not a development dependency; its code runs on Node 20 as well.
const entry = join(extraPackages('ai-sdk-7'), 'node_modules/@ai-sdk/openai-compatible/dist/index.js');
const latest = (await import(pathToFileURL(entry).href)) as {
  createOpenAICompatible: typeof createOpenAICompatible;
};

chatModelContract('fromAiSdk, a model of AI SDK 7', async () => {
  const server = await startFaultServer();
  return overServer({ ...server, requests: () => server.requests }, (url) =>
    aiSdkModel(url, latest.createOpenAICompatible),
  );
});

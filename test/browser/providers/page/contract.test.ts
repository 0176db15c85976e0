import { inject } from 'vitest';
import { openai } from '../../../../src/providers/openai/index.js';
import { chatModelContract } from '../../../contracts/chat-model.js';
import { overPromptApi } from '../../../contracts/chrome-model.js';
import { overServer } from '../../../contracts/server-model.js';
import { remoteFaultServer } from '../../../fault-server/remote.js';
import { throughWorker } from './through-worker.js';

const able = { jsonSchema: true, seed: true };

chatModelContract('a model of the page, called from a real worker,', async () => {
  const server = await remoteFaultServer(inject('faultServer'));
  return throughWorker(
    overServer(server, (baseURL) => openai({ baseURL, model: 'm', contextWindow: 8_192, ...able })),
    able,
  );
});
chatModelContract("Chrome's built-in model, called from a real worker,", () =>
  throughWorker(overPromptApi(false), { jsonSchema: true }),
);

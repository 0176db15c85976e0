import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { withReportedWindow } from '../../../demo/state/reported-window.js';
import type { Settings } from '../../../demo/state/settings.js';

let server: Server | undefined;
afterEach(
  () => new Promise<void>((resolve) => (server?.listening ? server.close(() => resolve()) : resolve())),
);

/** Starts a server that answers these paths with JSON; returns settings for it with an assumed window. */
async function settingsFor(answers: Record<string, unknown>): Promise<Settings> {
  const made = createServer(({ url = '' }, response) => {
    response.statusCode = url in answers ? 200 : 404;
    response.end(JSON.stringify(answers[url] ?? {}));
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const { port } = made.address() as AddressInfo;
  return { where: 'server', baseURL: `http://127.0.0.1:${port}/v1`, model: 'qwen3:8b', contextWindow: 4096 };
}

const list = (fields: object = {}) => ({ object: 'list', data: [{ id: 'qwen3:8b', ...fields }] });

describe('the context window of a server that was found', () => {
  it.each<[string, Record<string, unknown>, Partial<Settings>]>([
    [
      'is that of the model list',
      { '/v1/models': list({ max_model_len: 40_960 }) },
      { contextWindow: 40_960 },
    ],
    [
      'is that of the loaded model in Ollama',
      { '/v1/models': list(), '/api/ps': { models: [{ model: 'qwen3:8b', context_length: 16_384 }] } },
      { contextWindow: 16_384, jsonSchema: true },
    ],
    [
      'comes with the size of the model in llama.cpp',
      {
        '/v1/models': list({ owned_by: 'llamacpp', meta: { n_params: 1_500 } }),
        '/props': { default_generation_settings: { n_ctx: 8_192 } },
      },
      { contextWindow: 8_192, jsonSchema: true, promptProgress: true, parameters: 1_500 },
    ],
    ['stays assumed where the server does not report it', { '/v1/models': list() }, {}],
  ])('%s', async (_title, answers, found) => {
    const settings = await settingsFor(answers);
    expect(await withReportedWindow(settings)).toEqual({ ...settings, ...found });
  });

  it('stays assumed where the server has stopped', async () => {
    const settings = await settingsFor({});
    await new Promise((resolve) => server?.close(resolve));
    expect(await withReportedWindow(settings)).toEqual(settings);
  });
});

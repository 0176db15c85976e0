import { webLLM } from 'rolezero/providers/web-llm';
import { editor } from 'rolezero/tools';
import { RoleZero, serve, type ChatModel } from 'rolezero/worker';
import { tinyModel } from '../../../tiny-model/tiny-model.js';

export interface RoleConfig {
  modelServer: string;
  /** The GPU is lost during the first reply. */
  losesGpu: boolean;
}

serve<RoleConfig>(({ modelServer, losesGpu }) => {
  const { model, appConfig } = tinyModel(modelServer);
  const real = webLLM({ model, appConfig, contextWindow: 65_536, maxOutputTokens: 2_000 });
  const devices: GPUDevice[] = [];
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, ...options) {
    const device = await request.apply(this, options);
    devices.push(device);
    return device;
  };
  const watched: ChatModel = {
    id: real.id,
    contextWindow: real.contextWindow,
    supports: { jsonSchema: true },
    countTokens: (text) => real.countTokens(text),
    async *chat(call) {
      for await (const chunk of real.chat(call)) {
        if (losesGpu && chunk.type === 'text-delta' && devices.length === 1) devices[0]?.destroy();
        yield chunk;
      }
    },
  };
  return new RoleZero({ name: 'Zero', model: watched, tools: [...editor()] });
});

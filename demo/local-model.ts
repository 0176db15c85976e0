import type { ModelConfig } from './agent-config.js';

export type LocalModelConfig = Extract<ModelConfig, { kind: 'web-llm' | 'wllama' }>;

/** Creates a model that runs in this worker. Nothing is downloaded before its first use, or `load()`. */
export async function localModel(config: LocalModelConfig) {
  if (config.kind === 'web-llm') {
    const { webLLM } = await import('rolezero/providers/web-llm');
    return webLLM({ model: config.model, contextWindow: config.contextWindow });
  }
  // The engine is served with the application; only the user's model file comes from elsewhere.
  const [{ Wllama }, { default: wasm }, { wllama }] = await Promise.all([
    import('@wllama/wllama/esm/index.js'),
    import('@wllama/wllama/esm/wasm/wllama.wasm?url'),
    import('rolezero/providers/wllama'),
  ]);
  const { url, name, contextWindow } = config;
  return wllama({ engine: () => new Wllama({ default: wasm }), model: url, name, contextWindow });
}

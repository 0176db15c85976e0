/** Values that the contract suite verifies, in the words of the table. */
export interface Proven {
  streaming: 'yes' | 'whole replies';
  schema: 'enforced by grammar' | 'passed on' | 'no';
  abort: 'yes';
  usage: 'tokens' | 'none';
  offline: 'once loaded' | 'no';
}

export interface ProviderRow extends Proven {
  /** How it is imported and called. */
  call: string;
  needs: string;
  /** The condition for its schema support. */
  schemaWith?: string;
}

/**
 * The table of `docs/models.md`. The contract suite fails when a row differs from what it
 * measures.
 */
export const PROVIDERS = {
  openai: {
    call: '`openai()` of `rolezero/providers/openai`',
    needs: 'a server with the OpenAI API (`/chat/completions`), remote or local',
    streaming: 'yes',
    schema: 'passed on',
    schemaWith: 'with `jsonSchema: true`',
    abort: 'yes',
    usage: 'tokens',
    offline: 'no',
  },
  fromAiSdk: {
    call: '`fromAiSdk()` of `/ai-sdk`',
    needs: 'a language model of the AI SDK 5 or later',
    streaming: 'yes',
    schema: 'passed on',
    schemaWith: 'with `jsonSchema: true`',
    abort: 'yes',
    usage: 'tokens',
    offline: 'no',
  },
  webLLM: {
    call: '`webLLM()` of `/web-llm`',
    needs: 'WebGPU; `npm install @mlc-ai/web-llm@0.2.86` (exactly)',
    streaming: 'yes',
    schema: 'enforced by grammar',
    abort: 'yes',
    usage: 'tokens',
    offline: 'once loaded',
  },
  wllama: {
    call: '`wllama()` of `/wllama`',
    needs: 'a processor (slow); `npm install @wllama/wllama`',
    streaming: 'yes',
    schema: 'enforced by grammar',
    abort: 'yes',
    usage: 'tokens',
    offline: 'once loaded',
  },
  transformers: {
    call: '`transformers()` of `/transformers`',
    needs: 'WebGPU or a processor; `npm install @huggingface/transformers`',
    streaming: 'yes',
    schema: 'no',
    abort: 'yes',
    usage: 'tokens',
    offline: 'once loaded',
  },
  chrome: {
    call: '`chrome()` of `/chrome`',
    needs: "Chrome's built-in model, on the page: `connect(worker, { models: { chrome: chrome() } })`",
    streaming: 'yes',
    schema: 'passed on',
    abort: 'yes',
    usage: 'tokens',
    offline: 'once loaded',
  },
  human: {
    call: '`human()` of `/human`',
    needs: 'a user who plays the model',
    streaming: 'whole replies',
    schema: 'no',
    abort: 'yes',
    usage: 'none',
    offline: 'once loaded',
  },
} as const satisfies Record<string, ProviderRow>;

export type Provider = keyof typeof PROVIDERS;

/** As Markdown. */
export function providerTable(): string {
  const rows: ProviderRow[] = Object.values(PROVIDERS);
  const lines = rows.map(({ call, needs, streaming, schema, schemaWith, abort, usage, offline }) => [
    call,
    needs,
    streaming,
    schemaWith === undefined ? schema : `${schema} ${schemaWith}`,
    abort,
    usage,
    offline,
  ]);
  const head = ['model', 'needs', 'streaming', 'schema', 'abort', 'usage', 'offline'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

import { openaiBaseURLs } from 'rolezero/providers/openai';

/** A well-known server that speaks the OpenAI protocol, and what a person needs to know to use it from a page. */
export interface Server {
  id: string;
  label: string;
  baseURL: string;
  /** An example of a model's name there. */
  model: string;
  /** Tokens; what the server really gives a model unless told otherwise. */
  contextWindow: number;
  /** One sentence: how to get it going. */
  hint: string;
}

export const SERVERS: readonly Server[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    baseURL: openaiBaseURLs.ollama,
    model: 'qwen3:8b',
    contextWindow: 4096,
    hint: 'On this machine, no key. Start it with OLLAMA_ORIGINS set to this page’s address; raise OLLAMA_CONTEXT_LENGTH (16384 is good) and the window below with it.',
  },
  {
    id: 'lm-studio',
    label: 'LM Studio',
    baseURL: openaiBaseURLs.lmStudio,
    model: 'qwen/qwen3-8b',
    contextWindow: 4096,
    hint: 'On this machine, no key. Start its local server with “Enable CORS” switched on.',
  },
  {
    id: 'llama-cpp',
    label: 'llama.cpp',
    baseURL: openaiBaseURLs.llamaCpp,
    model: 'default',
    contextWindow: 8192,
    hint: 'On this machine, no key: llama-server -m model.gguf -c 8192 --jinja',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    baseURL: openaiBaseURLs.vllm,
    model: 'Qwen/Qwen3-8B',
    contextWindow: 32768,
    hint: 'Your own GPU server: vllm serve MODEL --allowed-origins with this page’s address.',
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseURL: openaiBaseURLs.openRouter,
    model: 'qwen/qwen3-coder',
    contextWindow: 128000,
    hint: 'Many hosted models behind one key, made at openrouter.ai. What you send leaves this machine.',
  },
  {
    id: 'openai',
    label: 'OpenAI',
    baseURL: openaiBaseURLs.openai,
    model: 'gpt-4.1-mini',
    contextWindow: 128000,
    hint: 'Hosted; needs a key made at platform.openai.com. What you send leaves this machine.',
  },
];

/** The server at a base URL, or null for one of the person's own. */
export function serverAt(baseURL: string): Server | null {
  return SERVERS.find((server) => server.baseURL === baseURL.replace(/\/+$/, '')) ?? null;
}

import { openaiBaseURLs } from 'rolezero/providers/openai';

/** A well-known server that speaks the OpenAI protocol, and what a user needs to know to use it from a page. */
export interface Server {
  /** Its hint is in the texts under this name. */
  id: 'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm' | 'openrouter' | 'openai';
  label: string;
  baseURL: string;
  /** An example of a model's name there. */
  model: string;
  /**
   * Tokens. An assumption: usual for this server with its default settings. It fills the form, where the user can change it, and applies to a
   * server that was found and does not report the window of its model; see `withReportedWindow`.
   */
  assumedWindow: number;
}

export const SERVERS: readonly Server[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    baseURL: openaiBaseURLs.ollama,
    model: 'qwen3:8b',
    assumedWindow: 4096,
  },
  {
    id: 'lm-studio',
    label: 'LM Studio',
    baseURL: openaiBaseURLs.lmStudio,
    model: 'qwen/qwen3-8b',
    assumedWindow: 4096,
  },
  {
    id: 'llama-cpp',
    label: 'llama.cpp',
    baseURL: openaiBaseURLs.llamaCpp,
    model: 'default',
    assumedWindow: 8192,
  },
  {
    id: 'vllm',
    label: 'vLLM',
    baseURL: openaiBaseURLs.vllm,
    model: 'Qwen/Qwen3-8B',
    assumedWindow: 32768,
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseURL: openaiBaseURLs.openRouter,
    model: 'qwen/qwen3-coder',
    assumedWindow: 128000,
  },
  {
    id: 'openai',
    label: 'OpenAI',
    baseURL: openaiBaseURLs.openai,
    model: 'gpt-4.1-mini',
    assumedWindow: 128000,
  },
];

/** The server at a base URL, or null for one of the user's own. */
export function serverAt(baseURL: string): Server | null {
  return SERVERS.find((server) => server.baseURL === baseURL.replace(/\/+$/, '')) ?? null;
}

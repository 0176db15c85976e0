import { openaiBaseURLs } from 'rolezero/providers/openai';

/** A well-known server with the OpenAI protocol, and its requirements for use from a page. */
export interface Server {
  /** The key of its hint in the texts. */
  id:
    'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm' | 'openrouter' | 'openai' | 'groq' | 'mistral' | 'deepseek';
  label: string;
  baseURL: string;
  /** An example of a model name. */
  model: string;
  /**
   * Tokens. An assumption: usual for this server with its default settings. It fills the form, where the user can change it, and applies to a
   * server that was found and does not report the window of its model; see `withReportedWindow`.
   */
  assumedWindow: number;
  /** The page where users create a key, for a hosted service. */
  keyPage?: string;
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
    keyPage: 'https://openrouter.ai/keys',
  },
  {
    id: 'openai',
    label: 'OpenAI',
    baseURL: openaiBaseURLs.openai,
    model: 'gpt-5-mini',
    assumedWindow: 128000,
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'groq',
    label: 'Groq',
    baseURL: 'https://api.groq.com/openai/v1',
    model: 'openai/gpt-oss-120b',
    assumedWindow: 128000,
    keyPage: 'https://console.groq.com/keys',
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseURL: 'https://api.mistral.ai/v1',
    model: 'devstral-latest',
    assumedWindow: 128000,
    keyPage: 'https://console.mistral.ai/api-keys',
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseURL: 'https://api.deepseek.com/v1',
    model: 'deepseek-v4-pro',
    assumedWindow: 128000,
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
];

/** Tokens. The window of a model on a server that is not known and does not report it. */
export const ASSUMED_WINDOW = 32_768;

/** The hosted services that users choose from. */
export const HOSTED = SERVERS.filter(({ keyPage }) => keyPage !== undefined);

/** The server at a base URL, or null for another one. */
export function serverAt(baseURL: string): Server | null {
  return SERVERS.find((server) => server.baseURL === baseURL.replace(/\/+$/, '')) ?? null;
}

/** Returns an address with a scheme: `http` for this machine and for numbers, which rarely have a certificate, and `https` for other hosts. */
export function withScheme(address: string): string {
  const text = address.trim();
  if (text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  return /^((localhost|[\d.]+)(?=[:/]|$)|\[)/i.test(text) ? `http://${text}` : `https://${text}`;
}

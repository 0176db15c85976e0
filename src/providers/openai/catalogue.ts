import { defined } from '../../core/defined.js';
/**
 * Limits and prices of hosted models, as of 10 November 2026.
 *
 * Source: the generated model list of the npm package `@earendil-works/pi-ai` 1.5.2 (10 November 2026), which is built from models.dev and
 * the model lists of the providers. Each group names the provider of its entries. Options override all values.
 *
 * A row contains the context window and the maximum output in tokens, US dollars per million prompt and completion tokens, and features:
 * `r` reasoning, `i` image input, `s` `response_format` with a JSON Schema at OpenAI and OpenRouter, `o` open weights. If a provider
 * charges more for long prompts, the window is the length up to which the price applies.
 */
const CATALOGUE = {
  // OpenAI
  'gpt-4o': [128_000, 16_384, 2.5, 10, 'is'],
  'gpt-4o-2024-05-13': [128_000, 4096, 5, 15, 'i'],
  'gpt-4o-mini': [128_000, 16_384, 0.15, 0.6, 'is'],
  'gpt-4.1': [1_047_576, 32_768, 2, 8, 'is'],
  'gpt-4.1-mini': [1_047_576, 32_768, 0.4, 1.6, 'is'],
  'gpt-4.1-nano': [1_047_576, 32_768, 0.1, 0.4, 'is'],
  'gpt-5': [400_000, 128_000, 1.25, 10, 'ris'],
  'gpt-5-mini': [400_000, 128_000, 0.25, 2, 'ris'],
  'gpt-5-nano': [400_000, 128_000, 0.05, 0.4, 'ris'],
  'gpt-5-pro': [400_000, 128_000, 15, 120, 'ris'],
  'gpt-5.1': [400_000, 128_000, 1.25, 10, 'ris'],
  'gpt-5.2': [400_000, 128_000, 1.75, 14, 'ris'],
  'gpt-5.2-pro': [400_000, 128_000, 21, 168, 'ris'],
  'gpt-5.4': [272_000, 128_000, 2.5, 15, 'ris'],
  'gpt-5.4-mini': [400_000, 128_000, 0.75, 4.5, 'ris'],
  'gpt-5.4-nano': [400_000, 128_000, 0.2, 1.25, 'ris'],
  'gpt-5.4-pro': [272_000, 128_000, 30, 180, 'ris'],
  'gpt-5.5': [272_000, 128_000, 5, 30, 'ris'],
  'gpt-5.5-pro': [272_000, 128_000, 30, 180, 'ris'],
  'gpt-5.6-luna': [272_000, 128_000, 0.2, 1.2, 'ris'],
  'gpt-5.6-terra': [272_000, 128_000, 2, 12, 'ris'],
  'gpt-5.6-sol': [272_000, 128_000, 4, 20, 'ris'],
  'gpt-6-luna': [272_000, 128_000, 0.1, 0.5, 'ris'],
  'gpt-6-sol': [272_000, 128_000, 2, 10, 'ris'],
  'gpt-6-astra': [272_000, 128_000, 10, 50, 'ris'],
  'gpt-6.1-terra': [272_000, 128_000, 1, 5, 'ris'],
  'gpt-6.1-sol': [272_000, 128_000, 2, 10, 'ris'],
  o1: [200_000, 100_000, 15, 60, 'ris'],
  o3: [200_000, 100_000, 2, 8, 'ris'],
  'o3-mini': [200_000, 100_000, 1.1, 4.4, 'rs'],
  'o3-pro': [200_000, 100_000, 20, 80, 'ris'],
  'o4-mini': [200_000, 100_000, 1.1, 4.4, 'ris'],
  // Anthropic
  'claude-haiku-4-5': [200_000, 64_000, 1, 5, 'ri'],
  'claude-haiku-5-5': [100_000, 100_000, 0.1, 0.5, 'ri'],
  'claude-sonnet-4-5': [200_000, 64_000, 3, 15, 'ri'],
  'claude-sonnet-4-6': [1_000_000, 128_000, 3, 15, 'ri'],
  'claude-sonnet-5': [1_000_000, 128_000, 2, 10, 'ri'],
  'claude-sonnet-5-5': [1_000_000, 128_000, 2, 10, 'ri'],
  'claude-opus-4-5': [200_000, 64_000, 5, 25, 'ri'],
  'claude-opus-4-6': [1_000_000, 128_000, 5, 25, 'ri'],
  'claude-opus-4-7': [1_000_000, 128_000, 5, 25, 'ri'],
  'claude-opus-4-8': [1_000_000, 128_000, 5, 25, 'ri'],
  'claude-opus-5': [1_000_000, 128_000, 5, 25, 'ri'],
  'claude-opus-5-5': [1_000_000, 128_000, 4, 20, 'ri'],
  'claude-fable-5': [1_000_000, 128_000, 10, 50, 'ri'],
  'claude-fable-5-1': [1_000_000, 128_000, 10, 50, 'ri'],
  'claude-fable-5-2': [1_000_000, 128_000, 8, 40, 'ri'],
  // Google
  'gemini-2.5-flash-lite': [1_048_576, 65_536, 0.1, 0.4, 'ris'],
  'gemini-2.5-flash': [1_048_576, 65_536, 0.3, 2.5, 'ris'],
  'gemini-2.5-pro': [200_000, 65_536, 1.25, 10, 'ris'],
  'gemini-3-flash-preview': [1_048_576, 65_536, 0.5, 3, 'ris'],
  'gemini-3.1-flash-lite': [1_048_576, 65_536, 0.25, 1.5, 'ris'],
  'gemini-3.1-pro-preview': [200_000, 65_536, 2, 12, 'ris'],
  'gemini-3.5-flash-lite': [1_048_576, 65_536, 0.3, 2.5, 'ris'],
  'gemini-3.5-flash': [1_048_576, 65_536, 1.5, 9, 'ris'],
  'gemini-3.6-flash': [1_048_576, 65_536, 0.75, 3.75, 'ris'],
  'gemini-3.7-flash': [1_048_576, 65_536, 0.75, 3.75, 'ris'],
  'gemini-3.8-flash': [1_048_576, 65_536, 0.75, 3.75, 'ris'],
  'gemini-4-argon': [1_048_576, 32_768, 2, 10, 'ris'],
  // xAI
  'grok-4.3': [200_000, 30_000, 1.25, 2.5, 'ri'],
  'grok-4.5': [200_000, 200_000, 2, 6, 'ri'],
  'grok-4.6': [200_000, 200_000, 2, 6, 'ri'],
  'grok-4.7': [200_000, 200_000, 2, 6, 'ri'],
  // Mistral
  'codestral-latest': [256_000, 4096, 0.3, 0.9, ''],
  'devstral-latest': [262_144, 262_144, 0.4, 2, 'o'],
  'devstral-2512': [262_144, 262_144, 0.4, 2, 'o'],
  'magistral-medium-latest': [262_144, 16_384, 2, 5, 'ri'],
  'ministral-3b-latest': [131_072, 128_000, 0.1, 0.1, 'io'],
  'ministral-8b-latest': [262_144, 128_000, 0.15, 0.15, 'io'],
  'mistral-small-latest': [262_144, 256_000, 0.15, 0.6, 'rio'],
  'mistral-small-2603': [262_144, 256_000, 0.15, 0.6, 'rio'],
  'mistral-medium-latest': [262_144, 262_144, 1.5, 7.5, 'ri'],
  'mistral-medium-3.5': [262_144, 262_144, 1.5, 7.5, 'ri'],
  'mistral-large-latest': [262_144, 262_144, 0.5, 1.5, 'io'],
  'mistral-large-2512': [262_144, 262_144, 0.5, 1.5, 'io'],
  'mistral-large-4': [1_048_576, 262_144, 0.7, 2.1, 'rio'],
  // DeepSeek
  'deepseek-flash': [1_000_000, 384_000, 0.3, 1.2, 'ri'],
  'deepseek-v4-pro': [1_000_000, 384_000, 1.32, 3.96, 'ro'],
  // Moonshot
  'kimi-k2.6': [262_144, 262_144, 0.95, 4, 'rio'],
  'kimi-k2.7-code': [262_144, 262_144, 0.95, 4, 'rio'],
  'kimi-k3': [1_048_576, 1_048_576, 3, 15, 'rio'],
  'kimi-k3.1-pro': [1_048_576, 1_048_576, 2, 10, 'rio'],
  // Z.ai
  'glm-4.7': [204_800, 131_072, 0.6, 2.2, 'ro'],
  'glm-5-turbo': [200_000, 131_072, 1.2, 4, 'r'],
  'glm-5.2': [1_000_000, 131_072, 1.4, 4.4, 'ro'],
  'glm-5.3': [1_000_000, 131_072, 1.4, 4.4, 'ro'],
  'glm-5.3-flash': [1_000_000, 131_072, 0.15, 0.5, 'rio'],
  // MiniMax
  'minimax-m2.7': [204_800, 131_072, 0.3, 1.2, 'ro'],
  'minimax-m3': [512_000, 512_000, 0.3, 1.2, 'rio'],
  'minimax-m3.1-flash': [1_000_000, 524_288, 0.15, 0.6, 'rio'],
  // Groq
  'llama-3.1-8b-instant': [131_072, 131_072, 0.05, 0.08, 'o'],
  'llama-3.3-70b-versatile': [131_072, 32_768, 0.59, 0.79, 'o'],
  'gpt-oss-20b': [131_072, 65_536, 0.075, 0.3, 'ro'],
  'gpt-oss-120b': [131_072, 65_536, 0.15, 0.6, 'ro'],
  // OpenRouter
  'claude-opus-4-1': [200_000, 32_000, 15, 75, 'ri'],
  'deepseek-v3.2': [163_840, 147_456, 0.26, 0.38, 'ro'],
  'llama-3.3-70b-instruct': [128_000, 115_200, 0.71, 0.71, 'o'],
  'llama-4-scout': [327_680, 16_384, 0.1, 0.3, 'io'],
  'llama-4-maverick': [524_288, 32_768, 0.35, 1, 'io'],
  'qwen3-coder': [262_144, 65_536, 0.3, 1, 'o'],
  'qwen3-coder-next': [262_144, 235_929, 0.12, 0.8, 'o'],
  'qwen3.6-27b': [262_144, 81_920, 0.32, 3.2, 'rio'],
  'qwen3.8-27b': [262_144, 235_929, 0.15, 1.875, 'rio'],
  'qwen-plus': [256_000, 32_768, 0.26, 0.78, ''],
  'qwen3.6-plus': [256_000, 65_536, 0.325, 1.95, 'ri'],
  'qwen3.7-plus': [256_000, 131_072, 0.32, 1.28, 'ri'],
  'qwen3.7-max': [1_000_000, 131_072, 1.475, 4.425, 'r'],
  'qwen3.8-flash': [1_000_000, 131_072, 0.15, 0.47, 'ri'],
} satisfies Record<string, CatalogueRow>;

type CatalogueRow = readonly [
  contextWindow: number,
  maxOutputTokens: number,
  promptPerMillion: number,
  completionPerMillion: number,
  abilities: string,
];

type Name = keyof typeof CATALOGUE;

/** Name with a dot in the version, as at OpenRouter: `claude-opus-4-5` is `claude-opus-4.5` there. */
type Dotted<Model extends string> = Model extends `claude-${infer Family}-${infer Major}-${infer Minor}`
  ? `claude-${Family}-${Major}.${Minor}`
  : never;

type Plain = Name | Dotted<Name>;

/**
 * Names of models with known limits: as in the API of their maker, with a date (`gpt-5-mini-2025-08-07`), and with a vendor as at
 * OpenRouter (`openai/gpt-5-mini`).
 */
export type KnownModel =
  Plain | `${Plain}-20${string}` | `${string}/${Plain}` | `${string}/${Plain}-20${string}`;

/** Catalog entry of a model. */
export interface ModelFacts {
  /** In tokens. */
  contextWindow: number;
  /** In tokens. */
  maxOutputTokens: number;
  /** Missing for variants such as `:free` and `:batch`, which have separate prices. */
  price?: { promptPerMillion: number; completionPerMillion: number };
  reasons: boolean;
  images: boolean;
  jsonSchema: boolean;
  /** True when the weights are open. The server then determines the context window. */
  openWeights: boolean;
}

const ROW_BY_NAME: ReadonlyMap<string, CatalogueRow> = new Map(
  Object.entries(CATALOGUE).map(([name, row]) => [name.replaceAll('.', '-'), row]),
);

/** Suffixes that name the same model: a date, or `latest`. */
const SNAPSHOT = /[-@](20\d\d-\d\d-\d\d|20\d{6}|latest)$/;

/** Returns the catalog entry of a model, by its name with or without vendor, date, and variant; null for unknown models. */
export function modelFacts(model: string): ModelFacts | null {
  const [path = '', variant] = model.toLowerCase().split(':');
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll('.', '-');
  const row = ROW_BY_NAME.get(name) ?? ROW_BY_NAME.get(name.replace(SNAPSHOT, ''));
  if (row === undefined) return null;
  const [contextWindow, maxOutputTokens, promptPerMillion, completionPerMillion, abilities] = row;
  return {
    contextWindow,
    maxOutputTokens,
    ...defined({ price: variant === undefined ? { promptPerMillion, completionPerMillion } : undefined }),
    reasons: abilities.includes('r'),
    images: abilities.includes('i'),
    jsonSchema: abilities.includes('s'),
    openWeights: abilities.includes('o'),
  };
}

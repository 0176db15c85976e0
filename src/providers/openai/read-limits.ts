import { checkOptions } from '../../core/check-options.js';
import { defined } from '../../core/defined.js';
import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { Price } from '../../core/model.js';
import { secretsIn } from '../../core/secrets.js';
import { chatCompletionsUrl, isLocal, shownUrl } from './base-url.js';
import { readBody } from './body.js';
import { errorInText, requestRefused, withoutSecrets, type Target } from './errors.js';
import { factsAt, OPENAI_OPTION_NAMES, type CompleteOptions, type OpenAIOptions } from './options.js';
import { Patience } from './patience.js';
import { readPiece } from './reply.js';
import { requestHeaders } from './request.js';
import { probe, surroundings, unreachable } from './unreachable.js';

/** Limits that a server may report for a model. */
type Limits = Pick<
  OpenAIOptions,
  | 'contextWindow'
  | 'maxOutputTokens'
  | 'images'
  | 'jsonSchema'
  | 'toolCalls'
  | 'parameters'
  | 'price'
  | 'promptProgress'
>;

/** OpenRouter's list has about 400 models and 1 MB. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Loading a model into memory takes longest; otherwise the first call to the model would have to wait for it. */
const TIME_LIMITS = { firstByteMs: 120_000, idleMs: 30_000, totalMs: 180_000 };

/** The same when the window is known: a session must open without its server, too. */
const SHORT_TIME_LIMITS = { firstByteMs: 3_000, idleMs: 3_000, totalMs: 6_000 };

/** A question that a model answers with a call, if it calls tools in the native form at this server. */
const PROBE = {
  messages: [{ role: 'user', content: 'Call the tool "answer" with the word "ready".' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'answer',
        description: 'Gives the answer.',
        parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      },
    },
  ],
  temperature: 0,
  max_tokens: 100,
};

/** Servers that enforce a JSON Schema for replies, by `owned_by` in their model list. */
const SCHEMA_OWNERS: ReadonlySet<unknown> = new Set(['llamacpp', 'vllm']);

/**
 * Completes options of `openai` with the context window, `jsonSchema`, `toolCalls`, and `promptProgress`. Queries the server for what neither
 * the options nor the catalog contain; if `contextWindow` is set, only one on this machine or in a private network, and without an answer
 * within seconds the others remain unset. Options that are set are never overridden.
 *
 * vLLM, OpenRouter, Groq, Mistral, and Together report the window in their model list; LM Studio, llama.cpp, and Ollama at separate
 * endpoints. The result is the window that the server uses, not the maximum of the model. Ollama has to load the model first. The key is
 * sent to `baseURL` only. `jsonSchema` is set to true for servers that are known to enforce a schema: vLLM, llama.cpp, Ollama, LM Studio,
 * and models of OpenRouter that support it. A server that rejects one nevertheless is asked without it from then on, with a warning.
 * `toolCalls` is set by one tiny call of the model at these servers, which is asked to call a tool: the same model does so at one server
 * and not at another.
 *
 * @example openai(await readLimits({ baseURL: openaiBaseURLs.ollama, model: 'qwen3:8b' }))
 * @throws RoleZeroError `invalid` when the server does not report the window, `model-unreachable`, `model-request`, `model-timeout`, or
 * `aborted`.
 */
export async function readLimits(
  options: OpenAIOptions,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<CompleteOptions> {
  checkOptions('readLimits()', options, OPENAI_OPTION_NAMES);
  const url = chatCompletionsUrl(options.baseURL);
  const facts = factsAt(options);
  const known = options.contextWindow ?? facts?.contextWindow;
  const asksForSchema = facts === null && options.jsonSchema === undefined && isLocal(url.hostname);
  if (known !== undefined && !asksForSchema) return { ...options, contextWindow: known };
  const patience = new Patience(signal, known === undefined ? TIME_LIMITS : SHORT_TIME_LIMITS);
  const secrets = new Set(secretsIn(Object.values(options.headers ?? {})));
  try {
    const server = new Server(url, options, patience, secrets);
    const limits = await server.limits(known);
    // Only at servers that are known for both: any other might charge for the call, or take it for a request.
    const asksForCalls = options.toolCalls === undefined && limits.toolCalls === undefined;
    if (asksForCalls && limits.jsonSchema === true && (await server.callsTools())) limits.toolCalls = true;
    const contextWindow = known ?? limits.contextWindow;
    if (contextWindow !== undefined) return { ...limits, ...options, contextWindow };
  } catch (error) {
    const failure = toRoleZeroError(error);
    if (known !== undefined && !signal.aborted && failure.code !== 'invalid')
      return { ...options, contextWindow: known };
    throw withoutSecrets(failure, secrets);
  } finally {
    patience.end();
  }
  throw new RoleZeroError(
    'invalid',
    `${url.host} does not say how many tokens fit into "${options.model}"; a server may say it only once the model is loaded. Write contextWindow: 32_768 (the tokens that the server really reads).`,
    { option: 'contextWindow', model: options.model, url: shownUrl(url) },
  );
}

/** Queries an OpenAI-compatible server, including its proprietary endpoints. */
class Server {
  readonly #url: URL;
  readonly #options: OpenAIOptions;
  readonly #patience: Patience;
  readonly #secrets: Set<string>;
  readonly #target: Target;
  /** `baseURL` without query. */
  readonly #base: string;
  /** Base of the proprietary endpoints, which are next to `/v1`. */
  readonly #root: string;

  constructor(url: URL, options: OpenAIOptions, patience: Patience, secrets: Set<string>) {
    this.#url = url;
    this.#options = options;
    this.#patience = patience;
    this.#secrets = secrets;

    this.#base = shownUrl(url).replace(/\/chat\/completions$/, '');
    this.#root = this.#base.replace(/\/v1$/, '');
    this.#target = { url: `${this.#base}/models`, model: options.model, hasKey: false };
  }

  /** @param window The context window, if it is known: then no model is loaded to find it. */
  async limits(window: number | undefined): Promise<Limits> {
    const listed = limitsInList(await this.#models(), this.#options.model);
    if ((window === undefined ? listed.contextWindow : listed.jsonSchema) !== undefined) return listed;
    const [lmStudio, llamaCpp, running] = await Promise.all([
      this.#ask('/api/v0/models'),
      this.#ask('/props'),
      this.#ask('/api/ps'),
    ]);
    const inLmStudio = findEntry(lmStudio, 'data', this.#options.model);
    const settings = inRecord(llamaCpp, 'default_generation_settings');
    const isOllama = Array.isArray(inRecord(running, 'models'));
    const contextWindow =
      window ??
      tokens(inLmStudio?.['loaded_context_length']) ??
      tokens(inRecord(settings, 'n_ctx')) ??
      (isOllama ? await this.#ollama(running) : undefined);
    const enforces = inLmStudio !== null || isRecord(settings) || isOllama;
    const promptProgress = isRecord(settings) || listed.promptProgress;
    return {
      ...listed,
      ...defined({ contextWindow, promptProgress, jsonSchema: enforces || listed.jsonSchema }),
    };
  }

  /** Returns whether the model calls a tool when it is asked to. A server that fails does not matter: its models have other forms. */
  async callsTools(): Promise<boolean> {
    const headers = await requestHeaders(this.#options, this.#patience, this.#secrets);
    const { model, extraBody } = this.#options;
    const body = JSON.stringify({ model, ...PROBE, ...extraBody });
    try {
      const response = await this.#fetch(this.#url.href, { method: 'POST', headers, body });
      const text = await readBody(response, this.#patience, MAX_LIST_BYTES);
      const piece = response.ok ? readPiece(parseOrNull(text)) : null;
      return piece?.calls.some(({ name }) => name === 'answer') === true;
    } catch (error) {
      if (this.#patience.signal.aborted) throw error;
      return false;
    }
  }

  /**
   * Returns the window of a model in Ollama, which sets it on loading from its settings, the model's settings, and the machine's memory.
   */
  async #ollama(running: unknown): Promise<number | undefined> {
    const { model } = this.#options;
    const loaded = tokens(findEntry(running, 'models', model)?.['context_length']);
    if (loaded !== undefined) return loaded;
    await this.#ask('/api/generate', { model, stream: false }); // without a prompt, it only loads the model
    return tokens(findEntry(await this.#ask('/api/ps'), 'models', model)?.['context_length']);
  }

  /** Returns the server's list of models, or null when it has none. */
  async #models(): Promise<unknown> {
    const headers = await requestHeaders(this.#options, this.#patience, this.#secrets);
    headers.delete('content-type');
    const target = { ...this.#target, hasKey: headers.has('authorization') };
    const address = `${this.#target.url}${this.#url.search}`;
    let response: Response;
    try {
      response = await this.#fetch(address, { headers });
    } catch (error) {
      if (error instanceof RoleZeroError) throw error;
      const where = surroundings();
      const probed =
        this.#options.fetch === undefined ? await probe(this.#url, where, this.#patience) : 'unknown';
      throw unreachable(target, [...headers.keys()], where, error, { probed, reached: false });
    }
    const text = await readBody(response, this.#patience, MAX_LIST_BYTES);
    if (response.status === 401 || response.status === 403)
      throw requestRefused(response.status, errorInText(text ?? ''), target);
    return response.ok ? parseOrNull(text) : null;
  }

  /** Returns the answer of a proprietary endpoint, or null when it is unreadable. Does not send the key. */
  async #ask(path: string, body?: unknown): Promise<unknown> {
    const post: RequestInit =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    try {
      const response = await this.#fetch(this.#root + path, post);
      const text = await readBody(response, this.#patience, MAX_LIST_BYTES);
      return response.ok ? parseOrNull(text) : null;
    } catch (error) {
      if (error instanceof RoleZeroError) throw error; // aborted or timed out
      return null; // not this kind of server, or the page may not read this endpoint
    }
  }

  #fetch(address: string, init: RequestInit): Promise<Response> {
    const send = this.#options.fetch ?? ((url: string, request: RequestInit) => fetch(url, request));
    const request: RequestInit = {
      ...init,
      credentials: 'omit',
      redirect: 'manual',
      signal: this.#patience.signal,
    };
    return this.#patience.within(send(address, request), 'firstByteMs');
  }
}

/** Returns the limits in a list of models. The fields are those of vLLM, OpenRouter and Together, Groq, and Mistral. */
function limitsInList(list: unknown, model: string): Limits {
  const entry = findEntry(list, 'data', model);
  if (entry === null) return {};
  const top = entry['top_provider'];
  const contextWindow =
    tokens(entry['max_model_len']) ??
    tokens(inRecord(top, 'context_length')) ??
    tokens(entry['context_length']) ??
    tokens(entry['context_window']) ??
    tokens(entry['max_context_length']);
  const maxOutputTokens =
    tokens(inRecord(top, 'max_completion_tokens')) ?? tokens(entry['max_completion_tokens']);
  const inputs = inRecord(entry['architecture'], 'input_modalities');
  const parameters = entry['supported_parameters'];
  return defined({
    contextWindow,
    maxOutputTokens,
    images: Array.isArray(inputs) ? inputs.includes('image') : undefined,
    jsonSchema: Array.isArray(parameters)
      ? parameters.includes('structured_outputs')
      : SCHEMA_OWNERS.has(entry['owned_by']) || undefined,
    toolCalls: Array.isArray(parameters) ? parameters.includes('tools') : undefined,
    promptProgress: entry['owned_by'] === 'llamacpp' || undefined,
    parameters: tokens(inRecord(entry['meta'], 'n_params')), // of llama.cpp, whose models have any name
    price: openRouterPrice(entry['pricing']) ?? undefined,
  });
}

/** Returns the price of OpenRouter, whose values are strings in US dollars per token. Other servers use numbers in different units. */
function openRouterPrice(pricing: unknown): Price | null {
  const [prompt, completion] = [inRecord(pricing, 'prompt'), inRecord(pricing, 'completion')];
  if (typeof prompt !== 'string' || typeof completion !== 'string') return null;
  const price = {
    promptPerMillion: Number(prompt) * 1e6,
    completionPerMillion: Number(completion) * 1e6,
  };
  return price.promptPerMillion >= 0 && price.completionPerMillion >= 0 ? price : null;
}

/** Returns the entry of a model in a list. Ollama adds `:latest` to names without a tag. */
function findEntry(answer: unknown, key: string, model: string): Record<string, unknown> | null {
  const list = inRecord(answer, key);
  const entries: unknown[] = Array.isArray(list) ? list : [];
  for (const entry of entries) {
    if (!isRecord(entry)) continue;
    const names = [entry['id'], entry['name'], entry['model']];
    if (names.includes(model) || names.includes(`${model}:latest`)) return entry;
  }
  return null;
}

function inRecord(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function parseOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

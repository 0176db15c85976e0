import { checkApiKey, checkHeaderValue } from '../../core/api-key.js';
import { retryAfter } from '../../core/back-off.js';
import { checkOptions } from '../../core/check-options.js';
import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import { isContent, type ChatChunk, type ChatModel, type ChatRequest, type Price } from '../../core/model.js';
import { secretsIn } from '../../core/secrets.js';
import { chatCompletionsUrl, isLocal, shownUrl } from './base-url.js';
import { readBody } from './body.js';
import {
  errorInText,
  givenUp,
  isRetryable,
  redirected,
  requestRefused,
  type ServerError,
  type Target,
  withoutSecrets,
} from './errors.js';
import { omittedField, noToolCalls, refusedField, type OptionalField } from './optional-fields.js';
import {
  factsAt,
  OPENAI_OPTION_NAMES,
  withKnownLimits,
  type CompleteOptions,
  type OpenAIOptions,
  type WindowOption,
} from './options.js';
import { DEFAULT_RETRIES, DEFAULT_TIME_LIMITS, Patience, waitToRetry, type TimeLimits } from './patience.js';
import { readReply } from './read-reply.js';
import { requestBody, requestHeaders } from './request.js';
import { probe, surroundings, unreachable } from './unreachable.js';

export { openaiBaseURLs } from './base-url.js';
export { readLimits } from './read-limits.js';

const DEFAULT_MAX_REPLY_LENGTH = 262_144;

/**
 * Maximum retries before the first response. A server that was never reached is probably misconfigured, so its errors should appear soon.
 */
const RETRIES_BEFORE_FIRST_CONTACT = 2;

/** Query parameters that may contain a key. Others, such as a version, may appear in errors. */
const KEY_NAME = /key|token|secret|sig|auth|pass|code/i;

/** Fields that Ollama and llama.cpp report with status 500 or 501 when they cannot use them. */
const FAILS: ReadonlySet<OptionalField> = new Set<OptionalField>(['response_format', 'stream', 'tools']);

/** Maximum number of bytes that are read from an error response. Errors are short. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Creates a chat model for an API with OpenAI chat completions: OpenAI, OpenRouter, Ollama, LM Studio, llama.cpp's server, vLLM, and many
 * more.
 *
 * Replies are streamed. A request that fails before any part of its reply was emitted is retried after an increasing wait, with `progress`
 * chunks. After that, a retry here would show text twice: the call throws with `detail.retryable` true, and the caller must retry. The same
 * applies to timeouts. The key is sent to `baseURL` only, not after redirects, and is never part of an error.
 *
 * Calls throw a RoleZeroError `model-request` (with a `FaultKind` as `detail.kind`), `model-timeout` (with `detail.limit`),
 * `model-unreachable` (with `detail.likely`), `context-overflow`, or `aborted`.
 *
 * For a known model (`KnownModel`), context window, maximum output, price, and features come from a catalog; options override them. For any
 * other model, `contextWindow` is required; `readLimits` queries the server for it.
 *
 * @example openai({ baseURL: openaiBaseURLs.openai, model: 'gpt-5-mini', apiKey })
 * @example openai({ baseURL: openaiBaseURLs.ollama, model: 'qwen3:8b', contextWindow: 16_384 })
 * @throws RoleZeroError `invalid` for invalid options, a missing `contextWindow`, or a placeholder as `apiKey`.
 */
export function openai(options: OpenAIOptions & WindowOption): ChatModel {
  return new OpenAIModel(options);
}

class OpenAIModel implements ChatModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly parameters?: number;
  readonly supports: {
    readonly jsonSchema: boolean;
    readonly toolCalls: boolean;
    images: boolean;
    seed: boolean;
    parallel: boolean;
  };
  readonly price?: Price;

  readonly #options: CompleteOptions;
  readonly #url: URL;
  readonly #limits: TimeLimits;
  readonly #refused = new Set<OptionalField>();
  #reached = false;

  constructor(given: OpenAIOptions) {
    checkOptions('openai()', given, OPENAI_OPTION_NAMES);
    this.#url = chatCompletionsUrl(given.baseURL);
    if (typeof (given.model as unknown) !== 'string' || given.model === '')
      throw new RoleZeroError('invalid', 'model must name a model of the server.');
    const options = withKnownLimits(given);
    this.#options = options;
    if (options.apiKey !== undefined && typeof options.apiKey !== 'function') checkApiKey(options.apiKey);
    for (const [name, value] of Object.entries(options.headers ?? {}))
      checkHeaderValue(value, `headers.${name}`);
    this.id = `${this.#url.host}/${options.model}`;
    this.contextWindow = options.contextWindow;
    if (!(this.contextWindow > 0)) throw new RoleZeroError('invalid', 'contextWindow must be above 0.');
    if (options.maxOutputTokens !== undefined) this.maxOutputTokens = options.maxOutputTokens;
    if (options.parameters !== undefined) this.parameters = options.parameters;
    const refused = this.#refused;
    this.supports = {
      get jsonSchema() {
        return options.jsonSchema === true && !refused.has('response_format');
      },
      get toolCalls() {
        return Boolean(options.toolCalls) && !refused.has('tools');
      },
      images: options.images ?? false,
      seed: options.seed ?? false,
      parallel: options.parallel ?? !isLocal(this.#url.hostname),
    };
    if (options.price !== undefined) this.price = options.price;
    this.#limits = { ...DEFAULT_TIME_LIMITS, ...options.timeouts };
    if (this.#url.hostname === 'api.mistral.ai') this.#refused.add('user_after_tool');
    // OpenAI's reasoning models accept only the successor of `max_tokens`. This saves the request that would find out.
    if (this.#url.hostname === 'api.openai.com' && factsAt(options)?.reasons === true)
      this.#refused.add('max_tokens');
  }

  async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
    const { retries = DEFAULT_RETRIES, random = Math.random } = this.#options;
    const patience = new Patience(request.signal, this.#limits);
    const inUrl = [...this.#url.searchParams]
      .filter(([name]) => KEY_NAME.test(name))
      .map(([, value]) => value);
    const secrets = new Set(secretsIn([...Object.values(this.#options.headers ?? {}), ...inUrl]));
    let shown = false;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          for await (const chunk of this.#attempt(request, patience, secrets)) {
            shown ||= isContent(chunk);
            yield chunk;
            // one packet may contain several pieces; after an abort, the rest is not needed
            if (chunk.type !== 'finish') patience.check();
          }
          return;
        } catch (caught) {
          const error = withoutSecrets(toRoleZeroError(caught), secrets);
          if (shown || !isRetryable(error) || error.code === 'model-timeout') throw error;
          const most = this.#reached ? retries : Math.min(retries, RETRIES_BEFORE_FIRST_CONTACT);
          if (attempt > most) throw givenUp(error, attempt);
          yield* waitToRetry(error, { attempt, most, random }, patience);
        }
      }
    } finally {
      patience.end();
    }
  }

  /** Sends one request. Repeats it without each optional field that the server rejects. */
  async *#attempt(
    request: ChatRequest,
    patience: Patience,
    secrets: Set<string>,
  ): AsyncGenerator<ChatChunk, void> {
    for (;;) {
      const body = requestBody(request, this.#options, this.#refused);
      const headers = await requestHeaders(this.#options, patience, secrets);
      const target: Target = {
        url: shownUrl(this.#url),
        model: this.#options.model,
        hasKey: headers.has('authorization'),
      };
      const response = await this.#post(body, headers, target, patience);
      if (response.ok) {
        const isConstrained = 'response_format' in body && request.responseSchema?.['type'] === 'object';
        let start = '';
        for await (const chunk of readReply(response, target, patience, this.#maxReplyLength(), secrets)) {
          if (chunk.type === 'text-delta' && start === '') start = chunk.text.trimStart();
          if (chunk.type === 'finish' && isConstrained && start !== '' && !start.startsWith('{')) {
            this.#refused.add('response_format');
            yield omittedField('response_format', 'ignores');
          }
          yield chunk.type === 'usage' ? this.#priced(chunk) : chunk;
        }
        return;
      }
      if (isRedirect(response)) throw redirected(target);
      const complaint = await readComplaint(response, patience);
      const error = requestRefused(
        response.status,
        complaint,
        target,
        retryAfter(response.headers, Date.now()),
      );
      const field = refusedField(complaint.message, body);
      const isRefusal = [400, 422, ...(field !== null && FAILS.has(field) ? [500, 501] : [])].includes(
        response.status,
      );
      if (!isRefusal || error.code === 'context-overflow' || field === null) throw error;
      this.#refused.add(field);
      yield omittedField(field);
      if (field === 'tools') throw noToolCalls(error);
    }
  }

  async #post(
    body: Record<string, unknown>,
    headers: Headers,
    target: Target,
    patience: Patience,
  ): Promise<Response> {
    const send = this.#options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
    const init: RequestInit = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'manual', // 'error' would look like any other failed connection
      signal: patience.signal,
    };
    let response: Response;
    try {
      response = await patience.within(send(this.#url.href, init), 'firstByteMs');
    } catch (error) {
      if (error instanceof RoleZeroError) throw error;
      const where = surroundings();
      // A custom `fetch` may use another network route than the browser.
      const probed = this.#options.fetch === undefined ? await probe(this.#url, where, patience) : 'unknown';
      throw unreachable(target, [...headers.keys()], where, error, { probed, reached: this.#reached });
    }
    this.#reached = true;
    return response;
  }

  #maxReplyLength(): number {
    return this.#options.maxReplyLength ?? DEFAULT_MAX_REPLY_LENGTH;
  }

  #priced(usage: Extract<ChatChunk, { type: 'usage' }>): ChatChunk {
    const { price } = this.#options;
    if (price === undefined || usage.costUsd !== undefined) return usage;
    const millionths =
      usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion;
    return { ...usage, costUsd: millionths / 1e6 };
  }
}

/** Reads the server's error message. If it cannot be read, returns an empty one, so that the HTTP error is still reported. */
async function readComplaint(response: Response, patience: Patience): Promise<ServerError> {
  try {
    return errorInText((await readBody(response, patience, MAX_ERROR_BYTES)) ?? '');
  } catch (error) {
    if (patience.signal.aborted) throw error;
    return errorInText('');
  }
}

/** Returns true for a redirect. In a browser, it is an opaque response; elsewhere, it is an ordinary one. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

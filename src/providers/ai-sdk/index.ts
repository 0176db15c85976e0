import { retryAfter } from '../../core/back-off.js';
import { defined } from '../../core/defined.js';
import { describeValue } from '../../core/describe-value.js';
import { RoleZeroError, describe, isAbort } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isRecord } from '../../core/json.js';
import {
  isContent,
  type ChatChunk,
  type ChatModel,
  type ChatRequest,
  type ChatMessage,
  type ContentPart,
} from '../../core/model.js';
import { callArguments } from '../chat-messages.js';
import { IMAGE_NOTE } from '../chat-messages.js';
import { shownUrl } from '../openai/base-url.js';
import { modelFacts } from '../openai/catalogue.js';
import { givenUp, isRetryable, errorInText, requestRefused } from '../openai/errors.js';
import { omittedField, noToolCalls, refusedField, type OptionalField } from '../openai/optional-fields.js';
import { MAX_DEFAULT_OUTPUT } from '../openai/options.js';
import {
  DEFAULT_RETRIES,
  DEFAULT_TIME_LIMITS,
  Patience,
  waitToRetry,
  type TimeLimits,
} from '../openai/patience.js';
import { readPart, type KnownCalls } from './stream-part.js';

/**
 * The part of an AI SDK language model that is used. `LanguageModelV2`, `V3`, and `V4` of `@ai-sdk/provider` match it, such as the result
 * of `createOpenAI(…)('gpt-5-mini')`.
 */
interface AiSdkModel {
  /** `v2`, `v3`, or `v4`. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: AiSdkCall): PromiseLike<{ stream: ReadableStream<unknown> }>;
}

/** Options of a model call. */
interface AiSdkCall {
  prompt: { role: string; content: unknown }[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
  stopSequences?: string[] | undefined;
  /** `{ type: 'function', name, description, inputSchema }` */
  tools?: object[] | undefined;
  /** `{ type: 'auto' }`, `none`, or `required` */
  toolChoice?: object | undefined;
  responseFormat?: { type: 'text' } | { type: 'json'; name?: string; schema?: object } | undefined;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  // Keyed by provider and option; typed by each provider.
  providerOptions?: object | undefined;
}

/** Properties of a model that the AI SDK interface does not provide. */
interface FromAiSdkOptions {
  /** Context window in tokens, shared by prompt and reply. Required for models that are not in the catalog of known models. */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. */
  maxOutputTokens?: number;
  /**
   * True if the model supports JSON schemas for replies (`responseFormat`).
   * @default false
   */
  jsonSchema?: boolean;
  /**
   * True if the model calls tools in the native form of its service. Roles then give it their commands as tools. `required`: it must
   * call one in each reply. By default, true for known models. After a call that the provider rejects because of its tools, commands are
   * asked for in another form, with a warning.
   */
  toolCalls?: boolean | 'required';
  /** True if the model supports images; otherwise a note replaces each image. By default, the value in the catalog, else false. */
  images?: boolean;
  /**
   * True if the model supports `seed`.
   * @default false
   */
  seed?: boolean;
  /**
   * True if calls at the same time do not wait for each other; the roles of a team then work at the same time. Set it to false for a model
   * that runs on this machine.
   * @default true
   */
  parallel?: boolean;
  /** Provider options of every call, such as `{ openai: { reasoningEffort: 'low' } }`. */
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Additional request headers. */
  headers?: Record<string, string>;
  /**
   * Maximum number of retries of a failed call before any part of its reply was emitted.
   * @default 5
   */
  retries?: number;
  /** In ms; see `TimeLimits`. */
  timeouts?: Partial<TimeLimits>;
  /**
   * Returns a uniform random number in [0, 1), which spreads waiting times.
   * @default Math.random
   */
  random?: () => number;
}

const VERSIONS = ['v2', 'v3', 'v4'];

/**
 * Wraps any language model of the Vercel AI SDK (5 and later) as a chat model. The SDK itself is not a dependency; its providers are small
 * separate packages.
 *
 * In a browser, the provider's server must allow requests from pages (CORS), and visitors can see a key in the page. Requests are made by
 * the provider and follow redirects with keys in headers such as `x-api-key`. If its URL is not that of its maker, give the provider
 * `fetch: (url, init) => fetch(url, { ...init, redirect: 'error' })`.
 *
 * Failed calls are retried before any part of the reply was emitted, as with `openai`; after that, the call throws with `detail.retryable`
 * true. Calls throw a RoleZeroError `model-request`, `model-unreachable`, `model-timeout`, `context-overflow`, or `aborted`.
 *
 * The context window, the maximum output, and image support come from the catalog of known models. Options override them.
 *
 * @example fromAiSdk(createAnthropic({ apiKey })('claude-sonnet-4-5'))
 * @throws RoleZeroError `invalid` for other values, and for an unknown model without `contextWindow`.
 */
export function fromAiSdk(model: AiSdkModel, given: FromAiSdkOptions = {}): ChatModel {
  checkVersion(model);
  const facts = modelFacts(model.modelId);
  const contextWindow = given.contextWindow ?? facts?.contextWindow;
  if (contextWindow === undefined) {
    throw new RoleZeroError(
      'invalid',
      `contextWindow is missing: "${model.modelId}" is not in the catalogue of known models. Write fromAiSdk(model, { contextWindow: 32_768 }), with the tokens that the model really reads.`,
      { option: 'contextWindow', model: model.modelId },
    );
  }
  const options = {
    ...given,
    images: given.images ?? facts?.images ?? false,
    toolCalls: given.toolCalls ?? facts !== null, // all models of the catalogue can
  };
  const known = facts === null ? undefined : Math.min(facts.maxOutputTokens, MAX_DEFAULT_OUTPUT);
  const refused = new Set<OptionalField>();
  return {
    id: `${model.provider}/${model.modelId}`,
    contextWindow,
    ...defined({ maxOutputTokens: options.maxOutputTokens ?? known }),
    supports: {
      get jsonSchema() {
        return options.jsonSchema === true && !refused.has('response_format');
      },
      get toolCalls() {
        return Boolean(options.toolCalls) && !refused.has('tools');
      },
      images: options.images,
      seed: options.seed ?? false,
      parallel: options.parallel ?? true,
    },
    chat: (request) => chat(model, request, options, refused),
  };
}

function checkVersion(model: AiSdkModel): void {
  const version = isRecord(model) ? model['specificationVersion'] : undefined;
  if (typeof version === 'string' && VERSIONS.includes(version) && typeof model.doStream === 'function')
    return;
  throw new RoleZeroError(
    'invalid',
    `fromAiSdk takes a language model of specification ${VERSIONS.join(', ')}, as the AI SDK's providers make them; this is ${typeof version === 'string' ? version : describeValue(model)}.`,
  );
}

/** Retries a call that fails before any part of its reply was emitted, without each optional part that the provider rejects. */
async function* chat(
  model: AiSdkModel,
  request: ChatRequest,
  options: FromAiSdkOptions,
  refused: Set<OptionalField>,
): AsyncGenerator<ChatChunk, void> {
  const { retries = DEFAULT_RETRIES, random = Math.random } = options;
  const patience = new Patience(request.signal, { ...DEFAULT_TIME_LIMITS, ...options.timeouts });
  let shown = false;
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const chunk of replyOf(model, without(refused, request), options, patience)) {
          shown ||= isContent(chunk);
          yield chunk;
        }
        return;
      } catch (caught) {
        const error = sdkFault(caught, model);
        const { temperature, responseSchema, tools } = without(refused, request);
        const sent = defined({ temperature, response_format: responseSchema, tools });
        const field = shown || error.code !== 'model-request' ? null : refusedField(error.message, sent);
        if (field !== null) {
          refused.add(field);
          yield omittedField(field);
          if (field === 'tools') throw noToolCalls(error);
          continue;
        }
        if (shown || !isRetryable(error) || error.code === 'model-timeout') throw error;
        if (attempt > retries) throw givenUp(error, attempt);
        yield* waitToRetry(error, { attempt, most: retries, random }, patience);
      }
    }
  } finally {
    patience.end();
  }
}

function without(refused: ReadonlySet<OptionalField>, request: ChatRequest): ChatRequest {
  const { temperature, responseSchema, ...rest } = request;
  return {
    ...rest,
    ...defined({
      temperature: refused.has('temperature') ? undefined : temperature,
      responseSchema: refused.has('response_format') ? undefined : responseSchema,
    }),
  };
}

async function* replyOf(
  model: AiSdkModel,
  request: ChatRequest,
  options: FromAiSdkOptions,
  patience: Patience,
): AsyncGenerator<ChatChunk, void> {
  const call = callOptions(request, model, options, patience.signal);
  if (patience.signal.aborted) await patience.pause(0); // throws the reason of the abort
  const { stream } = await patience.within((async () => model.doStream(call))(), 'firstByteMs');
  const reader = stream.getReader();
  const calls: KnownCalls = new Map();
  try {
    for (let waiting: 'firstByteMs' | 'idleMs' = 'firstByteMs'; ; waiting = 'idleMs') {
      const { done, value } = await patience.within(reader.read(), waiting);
      if (done) throw incompleteReply(undefined, model);
      const { chunks, fault } = readPart(value, calls);
      for (const chunk of chunks) yield chunk;
      if (fault !== undefined) throw incompleteReply(fault.error, model, fault.word);
      if (chunks.at(-1)?.type === 'finish') return;
    }
  } finally {
    reader.cancel().catch(() => undefined); // the original error is already thrown
  }
}

/** Converts a request to the call options of AI SDK models. */
function callOptions(
  request: ChatRequest,
  model: AiSdkModel,
  options: FromAiSdkOptions,
  abortSignal: AbortSignal,
): AiSdkCall {
  const limit = Math.min(request.maxOutputTokens ?? Infinity, options.maxOutputTokens ?? Infinity);
  const { temperature, seed, stop, responseSchema, messages, tools, toolChoice } = request;
  const names = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name])),
  );
  return {
    prompt: messages.map((message) => promptMessage(message, model, options.images === true, names)),
    abortSignal,
    ...(tools !== undefined &&
      options.toolCalls && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          description,
          inputSchema: parameters,
        })),
        toolChoice: { type: choiceOf(toolChoice, options) },
      }),
    ...defined({
      maxOutputTokens: limit === Infinity ? undefined : limit,
      temperature,
      seed: options.seed === true ? seed : undefined,
      stopSequences: stop?.length ? stop : undefined,
      responseFormat:
        responseSchema !== undefined && options.jsonSchema === true
          ? { type: 'json' as const, name: 'reply', schema: responseSchema }
          : undefined,
      headers: options.headers,
      providerOptions: options.providerOptions,
    }),
  };
}

function choiceOf(
  choice: ChatRequest['toolChoice'],
  { toolCalls }: FromAiSdkOptions,
): 'auto' | 'none' | 'required' {
  if (choice === 'none') return 'none';
  return toolCalls === 'required' ? 'required' : 'auto';
}

/** Converts a message. A system message becomes a string, any other a list of parts. */
function promptMessage(
  { role, content, toolCalls, toolCallId }: ChatMessage,
  model: AiSdkModel,
  images: boolean,
  names: ReadonlyMap<string, string>,
): { role: string; content: unknown } {
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = parts.map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE));
  if (role === 'system') return { role, content: texts.join('\n') };
  if (toolCallId !== undefined) {
    const output = { type: 'text', value: texts.join('\n') };
    const toolName = names.get(toolCallId) ?? '';
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  }
  if (toolCalls !== undefined)
    return {
      role,
      content: [
        ...texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
        ...toolCalls.map(({ id, name, args }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: callArguments(args),
        })),
      ],
    };
  return {
    role,
    content: parts.map((part, index) =>
      part.type === 'image' && images
        ? filePart(part.url, model.specificationVersion)
        : { type: 'text', text: texts[index] },
    ),
  };
}

/** Converts an image. From version 4 on, the data carries a type tag. */
function filePart(url: string, version: string): object {
  const tagged = version !== 'v2' && version !== 'v3';
  const inline = /^data:([^;,]*)[^,]*;base64,/.exec(url);
  if (inline === null) {
    const data = new URL(url);
    return { type: 'file', mediaType: 'image/*', data: tagged ? { type: 'url', url: data } : data };
  }
  const data = url.slice(inline[0].length);
  return { type: 'file', mediaType: inline[1] || 'image/*', data: tagged ? { type: 'data', data } : data };
}

/** The part of the SDK's `APICallError` that describes the error. */
interface CallError {
  message: string;
  url?: unknown;
  statusCode?: unknown;
  responseHeaders?: Record<string, string>;
  responseBody?: unknown;
  isRetryable?: unknown;
}

/** Converts an error of the SDK or a provider to a RoleZeroError. */
function sdkFault(error: unknown, model: AiSdkModel): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (isAbort(error)) return new RoleZeroError('aborted', 'Stopped.', {}, error);
  const about = { provider: model.provider, model: model.modelId };
  const called: CallError = error instanceof Error ? error : { message: describe(error) };
  const { statusCode, responseHeaders, responseBody } = called;
  const retryable = called.isRetryable === true;
  if (typeof statusCode === 'number') {
    const reported = errorInText(typeof responseBody === 'string' ? responseBody : '');
    const wait = retryAfter(new Headers(responseHeaders ?? {}), Date.now());
    const words = reported.message === '' ? { ...reported, message: called.message } : reported;
    const target = { url: urlOf(called, model), model: model.modelId, hasKey: true };
    const fault = requestRefused(statusCode, words, target, wait);
    return new RoleZeroError(fault.code, fault.message, { ...fault.detail, ...about }, error);
  }
  if (retryable) {
    const message = `${model.provider} could not be reached: ${called.message}`;
    return new RoleZeroError('model-unreachable', message, { ...about, retryable }, error);
  }
  const message = `${model.provider} could not answer: ${called.message}`;
  return new RoleZeroError('model-request', message, { ...about, retryable }, error);
}

/** Creates the retryable error for a stream that ended or failed before the reply was complete. */
function incompleteReply(error: unknown, model: AiSdkModel, word?: string): RoleZeroError {
  if (error !== undefined) return sdkFault(error, model);
  const reason = word === undefined ? '' : ` The reason of its end is "${word}".`;
  return new RoleZeroError('model-request', `The reply ended before it was complete.${reason}`, {
    kind: 'incomplete',
    provider: model.provider,
    model: model.modelId,
    retryable: true,
  });
}

/** Returns the URL without its query, which may contain a key. */
function urlOf({ url }: CallError, model: AiSdkModel): string {
  if (typeof url === 'string' && isUrl(url)) return shownUrl(new URL(url));
  return `https://${model.provider.replace(/[^\w.-]/g, '') || 'model'}`;
}

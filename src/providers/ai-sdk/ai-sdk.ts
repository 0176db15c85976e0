import { defined } from '../../core/defined.js';
import { describeValue } from '../../core/describe-value.js';
import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { isContent, type ChatChunk, type ChatModel, type ChatRequest } from '../../core/model.js';
import { modelFacts } from '../openai/catalogue.js';
import { givenUp, isRetryable } from '../openai/errors.js';
import { leftOut, noToolCalls, refusedField, type OptionalField } from '../openai/optional-fields.js';
import { MAX_DEFAULT_OUTPUT } from '../openai/limits.js';
import { DEFAULT_TIME_LIMITS, Patience } from '../openai/patience.js';
import { waitToRetry } from '../openai/retry.js';
import { callOptions } from './call.js';
import { brokenOff, faultOf } from './errors.js';
import type { AiSdkModel, FromAiSdkOptions } from './options.js';
import { readPart, type KnownCalls } from './stream-part.js';

const DEFAULT_RETRIES = 5;
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
        const error = faultOf(caught, model);
        const { temperature, responseSchema, tools } = without(refused, request);
        const sent = defined({ temperature, response_format: responseSchema, tools });
        const field = shown || error.code !== 'model-request' ? null : refusedField(error.message, sent);
        if (field !== null) {
          refused.add(field);
          yield leftOut(field);
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
      if (done) throw brokenOff(undefined, model);
      const { chunks, fault } = readPart(value, calls);
      for (const chunk of chunks) yield chunk;
      if (fault !== undefined) throw brokenOff(fault.error, model, fault.word);
      if (chunks.at(-1)?.type === 'finish') return;
    }
  } finally {
    reader.cancel().catch(() => undefined); // the original error is already thrown
  }
}

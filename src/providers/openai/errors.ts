import { defined } from '../../core/defined.js';
import { type ErrorCode, RoleZeroError, describe, sentences } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { withoutSecretsIn } from '../../core/secrets.js';

/** Values of `detail.kind` of a `model-request` error. */
export type FaultKind =
  | 'status' // the server answered with an HTTP error
  | 'redirect' // it redirected to another URL, which must not receive the key
  | 'html' // the response is a web page: a login page of the network, or the wrong URL
  | 'not-a-reply' // JSON that is not a chat completion
  | 'error-message' // an error inside a successful response
  | 'incomplete' // the response ended before the reply did
  | 'dropped' // the connection was lost
  | 'invalid-json'
  | 'invalid-utf8'
  | 'too-large'; // one message of the stream, or a reply without streaming, exceeds the size limit

/** Endpoint that an error refers to; contains neither query nor key. */
export interface Target {
  url: string;
  model: string;
  hasKey: boolean;
}

/** Error as reported by a server. */
export interface ServerError {
  message: string;
  /** Code or type of the server, such as `insufficient_quota`. A number is an HTTP status sent in the body. */
  code: string;
}

/** Returns true when a retry may help and this provider has not already used up its retries. */
export function isRetryable(error: RoleZeroError): boolean {
  return error.detail['retryable'] === true;
}

/** Returns the error after the last attempt. It is not retryable any more. */
export function givenUp(error: RoleZeroError, attempts: number): RoleZeroError {
  const last = attempts === 1 ? '' : `That was attempt ${attempts}, the last.`;
  const advice = error.detail['status'] === 429 ? 'Wait a while, then resume: no work is lost.' : '';
  const message = sentences(error.message, last, advice);
  return new RoleZeroError(error.code, message, { ...error.detail, attempts, retryable: false }, error.cause);
}

/** Creates the retryable error for a stream that ended early or cannot be read. Its content must not be acted upon. */
export function brokenStream(kind: FaultKind, target: Target, cause?: unknown, reported = ''): RoleZeroError {
  const what: Partial<Record<FaultKind, string>> = {
    incomplete:
      'The reply ended before it was complete: the server or something on the way closed the connection.',
    dropped: 'The connection broke in the middle of the reply.',
    'invalid-json': 'A part of the reply is not valid JSON.',
    'invalid-utf8': 'A part of the reply is not valid UTF-8.',
  };
  const message = sentences(what[kind] ?? 'The reply cannot be read.', quoteReport(reported));
  return fault(message, kind, target, { retryable: true }, cause);
}

/** Creates the error for a successful response without a reply. */
export function notAReply(kind: 'html' | 'not-a-reply' | 'too-large', target: Target): RoleZeroError {
  const what = {
    html: `A web page came instead of a reply. Either the network asks to log in first, or ${target.url} is not the API: baseURL usually ends in /v1.`,
    'not-a-reply': `${target.url} answered with JSON which is not a chat completion: is it the right URL?`,
    'too-large': `${target.url} sent one message larger than a whole reply may be; raise maxReplyLength if that is right.`,
  };
  return fault(what[kind], kind, target, { retryable: false });
}

/** Creates the error for a redirect. Redirects are not followed, because they could send the key to an untrusted server. */
export function redirected(target: Target): RoleZeroError {
  const message = `${target.url} redirects to another address, which is not followed so that the API key stays where it belongs. Give the final address as baseURL.`;
  return fault(message, 'redirect', target, { retryable: false });
}

/** Converts an HTTP status and the server's error to a RoleZeroError. */
export function requestRefused(
  status: number,
  error: ServerError,
  target: Target,
  retryAfterMs: number | null = null,
  kind: 'status' | 'error-message' = 'status',
): RoleZeroError {
  const { what, retryable = false } = explainStatus(status, error, target);
  const detail = {
    status,
    ...defined({ serverMessage: error.message || undefined, retryAfterMs: retryAfterMs ?? undefined }),
    retryable,
  };
  const code = isOverflow(status, error) ? 'context-overflow' : undefined;
  return fault(sentences(what, quoteReport(error.message)), kind, target, detail, undefined, code);
}

/** Returns what a status and the server's error mean, in a sentence with advice. */
function explainStatus(
  status: number,
  error: ServerError,
  { url, model, hasKey }: Target,
): { what: string; retryable?: boolean } {
  const { host } = new URL(url);
  if (isOverflow(status, error))
    return {
      what: `The prompt does not fit the context window of ${model}. Set contextWindow to what the server really has.`,
    };
  if (status === 401 || status === 403)
    return {
      what: hasKey
        ? `${host} refused the API key, or the key may not use ${model} (${status}).`
        : `${host} wants an API key and none was given (${status}).`,
    };
  if (status === 402 || error.code === 'insufficient_quota')
    return { what: `The account behind the API key has no credit left at ${host} (${status}).` };
  if (status === 404 || status === 405)
    return {
      what: `Nothing answers at ${url} (${status}): either there is no model "${model}", or the URL is wrong; baseURL usually ends in /v1.`,
    };
  if (status === 429) return { what: `${host} asks for fewer requests (429).`, retryable: true };
  if (status === 408 || status === 409 || status >= 500)
    return { what: `${host} could not answer (${status}).`, retryable: true };
  return { what: `${host} refused the request (${status}).` };
}

/**
 * Converts an error inside a response with status 200. A numeric code is treated like a status; otherwise the error usually counts as
 * temporary.
 */
export function errorInReply(error: ServerError, target: Target): RoleZeroError {
  const status = Number(error.code);
  const known = Number.isInteger(status) && status >= 400 && status < 600;
  if (known || error.code === 'insufficient_quota' || isOverflow(400, error)) {
    return requestRefused(known ? status : 400, error, target, null, 'error-message');
  }
  return fault(
    sentences(`${new URL(target.url).host} broke the reply off with an error.`, quoteReport(error.message)),
    'error-message',
    target,
    {
      serverMessage: error.message,
      serverCode: error.code,
      retryable: !/invalid|not_?found|permission/i.test(error.code),
    },
  );
}

/**
 * Reads the error in a server's JSON: the formats of OpenAI (`{error: {message, code}}`), Ollama (`{error: 'text'}`), vLLM and Mistral
 * (`{object: 'error', message}`), FastAPI (`{detail}`), and others (`{msg, code}`, `{error_msg}`). Returns null for any other message.
 */
export function serverError(body: unknown): ServerError | null {
  if (!isRecord(body)) return null;
  const { error, detail } = body;
  if (isRecord(error)) return { message: words(error['message'] ?? error), code: codeOf(error) };
  if (typeof error === 'string' && error !== '') return { message: words(error), code: codeOf(body) };
  if (detail !== undefined) return { message: words(detail), code: '' };
  const message = body['message'] ?? body['msg'] ?? body['error_msg'] ?? body['status_msg'];
  if (typeof message === 'string') return { message: words(message), code: codeOf(body) };
  return null;
}

/**
 * Reads the error in a message of a successful response; null when it reports none. OpenRouter sends errors next to the choices or in a choice,
 * MiniMax in `base_resp`, older vLLM servers with `object: 'error'`. A message without choices that has a text and a code is one, too.
 */
export function successError(body: unknown): ServerError | null {
  if (!isRecord(body)) return null;
  const { error, choices, base_resp: status } = body;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isFilled(error) || body['object'] === 'error') return serverError(body);
  if (isRecord(choice)) return isFilled(choice['error']) ? serverError(choice) : null;
  if (isRecord(status) && isFailure(codeOf(status))) return serverError(status);
  const isError =
    ['detail', 'error_msg'].some((name) => isFilled(body[name])) ||
    body['success'] === false ||
    body['type'] === 'error' ||
    isFailure(codeOf({ ...body, type: '' }));
  return isError ? serverError(body) : null;
}

function isFilled(value: unknown): boolean {
  return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function isFailure(code: string): boolean {
  return !/^(?:|0+|200|ok|success)$/i.test(code);
}

/** Reads the error in the body of an HTTP error, which may have any format. */
export function errorInText(text: string): ServerError {
  const plain = { message: /^\s*</.test(text) ? '' : words(text.trim()), code: '' }; // HTML pages of proxies contain no useful message
  try {
    return serverError(JSON.parse(text)) ?? plain;
  } catch {
    return plain;
  }
}

/** Returns the error without the given secrets. Servers may quote the key, and libraries may put a header into a message. */
export function withoutSecrets(error: RoleZeroError, secrets: Iterable<string>): RoleZeroError {
  const hide = (text: string) => withoutSecretsIn(text, secrets);
  const detail = JSON.stringify(error.detail);
  const before = error.message + detail + trail(error.cause);
  if (hide(before) === before) return error;
  return new RoleZeroError(
    error.code,
    hide(error.message),
    JSON.parse(hide(detail)) as Record<string, unknown>,
    error.cause instanceof Error ? new Error(hide(describe(error.cause))) : undefined,
  );
}

/** Returns the texts of an error and its causes. */
function trail(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 8) return String(error);
  return `${error.message}\n${error.stack ?? ''}\n${trail(error.cause, depth + 1)}`;
}

function isOverflow(status: number, error: ServerError): boolean {
  if (status === 413 || error.code === 'context_length_exceeded') return true;
  if (status !== 400 && status !== 422 && status !== 500) return false;
  return /context (length|window|size)|context the overflows|maximum context|prompt is too long|exceed_context/i.test(
    `${error.code} ${error.message}`,
  );
}

function codeOf(error: Record<string, unknown>): string {
  const code = error['code'] ?? error['error_code'] ?? error['status_code'] ?? error['type'];
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

function quoteReport(message: string): string {
  return message === '' ? '' : `It reported: ${message}`;
}

/** Returns at most 500 characters of a server's message. */
function words(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

function fault(
  message: string,
  kind: FaultKind,
  target: Target,
  detail: Record<string, unknown>,
  cause?: unknown,
  code: ErrorCode = 'model-request',
): RoleZeroError {
  return new RoleZeroError(code, message, { kind, url: target.url, model: target.model, ...detail }, cause);
}

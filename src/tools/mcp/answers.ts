import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { describe, RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { McpSettings } from './options.js';

/**
 * `data` of the errors that replace an answer: the response ended without one, or is too large. A server that sends them itself only
 * says that its own call failed.
 */
export const LOST_ANSWER = 'rolezero: no answer';
export const TOO_LARGE_ANSWER = 'rolezero: too large';

/** JSON-RPC code with which servers say that they have forgotten a session. Some mean a time limit by it: their text decides. */
const SESSION_NOT_FOUND = -32001;
const INTERNAL_ERROR = -32603;

const NO_SESSION =
  /\bno (?:valid )?session|\b(?:invalid|unknown|expired) session|\bsession\b.{0,60}\b(?:not found|not exist|invalid|unknown|expired)/i;

/** How the SDK resumes a stream: these are its defaults. */
export const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/** Statuses after which the next attempt to resume a stream may succeed. */
const PASSING = [401, 403, 408, 429];

type RequestId = string | number;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A request whose stream has ended before its answer. */
interface Resumption {
  id: RequestId;
  failures: number;
}

/** Returns whether a server says that it has forgotten the session, by the code (of JSON-RPC, or the status) and the text of its error. */
export function saysForgotten(code: number, text: string): boolean {
  return (code === SESSION_NOT_FOUND || code === 400) && NO_SESSION.test(text);
}

/**
 * Returns a fetch for one connection that gives each request an answer. A response that ends without one is completed with an error, for
 * which the SDK would wait until its time limit. A stream that the SDK resumes from its last event is left to it, until that fails.
 */
export function withAnswers(fetch: Fetch): Fetch {
  const resumable = new Map<string, Resumption>();
  return async (url, init) => {
    const from = new Headers(init?.headers).get('last-event-id');
    const resumed = from === null ? undefined : resumable.get(from);
    const id = resumed?.id ?? requestId(init?.body);
    if (id === null) return fetch(url, init);
    const isFailed = (isFinal: boolean): boolean =>
      resumed !== undefined && (isFinal || ++resumed.failures >= RECONNECTION.maxRetries);
    const response = await fetch(url, init).catch((error: unknown) => {
      if (init?.signal?.aborted === true || !isFailed(false)) throw error;
      return eventStream(asEvent(lost(id)));
    });
    const { status, headers, body } = response;
    if (!response.ok)
      return isFailed(status < 500 && !PASSING.includes(status)) ? eventStream(asEvent(lost(id))) : response;
    const isStopped = (): boolean => init?.signal?.aborted === true;
    const type = headers.get('content-type') ?? '';
    if (/^application\/json\b/i.test(type))
      return withBody(response, await answeredJson(response, id, isStopped));
    if (!/^text\/event-stream\b/i.test(type) || body === null) return response;
    return withBody(
      response,
      answeredStream(body, id, {
        isStopped,
        resumes: (lastEventId) => {
          const isNew = lastEventId !== null && lastEventId !== from;
          if (isNew) resumable.set(lastEventId, { id, failures: 0 });
          return isNew;
        },
      }),
    );
  };
}

/** Returns the id of the request in a body; null without one. A subscription ends without an answer. */
function requestId(body: unknown): RequestId | null {
  const message = typeof body === 'string' ? parseJson(body) : undefined;
  if (!isRecord(message) || message['jsonrpc'] !== '2.0' || message['method'] === 'subscriptions/listen')
    return null;
  const { id, method } = message;
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

interface StreamEnd {
  /** The user or the SDK has ended the request. */
  isStopped: () => boolean;
  /** Returns whether the SDK resumes the stream after this event. */
  resumes: (lastEventId: string | null) => boolean;
}

/** Returns a stream of events that contains an answer to a request, unless the stream is resumed. */
function answeredStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  id: RequestId,
  { isStopped, resumes }: StreamEnd,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let hasAnswer = false;
  /** A response to any request: the SDK does not resume after it. */
  let hasResponse = false;
  let lastEventId: string | null = null;
  let bare: object | null = null;
  const parser = createParser({
    onEvent({ id: eventId, data }) {
      if (eventId) lastEventId = eventId;
      const message = parseJson(data);
      hasAnswer ||= isAnswerTo(message, id);
      hasResponse ||= isResponse(message);
      bare ??= hasAnswer ? null : bareError(message, id);
    },
  });
  const isComplete = (): boolean => hasAnswer || isStopped() || (!hasResponse && resumes(lastEventId));
  return new ReadableStream({
    async pull(controller) {
      let answer: object | null;
      try {
        const { value, done } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          parser.feed(decoder.decode(value, { stream: true }));
          if (bare === null) return;
        }
        answer = bare ?? (isComplete() ? null : lost(id));
      } catch (error) {
        if (!(error instanceof RoleZeroError) && isComplete()) throw error;
        answer = lost(id, error);
      }
      if (answer !== null) controller.enqueue(new TextEncoder().encode(asEvent(answer)));
      controller.close();
      await reader.cancel().catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Returns the JSON of a response, or of an error in its place when it does not contain the answer to a request. */
async function answeredJson(response: Response, id: RequestId, isStopped: () => boolean): Promise<string> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    if (isStopped()) throw error;
    return JSON.stringify(lost(id, error));
  }
  const data = parseJson(text);
  if (data === undefined) return JSON.stringify(lost(id));
  const messages: unknown[] = Array.isArray(data) ? data : [data];
  if (messages.some((message) => isAnswerTo(message, id))) return text;
  const bare = messages.map((message) => bareError(message, id)).find((error) => error !== null);
  return JSON.stringify(
    bare ??
      errorAnswer(
        id,
        INTERNAL_ERROR,
        'its answer does not follow the protocol, so it is not known whether it took effect.',
      ),
  );
}

/** Completes an unfinished event, then adds one. */
function asEvent(message: object): string {
  return `\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function eventStream(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

function isResponse(message: unknown): boolean {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

function isAnswerTo(message: unknown, id: RequestId): boolean {
  return isResponse(message) && String((message as { id?: unknown }).id) === String(id);
}

/** Returns an error without an id, or of another form, as the answer to the request of its response; null for anything else. */
function bareError(message: unknown, id: RequestId): object | null {
  if (!isRecord(message) || message['method'] !== undefined || message['error'] === undefined) return null;
  const { id: about = null, error } = message;
  if (about !== null && about !== id && about !== String(id)) return null;
  const { code, message: text = error } = isRecord(error) ? error : {};
  const reason = typeof text === 'string' ? text : JSON.stringify(text);
  if (NO_SESSION.test(reason)) return errorAnswer(id, SESSION_NOT_FOUND, reason);
  return errorAnswer(id, Number.isInteger(code) ? (code as number) : INTERNAL_ERROR, reason);
}

function lost(id: RequestId, error?: unknown): object {
  return error instanceof RoleZeroError
    ? errorAnswer(id, INTERNAL_ERROR, error.message, TOO_LARGE_ANSWER)
    : errorAnswer(id, INTERNAL_ERROR, 'The connection was closed before the answer.', LOST_ANSWER);
}

function errorAnswer(id: RequestId, code: number, message: string, data?: string): object {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Returns a fetch for the requests of one server. Responses fail after a number of bytes, however they arrive. The headers of the
 * application are sent to the origin of the server alone, not to the one where the user signs in. That one must have https.
 */
export function limitedFetch(
  { url: server, headers, limits }: McpSettings,
  onResponse: (response: Response) => void,
): Fetch {
  return async (url, init) => {
    const all = new Headers(init?.headers);
    const { origin, protocol } = new URL(url);
    const isOwn = origin === server.origin;
    if (!isOwn && protocol !== 'https:' && !isLocalHost(server))
      throw new RoleZeroError('permission', 'The server asks for a sign-in over plain http.', { origin });
    const own = isOwn ? await ownHeaders(headers) : {};
    for (const [name, value] of Object.entries(own)) if (!all.has(name)) all.set(name, value);
    const response = await fetch(url, { ...init, headers: all, credentials: 'omit' });
    onResponse(response);
    if (response.body === null) return response;
    return withBody(response, response.body.pipeThrough(byteLimit(limits.bytes)));
  };
}

/** Returns a copy of a response with another body. */
function withBody(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>> | string): Response {
  const copy = new Response(body, response);
  for (const name of ['url', 'type', 'redirected'] as const)
    Object.defineProperty(copy, name, { value: response[name] });
  return copy;
}

/** @throws RoleZeroError `invalid` when the function of the application fails. */
async function ownHeaders(headers: McpSettings['headers']): Promise<Record<string, string>> {
  try {
    return await headers();
  } catch (error) {
    throw new RoleZeroError('invalid', `\`headers\` of mcp() failed: ${describe(error)}`, {}, error);
  }
}

function isLocalHost({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Fails with a `RoleZeroError` `tool-failed` beyond the limit. */
function byteLimit(most: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else
        controller.error(
          new RoleZeroError('tool-failed', `its result has more than ${most} bytes (\`limits.bytes\`).`),
        );
    },
  });
}

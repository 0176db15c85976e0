import { checkApiKey, checkHeaderValue } from '../../core/api-key.js';
import { describe, RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { Embedder } from '../../core/model.js';
import { secretsIn, withoutSecretsIn } from '../../core/secrets.js';

interface OpenAiEmbedderOptions {
  /** URL without `/embeddings`: `https://api.example/v1`. */
  baseURL: string;
  model: string;
  /** Number of dimensions of the model's vectors. */
  dimensions: number;
  apiKey?: string;
  headers?: Record<string, string>;
  /**
   * Maximum number of texts per request.
   * @default 64
   */
  batch?: number;
  /**
   * Timeout of one request in ms.
   * @default 30_000
   */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

/** Maximum number of characters of a server's answer in an error. */
const MAX_SHOWN_ANSWER = 300;
/** Maximum size of an answer in bytes, in addition to its numbers. A number takes about 25 bytes at most. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_NUMBER_BYTES = 32;

/**
 * Creates an embedder for any server with OpenAI's `/embeddings`: vLLM, Ollama, llama.cpp, LM Studio, or a hosted provider. The texts are
 * sent to that server.
 *
 * @example openaiEmbedder({ baseURL: 'http://localhost:11434/v1', model: 'nomic-embed-text', dimensions: 768 })
 * @throws from `embed`: RoleZeroError `model-request` when the server is unreachable, rejects the request, or returns an invalid answer;
 * `aborted`.
 */
export function openaiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, batch = 64 } = options;
  return {
    id: `openai:${model}:${dimensions}`,
    dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch)
        vectors.push(...(await request(options, texts.slice(at, at + batch), signal)));
      return vectors;
    },
  };
}

async function request(
  options: OpenAiEmbedderOptions,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const { baseURL, dimensions, apiKey, headers } = options;
  const address = `${baseURL.replace(/\/+$/, '')}/embeddings`;
  const secrets = secretsIn([...Object.values(headers ?? {}), apiKey ?? '']);
  const shown: Shorten = (text) => withoutSecretsIn(text, secrets).slice(0, MAX_SHOWN_ANSWER);
  const answer = await fetchAnswer(address, options, texts, shown, signal);
  const vectors = vectorsOf(answer, texts.length);
  if (vectors === null)
    throw embedderError(address, `did not give ${texts.length} embeddings: ${shown(answer)}`);
  const wrong = vectors.find(({ length }) => length !== dimensions);
  if (wrong === undefined) return vectors;
  throw embedderError(
    address,
    `gives vectors of ${wrong.length} numbers; say so in the option dimensions, which is ${dimensions}.`,
  );
}

/** Shortens a text of the server for an error, without secrets. */
type Shorten = (text: string) => string;

/** Returns the body of a successful response. */
async function fetchAnswer(
  address: string,
  options: OpenAiEmbedderOptions,
  texts: readonly string[],
  shown: Shorten,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { model, dimensions, timeoutMs = 30_000 } = options;
  const headers = headersOf(options);
  const stop = AbortSignal.timeout(timeoutMs);
  try {
    const response = await (options.fetch ?? fetch)(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      redirect: 'manual', // the key must only reach its own server; 'error' would look like any other failed connection
      signal: signal === undefined ? stop : AbortSignal.any([signal, stop]),
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      const what = 'redirects to another address, which is not followed. Give the final address as baseURL.';
      throw embedderError(address, what, { kind: 'redirect' });
    }
    const answer = await readAnswer(
      response,
      MAX_ANSWER_BYTES + texts.length * dimensions * MAX_NUMBER_BYTES,
    );
    if (!response.ok) throw embedderError(address, `answered ${response.status}: ${shown(answer)}`);
    return answer;
  } catch (error) {
    if (signal?.aborted === true) throw new RoleZeroError('aborted', 'Embedding was stopped.', {}, error);
    if (error instanceof RoleZeroError) throw error;
    // fetch throws a TypeError when there is no response.
    const why =
      error instanceof TypeError ? 'no response. Is it up, with CORS for this page?' : shown(describe(error));
    throw embedderError(address, `could not be asked: ${why}`);
  }
}

/** Validates and creates the headers. The platform's own error is replaced, because it contains the value. */
function headersOf({ apiKey, headers }: OpenAiEmbedderOptions): Headers {
  if (apiKey !== undefined) checkApiKey(apiKey);
  for (const [name, value] of Object.entries(headers ?? {})) checkHeaderValue(value, `headers.${name}`);
  try {
    return new Headers({
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.trim()}` }), // pasted keys may end in a line break
      ...headers,
    });
  } catch {
    throw new RoleZeroError('invalid', 'A name in `headers` is not a valid header name.');
  }
}

/** Returns the whole body. Throws without reading the rest when the body is too large. */
async function readAnswer(response: Response, maxBytes: number): Promise<string> {
  const texts: string[] = [];
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let length = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    if ((length += value.length) > maxBytes) {
      await reader.cancel();
      throw new Error(`it sent more than ${maxBytes} bytes.`);
    }
    texts.push(decoder.decode(value, { stream: true }));
  }
  return texts.join('') + decoder.decode();
}

/** Returns the vectors in the order of the texts, sorted by `index`. Returns null when the answer has another format. */
function vectorsOf(answer: string, count: number): Float32Array[] | null {
  let body: unknown;
  try {
    body = JSON.parse(answer);
  } catch {
    return null;
  }
  const data = isRecord(body) ? body['data'] : null;
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors = new Map<number, Float32Array>();
  for (const [place, entry] of data.entries()) {
    const { index = place, embedding } = isRecord(entry) ? entry : {};
    if (typeof index !== 'number' || !Array.isArray(embedding)) return null;
    if (!embedding.every((value) => Number.isFinite(value))) return null;
    vectors.set(index, Float32Array.from(embedding as number[]));
  }
  const ordered = Array.from({ length: count }, (_, place) => vectors.get(place));
  return ordered.every((vector) => vector !== undefined) ? ordered : null;
}

function embedderError(address: string, what: string, detail: Record<string, unknown> = {}): RoleZeroError {
  return new RoleZeroError('model-request', `The embedder at ${address} ${what}`, { address, ...detail });
}

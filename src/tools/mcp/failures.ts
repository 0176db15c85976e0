import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { RoleZeroError } from '../../core/error.js';
import { LOST_ANSWER, saysForgotten, TOO_LARGE_ANSWER } from './answers.js';
import type { McpSettings } from './options.js';

/** What a failed request means for the connection. */
export type FailureKind =
  /** The user has to sign in. */
  | 'sign-in'
  /** The server has forgotten this connection; it has not run the request. */
  | 'forgotten'
  /** The connection is broken; the server may have run the request. */
  | 'broken'
  /** The server has answered with an error. */
  | 'answered';

/** What is known about the last response, because browsers hide why a request failed. */
export interface LastResponse {
  /** Status of the last response; null when there was none. */
  status: number | null;
  /** A response of another origin came without `Mcp-Session-Id`: the server has none, or does not expose it. */
  hidesSession: boolean;
}

/** Headers of requests, which a server of another origin must allow. */
const REQUEST_HEADERS =
  'content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id';

export function failureKind(error: unknown): FailureKind {
  if (error instanceof UnauthorizedError) return 'sign-in';
  if (error instanceof SdkHttpError) {
    const { status, message } = error;
    if (status === 401) return 'sign-in';
    if (status === 404 || status === 410 || saysForgotten(status, message)) return 'forgotten';
    return status < 500 ? 'answered' : 'broken';
  }
  if (error instanceof ProtocolError) {
    if (isLost(error)) return 'broken';
    return saysForgotten(error.code, error.message) ? 'forgotten' : 'answered';
  }
  if (error instanceof SdkError) return BROKEN.has(error.code) ? 'broken' : 'answered';
  return error instanceof TypeError || (error instanceof Error && error.name === 'NetworkError')
    ? 'broken'
    : 'answered';
}

/** The response ended without an answer; other requests of the connection may go on. */
export function isLost(error: unknown): boolean {
  return error instanceof ProtocolError && error.data === LOST_ANSWER;
}

const BROKEN: ReadonlySet<unknown> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
  SdkErrorCode.EraNegotiationFailed,
]);

/**
 * Describes why a server cannot be used, as the end of a sentence. It contains nothing that the server wrote: the text reaches the model
 * without a label.
 */
export async function causeOf(
  error: unknown,
  { url, limits }: McpSettings,
  seen: LastResponse,
): Promise<string> {
  const { location } = globalThis as { location?: { origin: string } };
  const isForeign = location !== undefined && location.origin !== url.origin;
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (failureKind(error) === 'sign-in') return 'it requires a sign-in';
  if (status === 404) return `it answered with HTTP 404: is the path ${url.pathname} of \`url\` right?`;
  if (status !== undefined && isForeign && seen.hidesSession && status >= 400 && status < 500)
    return `it answered with HTTP ${status}, probably because this page cannot read its header Mcp-Session-Id: the server must send "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate"`;
  if (status !== undefined) return `it answered with HTTP ${status}`;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return 'it did not answer in time';
  if (isLost(error)) return 'it closed the connection before it had answered';
  if (error instanceof ProtocolError && error.data === TOO_LARGE_ANSWER)
    return `its answer has more than ${limits.bytes} bytes (\`limits.bytes\`)`;
  if (failureKind(error) !== 'broken') return 'its answer does not follow the protocol';
  if (!isForeign) return `nothing answers at ${url.origin}`;
  const isUp = await answers(url);
  const cors = `it must send "Access-Control-Allow-Origin: ${location.origin}", answer OPTIONS with "Access-Control-Allow-Headers: ${REQUEST_HEADERS}", and send "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate"`;
  return isUp
    ? `CORS: ${url.origin} answers, but does not allow pages of ${location.origin} to read it: ${cors}`
    : `nothing answers at ${url.origin}`;
}

/** Returns whether anything answers at an origin: a `no-cors` request succeeds as soon as there is any response. */
async function answers({ origin }: URL): Promise<boolean> {
  try {
    await fetch(`${origin}/`, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(3_000),
    });
    return true;
  } catch {
    return false;
  }
}

/** The server cannot be used now. */
export function serverUnavailable({ name }: McpSettings, cause: string): RoleZeroError {
  return new RoleZeroError(
    'tool-failed',
    `The MCP server ${name} cannot be used: ${cause}${cause.endsWith('?') ? '' : '.'}`,
    {
      server: name,
    },
  );
}

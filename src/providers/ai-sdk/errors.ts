import { describe, isAbort, RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { retryAfter } from '../../core/back-off.js';
import { shownUrl } from '../openai/base-url.js';
import { errorInText, refusal } from '../openai/errors.js';
import type { AiSdkModel } from './options.js';

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
export function faultOf(error: unknown, model: AiSdkModel): RoleZeroError {
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
    const fault = refusal(statusCode, words, target, wait);
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
export function brokenOff(error: unknown, model: AiSdkModel, word?: string): RoleZeroError {
  if (error !== undefined) return faultOf(error, model);
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

import { defined } from '../../core/defined.js';
import { describe, RoleZeroError } from '../../core/error.js';

/** Converts an error of the browser. `during` distinguishes a failed start from a failed call. */
export function faultOf(error: unknown, signal: AbortSignal, during: 'create' | 'prompt'): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (signal.aborted) return new RoleZeroError('aborted', 'Stopped.', {}, signal.reason);
  const name = error instanceof Error ? error.name : '';
  const detail = { name, retryable: false, ...quotaOf(error) };
  const reason = describe(error);
  switch (name) {
    case 'QuotaExceededError':
      return new RoleZeroError(
        'context-overflow',
        `The prompt does not fit the browser's model: ${reason}`,
        detail,
        error,
      );
    case 'NotAllowedError':
      return new RoleZeroError(
        'model-load',
        `The browser does not let this page use its model yet: a download has to begin with a click. Call prepareChrome from a button first. It reported: ${reason}`,
        detail,
        error,
      );
    case 'NotSupportedError':
      return new RoleZeroError(
        'model-request',
        `The browser's model cannot do what was asked: ${reason}`,
        detail,
        error,
      );
    default:
      return during === 'create'
        ? new RoleZeroError('model-load', `The browser could not start its model: ${reason}`, detail, error)
        : new RoleZeroError(
            'model-request',
            `The browser's model broke off: ${reason}`,
            { ...detail, retryable: true },
            error,
          );
  }
}

/** Returns the token numbers that newer browsers report for a prompt that is too long. */
function quotaOf(error: unknown): { tokens?: number; contextWindow?: number } {
  if (typeof error !== 'object' || error === null) return {};
  const { requested, quota } = error as { requested?: unknown; quota?: unknown };
  return defined({
    tokens: typeof requested === 'number' ? requested : undefined,
    contextWindow: typeof quota === 'number' ? quota : undefined,
  });
}

/** Creates the error for a browser without a model, or without one for this page. */
export function absent(availability: string | null): RoleZeroError {
  const message =
    availability === null
      ? 'This place has no built-in language model: Chrome offers LanguageModel on pages of desktop Chrome 148 and later, not in workers. Run the role where it is, or use another model: webLLM, wllama, or openai with a local server.'
      : `Chrome says that its built-in language model is "${availability}" here: it needs a desktop computer with 22 GB of free disk and 4 GB of video memory (or 16 GB of memory), and no policy against it. See chrome://on-device-internals, or use another model.`;
  return new RoleZeroError('model-load', message, { availability, retryable: false });
}

import { describe, RoleZeroError, sentences } from '../../core/error.js';

/** Converts an error during loading. */
export function loadFault(error: unknown, model: string, signal: AbortSignal): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (signal.aborted) return new RoleZeroError('aborted', 'Stopped.', {}, signal.reason);
  const reason = describe(error);
  const name = error instanceof Error ? error.name : '';
  const fault = (kind: string, message: string, retryable: boolean) =>
    new RoleZeroError('model-load', message, { kind, model, retryable }, error);
  if (name === 'QuotaExceededError' || /quota/i.test(reason))
    return fault('storage-full', `Cannot store ${model}: the browser's storage is full.`, false);
  if (/out of memory|memory access|allocat/i.test(reason))
    return fault(
      'out-of-memory',
      sentences(
        `${model} does not fit into the memory of this tab: ${reason}`,
        'Use a smaller model, or a smaller contextWindow.',
      ),
      false,
    );
  if (name === 'NetworkError' || /fetch|network/i.test(reason))
    return fault('download', `${model} could not be downloaded: ${reason}`, true);
  return fault('engine', `${model} could not be loaded: ${reason}`, false);
}

/** Converts an error during a call. */
export function chatFault(error: unknown, model: string, contextWindow: number): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  const reason = describe(error);
  const tokens = /\((\d+) tokens\) exceeds the available context/.exec(reason)?.[1];
  if (tokens !== undefined) {
    const message = `The prompt of ${tokens} tokens does not fit the window of ${contextWindow} that ${model} was loaded with.`;
    return new RoleZeroError(
      'context-overflow',
      message,
      { promptTokens: Number(tokens), contextWindow },
      error,
    );
  }
  return new RoleZeroError(
    'model-request',
    sentences(`${model} failed: ${reason}`, 'The next call loads it again.'),
    { kind: 'engine', model, retryable: true },
    error,
  );
}

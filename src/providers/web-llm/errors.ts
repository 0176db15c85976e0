import { describe, isAbort, RoleZeroError, sentences } from '../../core/error.js';

/** Model data for error messages. */
export interface ModelDetails {
  model: string;
  /** Required GPU memory in megabytes. */
  vramMB: number | null;
  contextWindow: number;
  /** Id of the next smaller model, or null. */
  smaller: string | null;
}

/** Creates the error for a model that cannot run in this browser. It is thrown before the download. */
export function unfitModel(about: ModelDetails, why: string): RoleZeroError {
  const instead = about.smaller === null ? '' : ` Use ${about.smaller}, or a server's model.`;
  return new RoleZeroError('model-load', `${about.model} cannot run in this browser. ${why}${instead}`, {
    kind: 'unfit',
    ...about,
  });
}

/** Creates the error for a GPU device lost during loading, which nearly always means too little memory. */
export function outOfMemory(about: ModelDetails, cause: unknown): RoleZeroError {
  const needs =
    about.vramMB === null ? '' : `, which needs about ${(about.vramMB / 1_000).toFixed(1)} GB of its memory`;
  const instead =
    about.smaller === null
      ? 'Close other tabs that use the GPU, or ask for a smaller contextWindow.'
      : `Use the next smaller model, ${about.smaller}, or a smaller contextWindow.`;
  return new RoleZeroError(
    'model-load',
    `The GPU could not hold ${about.model}${needs}. ${instead}`,
    { kind: 'out-of-memory', ...about },
    cause,
  );
}

/** Creates the error for a GPU device lost during use: after a driver restart, sleep, or low memory. */
export function deviceLost(about: ModelDetails, cause: unknown): RoleZeroError {
  const instead =
    about.smaller === null ? '' : ` If it happens again its memory is short: use ${about.smaller}.`;
  return new RoleZeroError(
    'model-device-lost',
    `The GPU was lost while ${about.model} was running. The next call loads the model again.${instead}`,
    { ...about, retryable: true },
    cause,
  );
}

/** Converts an error during loading. The downloaded part is stored, so a retry resumes the download. */
export function loadFault(error: unknown, about: ModelDetails): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  const reason = describe(error);
  const name = error instanceof Error ? error.name : '';
  const fault = (kind: string, message: string, retryable: boolean) =>
    new RoleZeroError('model-load', message, { kind, model: about.model, retryable }, error);
  if (name === 'QuotaExceededError' || /quota/i.test(reason))
    return fault('storage-full', `Cannot store ${about.model}: the browser's storage is full.`, false);
  if (name === 'IntegrityError')
    return fault('integrity', `The download of ${about.model} is damaged: ${reason}`, false);
  if (name === 'DeviceLostError' || /out of memory|device.{0,20}lost/i.test(reason))
    return outOfMemory(about, error);
  if (error instanceof TypeError || name === 'NetworkError' || /fetch|network|'add' on 'Cache'/i.test(reason))
    return fault(
      'download',
      sentences(
        `${about.model} could not be downloaded completely: ${reason}`,
        'The downloaded part is stored; try again when the network is back.',
      ),
      true,
    );
  return fault('engine', `${about.model} could not be loaded: ${reason}`, false);
}

/** Converts an error during a call. A lost device is detected elsewhere, because the errors thrown then vary. */
export function chatFault(error: unknown, about: ModelDetails): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  const reason = describe(error);
  const name = error instanceof Error ? error.name : '';
  if (name === 'ContextWindowSizeExceededError') {
    const promptTokens = Number(/(\d+)/.exec(reason)?.[1] ?? 0);
    return new RoleZeroError(
      'context-overflow',
      `The prompt of ${promptTokens} tokens does not fit the window of ${about.contextWindow} that ${about.model} was loaded with.`,
      { promptTokens, contextWindow: about.contextWindow },
      error,
    );
  }
  if (name === 'GrammarMatcherInitError')
    return new RoleZeroError(
      'model-request',
      `web-llm does not support the schema for the reply: ${reason}`,
      { kind: 'schema', model: about.model, retryable: false },
      error,
    );
  return new RoleZeroError(
    'model-request',
    sentences(`${about.model} failed: ${reason}`, 'The next call loads it again.'),
    { kind: 'engine', model: about.model, retryable: !isAbort(error) },
    error,
  );
}

/** Returns true for errors after which the engine can still be used. */
export function isHarmless(error: RoleZeroError): boolean {
  return error.code === 'context-overflow' || error.code === 'invalid' || error.detail['kind'] === 'schema';
}

import { RoleZeroError } from '../../base/error.js';

/** Tokens. */
export interface LocalLimits {
  contextWindow: number;
  maxOutputTokens: number;
}

const DEFAULT_CONTEXT_WINDOW = 4_096;
/** A reply may take this part of the window where nothing else is said. */
const SHARE_OF_WINDOW = 4;

/**
 * What a model on this machine reads and writes at most.
 * @param window where the options name none; default 4,096
 * @throws RoleZeroError `invalid` for limits that cannot be.
 */
export function limitsOf(
  options: { contextWindow?: number; maxOutputTokens?: number },
  window = DEFAULT_CONTEXT_WINDOW,
): LocalLimits {
  const { contextWindow = window } = options;
  const { maxOutputTokens = Math.floor(contextWindow / SHARE_OF_WINDOW) } = options;
  for (const [name, value] of Object.entries({ contextWindow, maxOutputTokens }))
    if (!Number.isInteger(value) || value < 1)
      throw new RoleZeroError('invalid', `${name} must be a whole number above 0.`, { [name]: value });
  return { contextWindow, maxOutputTokens };
}

import { RoleZeroError } from '../../core/error.js';

/** Token limits. */
export interface LocalLimits {
  contextWindow: number;
  maxOutputTokens: number;
}

const DEFAULT_CONTEXT_WINDOW = 4_096;
/** By default, a reply may use one part in this many of the window. */
const SHARE_OF_WINDOW = 4;

/**
 * Returns the limits of a local model, with defaults.
 * @param window context window if the options do not set one; 4,096 by default
 * @throws RoleZeroError `invalid` unless the limits are integers above 0.
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

/** Temperature of requests without one, where the engine is or may be llama.cpp: small models write unreadable commands at its default, 0.8. */
export const LOCAL_TEMPERATURE = 0.2;

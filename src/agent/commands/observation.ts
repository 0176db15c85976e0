import { describe, RoleZeroError } from '../../core/error.js';
import type { Tool } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import { markForgedLines } from '../prompt/forged-lines.js';
import { headAndTail } from '../prompt/conversation.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';

/** Maximum characters of one observation; the middle of a longer one is left out. */
const MAX_OBSERVATION = 32_000;
/** Share of the window that one observation may take. */
const OBSERVATION_SHARE = 0.2;

/** Returns the maximum characters of one observation, which leaves room for others in the window of the model. */
export function outputLimit(agent: Agent): number {
  return Math.min(
    MAX_OBSERVATION,
    Math.ceil(agent.model.contextWindow * CHARACTERS_PER_TOKEN * OBSERVATION_SHARE),
  );
}

/**
 * Returns the output of a command as the model reads it.
 *
 * @param isUntrusted It contains untrusted content, which must not look like another part of the prompt.
 */
export function observationOf(
  agent: Agent,
  { name, hints }: Pick<Tool, 'name' | 'hints'>,
  output: unknown,
  isUntrusted = false,
): string {
  const isRaw = hints?.rawResult === true;
  const whole = headAndTail(asText(output, isRaw), outputLimit(agent));
  const text = isUntrusted ? markForgedLines(whole) : whole;
  if (isRaw) return `Command ${name} executed:${text}`; // without a space, as in MetaGPT
  return text === '' ? `Command ${name} executed` : `Command ${name} executed: ${text}`;
}

/** Describes a failure of a tool for the model. */
export function describeFailure(error: unknown): string {
  if (error instanceof RoleZeroError || !(error instanceof Error)) return describe(error);
  return error.message === '' ? error.name : `${error.name}: ${error.message}`;
}

/** Only a tool without a result has no text: 0, `false`, an empty text or an empty list can be the answer. */
function asText(output: unknown, isRaw: boolean): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string' && (output !== '' || isRaw)) return output;
  return stringify(output) ?? '';
}

/** Returns undefined for values without a JSON form, such as functions. */
const stringify = JSON.stringify as (value: unknown) => string | undefined;

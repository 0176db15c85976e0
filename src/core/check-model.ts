import { describeValue, isPromise } from './describe-value.js';
import { RoleZeroError } from './error.js';

/**
 * Checks that a value is a model, for untyped callers.
 *
 * @param name What the caller calls it, such as `model`.
 * @throws RoleZeroError `invalid` with the value and the fix.
 */
export function checkModel(model: unknown, name: string): void {
  if (typeof (model as { chat?: unknown } | null | undefined)?.chat === 'function') return;
  throw new RoleZeroError(
    'invalid',
    `\`${name}\` must be a model, an object with a chat() method, but is ${describeValue(model)}. ${fixOfModel(model, name)}`,
    { name },
  );
}

function fixOfModel(model: unknown, name: string): string {
  if (typeof model === 'string') return `Write ${name}: openai({ baseURL, model: ${describeValue(model)} }).`;
  if (typeof model === 'function') return `Call it: ${name}: ${model.name || 'openai'}({ … }).`;
  if (isPromise(model)) return `Await it: ${name}: await ….`;
  if (isAiSdkModel(model)) return `It is a model of the AI SDK: write ${name}: fromAiSdk(model).`;
  return 'Make one with openai() or another provider.';
}

function isAiSdkModel(model: unknown): boolean {
  return typeof (model as { doStream?: unknown } | null | undefined)?.doStream === 'function';
}

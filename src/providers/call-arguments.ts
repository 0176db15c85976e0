import { isRecord } from '../core/json.js';

/** Returns the arguments of a call that a model wrote before. Those of a call that was cut off are no JSON, which servers reject: it is in a text. */
export function callArguments(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return isRecord(value) ? value : { arguments: value };
  } catch {
    return { incomplete: args };
  }
}

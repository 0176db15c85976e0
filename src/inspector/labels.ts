import type { StepTrace } from '../core/events.js';
import { isRecord } from '../core/json.js';
import type { MessageData } from '../core/message.js';

/** The result of one command, as the conversation stores it. */
export interface StoredResult {
  output: string;
  /** Untrusted sources of the output. */
  from: readonly string[];
}

/** Returns the results of the commands of a step, in order; none when its message is no longer in the window. */
export function resultsOf(
  { observationId }: StepTrace,
  messages: ReadonlyMap<string, MessageData>,
): StoredResult[] {
  const results = messages.get(observationId)?.metadata['results'];
  if (!Array.isArray(results)) return [];
  return results.map((result) => {
    const { output, from } = isRecord(result) ? result : {};
    return { output: typeof output === 'string' ? output : '', from: texts(from) };
  });
}

/** Returns the untrusted sources that the messages are labelled with, each once. */
export function untrustedSources(messages: ReadonlyMap<string, MessageData>): string[] {
  return [...new Set([...messages.values()].flatMap(({ metadata }) => texts(metadata['untrusted'])))];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

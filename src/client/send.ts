import type { SendOptions } from '../core/message.js';
import type { OutputOf, OutputSchema } from '../core/output.js';
import type { Run } from './run.js';

/** Options of a request that wants a typed answer. */
export interface TypedSendOptions<Schema extends OutputSchema> extends SendOptions {
  /** Schema of the answer: of zod 4, Valibot (wrapped by `toStandardJsonSchema`) or ArkType, or a JSON Schema. */
  output: Schema;
}

/** See `Session.send`. */
export interface Send {
  <Schema extends OutputSchema>(text: string, options: TypedSendOptions<Schema>): Run<OutputOf<Schema>>;
  (text: string, options?: SendOptions): Run;
}

export type SendArguments = [text: string, options?: SendOptions | TypedSendOptions<OutputSchema>];

/** Returns whether a request wants a typed answer. */
export function isTyped(
  args: SendArguments,
): args is [text: string, options: TypedSendOptions<OutputSchema>] {
  const [, options] = args as [string, { output?: unknown }?];
  return options?.output !== undefined;
}

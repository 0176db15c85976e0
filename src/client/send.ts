import type { AttachedFiles } from '../core/attached-files.js';
import type { DocumentReader } from '../core/document-reader.js';
import type { RoleZeroError } from '../core/error.js';
import type { SessionFiles } from '../core/files.js';
import type { SendOptions } from '../core/message.js';
import type { OutputOf, OutputSchema, RequestOptions, WantedOutput } from '../core/output.js';
import { isRecord } from '../core/json.js';
import { newId } from '../core/new-id.js';
import type { Run } from './run.js';

/**
 * Options of a request that wants a typed answer. The model gets the schema as JSON Schema; an answer that does not fit goes back to it
 * twice. Then the run ends as `failed` with `output-invalid`. Such a request starts a run of its own: while one is in progress, its result
 * rejects with `invalid`.
 */
export interface TypedSendOptions<Schema extends OutputSchema> extends SendOptions {
  /** Schema of the answer: of zod 4, Valibot (wrapped by `toStandardJsonSchema`) or ArkType, or a JSON Schema. */
  output: Schema;
}

/** See `Session.send`. */
export interface Send {
  <Schema extends OutputSchema>(text: string, options: TypedSendOptions<Schema>): Run<OutputOf<Schema>>;
  (text: string, options?: SendOptions): Run;
}

type TypedArguments = [text: string, options: TypedSendOptions<OutputSchema>];
export type SendArguments = [text: string, options?: SendOptions | undefined] | TypedArguments;

/** Returns whether a request wants a typed answer. */
export function isTyped(args: SendArguments): args is TypedArguments {
  const [, options] = args as [string, { output?: unknown }?];
  return options?.output !== undefined;
}

/** The arguments of `send` with the typed answer as the worker receives it. */
export type RequestArguments = [
  text: string,
  options?: (SendOptions & { output?: WantedOutput }) | undefined,
];

/** What a request with files needs of its session. */
interface AttachmentContext {
  files: SessionFiles;
  readers: readonly DocumentReader[] | undefined;
  warn: (error: RoleZeroError) => void;
}

/**
 * Returns a function that sends a request with `call`, with its options as the worker receives them: files are prepared before, and an id
 * lets the worker recognize it when the call is repeated after an interruption. Requests arrive in the order in which they were made: one
 * whose files are still read keeps later ones waiting.
 */
export function requestSender(
  call: (...args: unknown[]) => Promise<string | null>,
  context: AttachmentContext,
): (...args: RequestArguments) => Promise<string | null> {
  let preparing: Promise<unknown> | null = null;
  return async (...args) => {
    const [text, given = {}, ...rest] = args as [...RequestArguments, ...unknown[]];
    if (!isRecord(given)) return call(text, given, ...rest); // The worker names what is wrong.
    const {
      files = [],
      trusted = false,
      id = newId(),
      ...others
    } = given as NonNullable<RequestArguments[1]>;
    const options: RequestOptions = { ...others, id };
    if (files.length === 0 && preparing === null) return call(text, options, ...rest);
    const ready = Promise.all([files.length === 0 ? null : attach(files, trusted, context), preparing]);
    const settled = Promise.allSettled([ready, preparing]).then(() => {
      if (preparing === settled) preparing = null;
    });
    preparing = settled;
    const [attached] = await ready;
    return call(text, attached === null ? options : { ...options, attached }, ...rest);
  };
}

async function attach(
  files: NonNullable<SendOptions['files']>,
  trusted: boolean,
  { files: target, readers = [], warn }: AttachmentContext,
): Promise<AttachedFiles> {
  const { attachFiles } = await import('./attachments.js'); // most requests have no files
  return attachFiles(files, { files: target, readers, warn, trusted });
}

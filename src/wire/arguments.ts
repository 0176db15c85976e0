import * as z from 'zod/mini';
import { MAX_SOURCE } from '../core/sources.js';

/** Maximum length of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME = 10_000;
/** Maximum length of a text. Files, requests, and answers have limits of their own, with better advice. */
const MAX_TEXT = 1_000_000;

export const name = once(() => z.string().check(z.maxLength(MAX_NAME)));
export const names = once(() => z.array(name()).check(z.maxLength(1_000)));
export const text = once(() => z.string().check(z.maxLength(MAX_TEXT)));
export const count = once(() => z.int().check(z.nonnegative()));
export const flag = once(() => z.boolean());
const optionalName = once(() => z.optional(name()));
const content = once(() =>
  z.union([z.string(), z.instanceof(Uint8Array)], 'Invalid input: expected a string or a Uint8Array'),
);
const fileInputs = once(() =>
  z.array(z.object({ path: name(), content: z.optional(content()), untrusted: z.optional(z.array(name())) })),
);
const limit = once(() => z.optional(z.union([count(), z.literal(Infinity)])));
const last = once(() => z.optional(count()));

/**
 * Schemas of the arguments that session methods take, by the names that the table in `session-api.ts` uses. Only the worker imports this
 * file: zod would be larger than the rest of the page side.
 */
export const ARGUMENTS = {
  path: name,
  id: name,
  text,
  content,
  'path?': optionalName,
  'role?': optionalName,
  'count?': last,
  /** The session limits its length, with better advice. */
  longText: once(() => z.string()),
  /** The method that reads the document checks it. */
  document: once(() => z.unknown()),
  ids: once(() => z.union([name(), z.array(name()).check(z.minLength(1), z.maxLength(1_000_000))])),
  roleOption: once(() => z.optional(z.strictObject({ role: optionalName() }))),
  sendOptions: once(() =>
    z.optional(
      z.strictObject({
        to: optionalName(),
        output: z.optional(z.object({ id: name(), schema: z.record(z.string(), z.unknown()) })),
        untrusted: z.optional(name().check(z.minLength(1), z.maxLength(MAX_SOURCE))),
        id: optionalName(),
        attached: z.optional(
          z.strictObject({ note: text(), images: names(), untrusted: names(), files: fileInputs() }),
        ),
      }),
    ),
  ),
  messageQuery: once(() =>
    z.optional(
      z.union([name(), z.strictObject({ role: optionalName(), last: last(), before: optionalName() })]),
    ),
  ),
  stepQuery: once(() =>
    z.optional(z.union([name(), z.strictObject({ role: optionalName(), last: last() })])),
  ),
  memoryQuery: once(() => z.optional(z.strictObject({ role: optionalName(), limit: limit() }))),
  memoryListQuery: once(() =>
    z.optional(z.strictObject({ role: optionalName(), limit: limit(), before: optionalName() })),
  ),
  memoryExportQuery: once(() => z.optional(z.strictObject({ role: optionalName(), oldest: last() }))),
  memoryChange: once(() =>
    z.strictObject({
      content: z.optional(text()),
      pinned: z.optional(flag()),
      trusted: z.optional(z.literal(true)),
    }),
  ),
  fileInputs,
  writeAllOptions: once(() =>
    z.optional(
      z.strictObject({
        existing: z.optional(z.enum(['fail', 'replace', 'keep'])),
        name: optionalName(),
        untrusted: optionalName(),
        trusted: z.optional(flag()),
      }),
    ),
  ),
  writeOptions: once(() => z.optional(z.strictObject({ trusted: z.optional(flag()) }))),
  memoryImportOptions: once(() =>
    z.optional(z.strictObject({ role: optionalName(), trusted: z.optional(flag()) })),
  ),
  undoOptions: once(() => z.optional(z.strictObject({ partly: z.optional(flag()) }))),
};

export type ArgumentName = keyof typeof ARGUMENTS;

/** The type that the schema of this name accepts. */
export type ArgumentType<Name extends ArgumentName> = z.output<ReturnType<(typeof ARGUMENTS)[Name]>>;

/** Creates a schema on first use: creating all of them would delay `connect` noticeably. */
export function once<Schema extends z.ZodMiniType>(create: () => Schema): () => Schema {
  let schema: Schema | null = null;
  return () => (schema ??= create());
}

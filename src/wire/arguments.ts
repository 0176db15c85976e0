import { NOTE_KINDS } from '../core/notes.js';
import { REASONING } from '../core/model.js';
import * as s from '../core/schema.js';
import { MAX_SOURCE } from '../core/sources.js';
import type { Temperature } from '../core/request-settings.js';

/** Maximum length of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME_ARGUMENT = 10_000;
/** Maximum length of a text. Files, requests, and answers have limits of their own, with better advice. */
const MAX_TEXT_ARGUMENT = 1_000_000;

export const nameSchema = s.string({ maxLength: MAX_NAME_ARGUMENT });
export const nameListSchema = s.list(nameSchema, { maxItems: 1_000 });
export const textSchema = s.string({ maxLength: MAX_TEXT_ARGUMENT });
export const countSchema = s.integer({ minimum: 0 });
export const flagSchema = s.boolean();
const optionalName = s.optional(nameSchema);
const contentSchema = s.custom<string | Uint8Array>((value) =>
  typeof value === 'string' || value instanceof Uint8Array ? null : 'must be a string or a Uint8Array',
);
const fileInputs = s.list(
  s.object({
    path: nameSchema,
    content: s.optional(contentSchema),
    untrusted: s.optional(s.list(nameSchema)),
  }),
);
const conflictChoice = s.oneOf(['now', 'restored', 'both']);
const filesAt = s.either(
  s.oneOf(['now']),
  s.strictObject({ before: nameSchema }),
  s.strictObject({ after: nameSchema }),
  s.strictObject({ branch: nameSchema }),
);
const noteKind = s.oneOf(NOTE_KINDS);
const optionalCount = s.optional(countSchema);

/**
 * Schemas of the arguments that session methods take, by the names that the table in `session-api.ts` uses. Only the worker
 * imports this file: the page has no checks.
 */
export const ARGUMENTS = {
  path: nameSchema,
  id: nameSchema,
  text: textSchema,
  content: contentSchema,
  'path?': optionalName,
  'id?': optionalName,
  'role?': optionalName,
  'count?': optionalCount,
  /** The session limits its length, with better advice. */
  longText: s.string(),
  /** The method that reads the document checks it. */
  document: s.anything(),
  ids: s.either(nameSchema, s.list(nameSchema, { minItems: 1, maxItems: 1_000_000 })),
  roleOption: s.optional(s.strictObject({ role: optionalName })),
  sendOptions: s.optional(
    s.strictObject({
      to: optionalName,
      output: s.optional(s.object({ id: nameSchema, schema: s.record(s.anything()) })),
      untrusted: s.optional(s.string({ minLength: 1, maxLength: MAX_SOURCE })),
      instruction: s.optional(textSchema),
      tools: s.optional(nameListSchema),
      maxSteps: s.optional(s.integer({ minimum: 1 })),
      reasoning: s.optional(s.oneOf(REASONING)),
      /** The session checks it. */
      temperature: s.optional(s.custom<Temperature>(() => null)),
      id: optionalName,
      attached: s.optional(
        s.strictObject({
          note: textSchema,
          images: nameListSchema,
          untrusted: nameListSchema,
          files: fileInputs,
        }),
      ),
    }),
  ),
  messageQuery: s.optional(
    s.either(nameSchema, s.strictObject({ role: optionalName, last: optionalCount, before: optionalName })),
  ),
  stepQuery: s.optional(s.either(nameSchema, s.strictObject({ role: optionalName, last: optionalCount }))),
  memoryQuery: s.optional(
    s.strictObject({ role: optionalName, limit: optionalCount, byMeaning: s.optional(s.boolean()) }),
  ),
  memoryListQuery: s.optional(
    s.strictObject({ role: optionalName, limit: optionalCount, before: optionalName }),
  ),
  memoryExportQuery: s.optional(s.strictObject({ role: optionalName, oldest: optionalCount })),
  memoryChange: s.strictObject({
    content: s.optional(textSchema),
    pinned: s.optional(flagSchema),
    trusted: s.optional(s.literal(true)),
  }),
  newNote: s.strictObject({ kind: noteKind, text: textSchema }),
  noteChange: s.strictObject({
    kind: s.optional(noteKind),
    text: s.optional(textSchema),
    trusted: s.optional(s.literal(true)),
  }),
  fileInputs,
  writeAllOptions: s.optional(
    s.strictObject({
      existing: s.optional(s.oneOf(['fail', 'replace', 'keep'])),
      name: optionalName,
      untrusted: optionalName,
      trusted: s.optional(flagSchema),
    }),
  ),
  writeOptions: s.optional(s.strictObject({ trusted: s.optional(flagSchema) })),
  memoryImportOptions: s.optional(s.strictObject({ role: optionalName, trusted: s.optional(flagSchema) })),
  rewindOptions: s.optional(s.strictObject({ partly: s.optional(flagSchema) })),
  regenerateOptions: s.optional(s.strictObject({ partly: s.optional(flagSchema), fromStep: optionalCount })),
  undoOptions: s.optional(
    s.strictObject({
      path: optionalName,
      resolve: s.optional(s.either(conflictChoice, s.record(conflictChoice))),
    }),
  ),
  filesAt,
  'filesAt?': s.optional(filesAt),
};

export type ArgumentName = keyof typeof ARGUMENTS;

/** The type that the schema of this name accepts. */
export type ArgumentType<Name extends ArgumentName> = s.TypeOf<(typeof ARGUMENTS)[Name]>;

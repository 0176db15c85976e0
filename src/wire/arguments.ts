import { NOTE_KINDS } from '../core/notes.js';
import { REASONING } from '../core/model.js';
import * as s from '../core/schema.js';
import { MAX_SOURCE } from '../core/sources.js';
import type { Temperature } from '../core/request-settings.js';

/** Maximum length of a name: of a role, a session, a tool, a file, a question. */
const MAX_NAME = 10_000;
/** Maximum length of a text. Files, requests, and answers have limits of their own, with better advice. */
const MAX_TEXT = 1_000_000;

export const name = s.string({ maxLength: MAX_NAME });
export const names = s.list(name, { maxItems: 1_000 });
export const text = s.string({ maxLength: MAX_TEXT });
export const count = s.integer({ minimum: 0 });
export const flag = s.boolean();
const optionalName = s.optional(name);
const content = s.custom<string | Uint8Array>((value) =>
  typeof value === 'string' || value instanceof Uint8Array ? null : 'must be a string or a Uint8Array',
);
const fileInputs = s.list(
  s.object({ path: name, content: s.optional(content), untrusted: s.optional(s.list(name)) }),
);
const conflictChoice = s.oneOf(['now', 'restored', 'both']);
const filesAt = s.either(
  s.oneOf(['now']),
  s.strictObject({ before: name }),
  s.strictObject({ after: name }),
  s.strictObject({ branch: name }),
);
const noteKind = s.oneOf(NOTE_KINDS);
const optionalCount = s.optional(count);

/**
 * Schemas of the arguments that session methods take, by the names that the table in `session-api.ts` uses. Only the worker
 * imports this file: the page has no checks.
 */
export const ARGUMENTS = {
  path: name,
  id: name,
  text,
  content,
  'path?': optionalName,
  'id?': optionalName,
  'role?': optionalName,
  'count?': optionalCount,
  /** The session limits its length, with better advice. */
  longText: s.string(),
  /** The method that reads the document checks it. */
  document: s.anything(),
  ids: s.either(name, s.list(name, { minItems: 1, maxItems: 1_000_000 })),
  roleOption: s.optional(s.strictObject({ role: optionalName })),
  sendOptions: s.optional(
    s.strictObject({
      to: optionalName,
      output: s.optional(s.object({ id: name, schema: s.record(s.anything()) })),
      untrusted: s.optional(s.string({ minLength: 1, maxLength: MAX_SOURCE })),
      instruction: s.optional(text),
      tools: s.optional(names),
      maxSteps: s.optional(s.integer({ minimum: 1 })),
      reasoning: s.optional(s.oneOf(REASONING)),
      /** The session checks it. */
      temperature: s.optional(s.custom<Temperature>(() => null)),
      id: optionalName,
      attached: s.optional(
        s.strictObject({ note: text, images: names, untrusted: names, files: fileInputs }),
      ),
    }),
  ),
  messageQuery: s.optional(
    s.either(name, s.strictObject({ role: optionalName, last: optionalCount, before: optionalName })),
  ),
  stepQuery: s.optional(s.either(name, s.strictObject({ role: optionalName, last: optionalCount }))),
  memoryQuery: s.optional(
    s.strictObject({ role: optionalName, limit: optionalCount, byMeaning: s.optional(s.boolean()) }),
  ),
  memoryListQuery: s.optional(
    s.strictObject({ role: optionalName, limit: optionalCount, before: optionalName }),
  ),
  memoryExportQuery: s.optional(s.strictObject({ role: optionalName, oldest: optionalCount })),
  memoryChange: s.strictObject({
    content: s.optional(text),
    pinned: s.optional(flag),
    trusted: s.optional(s.literal(true)),
  }),
  newNote: s.strictObject({ kind: noteKind, text }),
  noteChange: s.strictObject({
    kind: s.optional(noteKind),
    text: s.optional(text),
    trusted: s.optional(s.literal(true)),
  }),
  fileInputs,
  writeAllOptions: s.optional(
    s.strictObject({
      existing: s.optional(s.oneOf(['fail', 'replace', 'keep'])),
      name: optionalName,
      untrusted: optionalName,
      trusted: s.optional(flag),
    }),
  ),
  writeOptions: s.optional(s.strictObject({ trusted: s.optional(flag) })),
  memoryImportOptions: s.optional(s.strictObject({ role: optionalName, trusted: s.optional(flag) })),
  rewindOptions: s.optional(s.strictObject({ partly: s.optional(flag) })),
  regenerateOptions: s.optional(s.strictObject({ partly: s.optional(flag), fromStep: optionalCount })),
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

import { RoleZeroError } from './error.js';
import { isRecord } from './json.js';
import { NOTE_KINDS } from './notes.js';
import { ROLE_STATE_VERSION, roleStateProblem, roleStateVersion } from './role-state-shape.js';
import {
  count,
  deliveryRow,
  dictionary,
  fields,
  list,
  messageRow,
  nullable,
  oneOf,
  optional,
  problemIn,
  record,
  text,
  texts,
  turnRow,
  type Shape,
} from './shape.js';
import { GROWING, WHOLE_TABLES, type Table, type Write } from './store.js';

const contentShape: Shape = (value) => (value instanceof Uint8Array ? null : text(value));
const slice: Shape = (value) =>
  Array.isArray(value) && value.length === 3
    ? (text(value[0]) ?? count(value[1]) ?? count(value[2]))
    : 'is not a part of a content';
const version = fields({ slices: optional(list(slice)) });
const fileRow = fields({ type: oneOf('file', 'directory'), content: contentShape, modifiedAt: count });
/** A file whose content has a row of its own, or consists of parts of several rows. */
const storedFileRow = fields({
  type: oneOf('file'),
  stored: (value) =>
    fields({
      ...(isRecord(value) && 'slices' in value ? { slices: list(slice), weight: count } : { key: text }),
      size: count,
      hash: text,
    })(value),
  modifiedAt: count,
});

/** Tables whose rows a checkpoint and a branch hold. */
const HELD: readonly Table[] = [...WHOLE_TABLES, ...GROWING, 'deliveries', 'checkpoints'];

const heldRow = (value: unknown): string | null => {
  const problem = fields({ table: oneOf(...HELD), key: text })(value);
  if (problem !== null) return problem;
  const row = value as Write;
  if (row.value === undefined) return null;
  return row.table === 'roles' ? roleProblem(row.value) : shapeProblem(row.table, row.key, row.value);
};

const checkpoint = fields({
  base: text,
  message: messageRow,
  at: count,
  files: count,
  rows: list(heldRow),
  next: dictionary(count),
});

const branchShape = fields({
  id: text,
  base: text,
  messageId: text,
  text,
  sentAt: count,
  leftAt: count,
  bases: texts,
  end: nullable(text),
  files: count,
  effects: texts,
});

const noteVersion = { text, createdAt: count, by: oneOf('agent', 'user') };

/** What a session requires of its records, by table. What does not fit in other tables is skipped. */
const SHAPES: Readonly<Partial<Record<Table, Shape>>> = {
  messages: messageRow,
  inbox: messageRow,
  turns: turnRow,
  questions: fields({ question: fields({ text }) }),
  deliveries: deliveryRow,
  files: (value) => (isRecord(value) && 'stored' in value ? storedFileRow : fileRow)(value),
  contents: contentShape,
  steps: fields({ role: text, step: count, commands: list(record) }),
  tools: record,
  memories: fields({
    id: text,
    role: text,
    project: text,
    createdAt: count,
    number: optional(count), // absent where sessions share it
    message: fields({ id: text, content: text }),
  }),
  notes: fields({
    ...noteVersion,
    id: text,
    kind: oneOf(...NOTE_KINDS),
    role: text,
    number: count,
    earlier: optional(list(fields(noteVersion))),
  }),
  history: fields({
    number: count,
    changes: list(fields({ path: text, before: nullable(version), after: optional(nullable(version)) })),
  }),
};

/**
 * Checks one record of a session: before an exported session is imported, and when a record is read.
 * @throws RoleZeroError `invalid` naming what is wrong and where; `storage-version` when a newer release wrote the state of a role.
 */
export function checkSessionRecord({ table, key, value }: Write): void {
  const problem = table === 'roles' ? roleProblem(value) : shapeProblem(table, key, value);
  if (problem === null) return;
  throw new RoleZeroError(
    'invalid',
    `Cannot import this session, because it could not be opened: in the record ${JSON.stringify(key)} of ${table}, ${problem}. Nothing was imported; export the session again.`,
    { table, key },
  );
}

/** A state of an earlier version is upgraded, and checked, when the session is opened. */
function roleProblem(value: unknown): string | null {
  const version = roleStateVersion(value);
  if (version === null) return 'it has no version';
  return version === ROLE_STATE_VERSION ? roleStateProblem(value) : null;
}

function shapeProblem(table: Table, key: string, value: unknown): string | null {
  if (table === 'checkpoints' && key.startsWith('at/')) return problemIn(checkpoint, value);
  if (table === 'branches') return problemIn(key.startsWith('info/') ? branchShape : heldRow, value);
  if (table === 'files' && !/^\/./.test(key)) return 'it is not stored under a path of the workspace';
  const shape = SHAPES[table];
  return shape === undefined ? null : problemIn(shape, value);
}

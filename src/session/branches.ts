import type { Branch, RewindOptions, RewindResult, SessionBranches } from '../core/branches.js';
import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import { isRecord } from '../core/json.js';
import { chunkOf } from '../core/long-term.js';
import { newId } from '../core/new-id.js';
import {
  DERIVED_TABLES,
  GROWING,
  WHOLE_TABLES,
  type SessionStore,
  type Table,
  type Write,
} from '../core/store.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import { restoreFiles, type RestoreOptions } from '../files/restore.js';
import type { Environment } from '../team/environment.js';
import { infoKey, loadInfos, branchRange, type Left } from './branch-rows.js';
import { BASE, CHECKPOINTS, loadBase, loadCheckpoints, type Checkpoint } from './checkpoints.js';
import { loadRows } from './load-session.js';
import { emitEffects } from './session-files.js';
import type { SessionState } from './session-state.js';

/*
 * Going back replaces the rows that have changed since a checkpoint by those before. What they replace becomes a branch, whose rows are
 * applied again to return to it. The files are restored from their history, which is never rewound.
 */

/** A row of a branch: what it has in place of the row of its base. */
type LeftRow = Write;

/** Rows to store, by table and key. */
type Rows = Map<string, Write>;

/** Creates the branches of a session. */
export function sessionBranches(
  state: SessionState,
  /** Called after a change: the result of the last run may be another one now. */
  onChange: () => void,
): SessionBranches & {
  rewind: (id: string, options?: RewindOptions, isAgain?: boolean) => Promise<Rewound>;
} {
  const whileIdle = async <Value>(change: () => Promise<Value>): Promise<Value> => {
    await state.loaded();
    return state.inTurn(async () => {
      await state.readyInTurn();
      if (state.running !== null) throw isRunning();
      const value = await change();
      onChange();
      return value;
    });
  };
  return {
    list: () => listBranches(state.store),
    open: (id, options) => whileIdle(() => openBranch(state, id, options)),
    remove: (id) =>
      whileIdle(async () => {
        const rows = await state.store.load('branches', branchRange(id));
        const keys = [infoKey(id), ...rows.map(({ key }) => key)];
        await state.commitApart(keys.map((key) => removal('branches', key)));
      }),
    rewind: (id, options, isAgain) => whileIdle(() => rewind(state, id, options, isAgain)),
  };
}

/** The result, and the request that was taken back. */
interface Rewound extends RewindResult {
  request: Checkpoint;
}

/**
 * Goes back to the state before a request. With `isAgain`, the files of the request stay.
 *
 * @throws RoleZeroError `not-found`, `conflict`.
 */
async function rewind(
  state: SessionState,
  messageId: string,
  options: RewindOptions = {},
  isAgain = false,
): Promise<Rewound> {
  const all = await loadCheckpoints(state.store);
  const found = all.findLast(({ checkpoint }) => checkpoint.message.id === messageId);
  if (found === undefined) throw notARequest(messageId);
  const { number, checkpoint } = found;
  const { rows, left } = await rowsBefore(state.store, number, checkpoint);
  const branch = leaveBranch(state, rows, left, all.slice(all.indexOf(found)), await loadBase(state.store));
  put(rows, { table: 'checkpoints', key: BASE, value: checkpoint.base });
  const files = checkpoint.files + (isAgain && checkpoint.isAttached ? 1 : 0);
  const result = await applyBranch(state, rows, files, options, branch);
  return { ...result, request: checkpoint };
}

async function openBranch(
  state: SessionState,
  id: string,
  options: RewindOptions = {},
): Promise<RewindResult> {
  const { store } = state;
  const infos = await loadInfos(store);
  const info = infos.find((each) => each.id === id);
  if (info === undefined) throw notFound(`There is no branch ${JSON.stringify(id)}`, { branch: id });
  const all = await loadCheckpoints(store);
  const here = await loadBase(store);
  const found = all.find(({ checkpoint }) => checkpoint.base === info.base);
  if (here !== info.base && found === undefined) {
    const parent = infos.find((each) => each.id !== id && each.bases.includes(info.base));
    if (parent === undefined)
      throw notFound('The part of the conversation in which this branch begins is no longer stored', {
        branch: id,
      });
    await openBranch(state, parent.id, options);
    return openBranch(state, id, options);
  }
  let rows: Rows = new Map();
  let branch: Left | null = null;
  if (found !== undefined) {
    const before = await rowsBefore(store, found.number, found.checkpoint);
    rows = before.rows;
    branch = leaveBranch(state, rows, before.left, all.slice(all.indexOf(found)), here);
  }
  const stored = await store.load('branches', branchRange(id));
  for (const { value } of stored) {
    const row = value as LeftRow;
    rows.set(`${row.table}/${row.key}`, row);
  }
  put(rows, { table: 'checkpoints', key: BASE, value: info.end ?? undefined });
  for (const key of [infoKey(id), ...stored.map((row) => row.key)])
    rows.set(`branches/${key}`, removal('branches', key));
  // Without a request since, what the user has changed is in no branch.
  const keepsSince = found === undefined ? state.workspace.history.lastRestored : undefined;
  return applyBranch(state, rows, info.files, { ...options, ...defined({ keepsSince }) }, branch);
}

/** Stores the rows and restores the files as they were after the change with this number, in one transaction; then applies both. */
async function applyBranch(
  state: SessionState,
  rows: Rows,
  files: number,
  options: RestoreOptions,
  branch: Left | null,
): Promise<RewindResult> {
  const { environment, store, workspace } = state;
  keepCosts(environment, rows);
  await dropIndexes(store, rows);
  const stage = workspace.stage();
  const { writes, conflicts } = await restoreFiles(stage, workspace.history, files, options);
  const effects = stage.effects();
  try {
    await state.commitApart([...rows.values(), ...writes]);
    stage.apply();
    await state.loadWork();
  } catch (error) {
    state.isStale = true; // the history already has the change
    await state.showStored(null);
    throw error;
  }
  emitEffects(state, effects);
  const left = { branch: branch?.id ?? null, effects: branch?.effects ?? [] };
  state.emit({ type: 'conversation-changed', ...left });
  return { ...left, files: effects.map(({ path }) => path), conflicts };
}

/** Returns the rows of a session before a request, as far as they have changed since, and what they replace. */
async function rowsBefore(
  store: SessionStore,
  number: number,
  { rows: whole, next }: Checkpoint,
): Promise<{ rows: Rows; left: Write[] }> {
  const now: Rows = new Map();
  const tables: Table[] = [...WHOLE_TABLES, 'messages', 'turns', 'steps', 'deliveries', 'checkpoints'];
  for (const [index, loaded] of (await loadRows(store, tables)).entries())
    for (const row of loaded) put(now, { table: tables[index] ?? 'roles', ...row });
  for (const [name, from] of Object.entries(next)) {
    const role = name.startsWith('memories/') ? name.slice('memories/'.length) : null;
    const range = role === null ? null : { from: rowKey(role, from), before: `${role}0` };
    for (const row of range === null ? [] : await store.load('memories', range))
      put(now, { table: 'memories', ...row });
  }
  const rows: Rows = new Map();
  const growing: ReadonlySet<Table> = new Set(GROWING);
  for (const { table, key } of now.values()) {
    const { owner, number: at } = readRowKey(key);
    const isLater =
      (WHOLE_TABLES as readonly Table[]).includes(table) ||
      (growing.has(table) && at >= (next[`${table}/${owner}`] ?? 0)) ||
      (table === 'deliveries' && at >= (next[table] ?? 0)) ||
      (table === 'checkpoints' && owner === CHECKPOINTS && at >= number);
    if (isLater) put(rows, removal(table, key));
  }
  for (const row of whole) put(rows, row);
  restoreReplaced(now, rows, next);
  const left: Write[] = [];
  for (const [id, { table, key, value }] of rows) {
    const before = now.get(id);
    if (JSON.stringify(before?.value) === JSON.stringify(value)) rows.delete(id);
    else left.push({ table, key, value: before?.value });
  }
  return { rows, left };
}

/** Adds the rows that were removed or replaced after a checkpoint. */
function restoreReplaced(now: Rows, rows: Rows, next: Checkpoint['next']): void {
  for (const { key, value } of [...now.values()].filter(({ table }) => table === 'checkpoints')) {
    const { owner: place, number } = readRowKey(key);
    const table = place.slice(0, place.indexOf('/'));
    if (table !== 'messages' && table !== 'turns') continue;
    const { owner, number: replacedAt } = readRowKey(place);
    const role = owner.slice(table.length + 1);
    const mark = next[owner] ?? 0;
    if (replacedAt < mark) continue;
    put(rows, removal('checkpoints', key));
    const id = `${table}/${rowKey(role, number)}`;
    if (number < mark && !rows.has(id)) put(rows, { table, key: rowKey(role, number), value }); // the first one counts
  }
}

/** Adds what is left as a branch to the rows. */
function leaveBranch(
  state: SessionState,
  rows: Rows,
  left: readonly Write[],
  requests: readonly { checkpoint: Checkpoint }[],
  end: string | null,
): Left {
  const id = newId();
  const [first, ...others] = requests.map(({ checkpoint }) => checkpoint);
  if (first === undefined) throw new RoleZeroError('internal', 'A branch begins with a request.', {});
  const { base, message, at } = first;
  const info: Left = {
    id,
    base,
    messageId: message.id,
    text: message.content,
    sentAt: at,
    leftAt: state.runtime.now(),
    bases: [...others.map((each) => each.base), ...(end === null ? [] : [end])],
    end,
    files: state.workspace.history.last,
    effects: effectsIn(left),
  };
  put(rows, { table: 'branches', key: infoKey(id), value: info });
  for (const [index, row] of left.entries())
    put(rows, { table: 'branches', key: rowKey(`rows/${id}`, index), value: row });
  return info;
}

/** Returns the commands in the removed steps whose effect left the session. */
function effectsIn(left: readonly Write[]): string[] {
  return left.flatMap(({ table, value }) =>
    table === 'steps' && isRecord(value)
      ? (value as unknown as StepTrace).commands.flatMap(({ name, isOutside }) => (isOutside ? [name] : []))
      : [],
  );
}

/** What was spent stays spent. */
function keepCosts({ roles }: Environment, rows: Rows): void {
  for (const { name, agent } of roles) {
    const row = rows.get(`roles/${name}`);
    if (row === undefined) continue;
    const { version, usage, modelMs } = agent.state;
    const value = isRecord(row.value) ? row.value : { version };
    put(rows, { ...row, value: { ...value, usage, modelMs } });
  }
}

/** Adds the removal of the indexes of memories that change: they are built again. */
async function dropIndexes(store: SessionStore, rows: Rows): Promise<void> {
  const first = new Map<string, number>();
  for (const { table, key } of rows.values()) {
    if (table !== 'memories') continue;
    const { owner, number } = readRowKey(key);
    first.set(owner, Math.min(first.get(owner) ?? Infinity, number));
  }
  for (const [role, number] of first)
    for (const table of DERIVED_TABLES)
      for (const { key } of await store.load(table, {
        from: rowKey(role, chunkOf(number)),
        before: `${role}0`,
      }))
        put(rows, removal(table, key));
}

async function listBranches(store: SessionStore): Promise<Branch[]> {
  const infos = await loadInfos(store);
  if (infos.length === 0) return [];
  const [all, base] = await Promise.all([loadCheckpoints(store), loadBase(store)]);
  return infos
    .map(({ id, messageId, text, sentAt, leftAt, base: own }): Branch => {
      const now = all.find(({ checkpoint }) => checkpoint.base === own)?.checkpoint;
      const instead = now?.message.id ?? null;
      const parent =
        instead === null && base !== own
          ? (infos.find((each) => each.id !== id && each.bases.includes(own))?.id ?? null)
          : null;
      return { id, messageId, text, sentAt, leftAt, instead, insteadAt: now?.at ?? null, parent };
    })
    .sort((one, other) => one.sentAt - other.sentAt);
}

function removal(table: Table, key: string): Write {
  return { table, key, value: undefined };
}

function put(rows: Rows, { table, key, value }: Write): void {
  rows.set(`${table}/${key}`, { table, key, value });
}

function notARequest(messageId: string): RoleZeroError {
  return notFound(
    `The message ${JSON.stringify(messageId)} is no request to go back to: it was not sent by the user, joined a run in progress, or is too old`,
    { message: messageId },
  );
}

function isRunning(): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    'A run is in progress. Stop it, and wait for its end, before you change the conversation.',
    {},
  );
}

function notFound(what: string, detail: Record<string, string>): RoleZeroError {
  return new RoleZeroError('not-found', `${what}. See session.branches and session.messages().`, detail);
}

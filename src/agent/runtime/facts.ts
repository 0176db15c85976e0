/** What has happened since the request: the files by their history, the rest as the commands were recorded. */
import type { RunFacts } from '../../core/events.js';
import { END, doesWork } from '../../core/role-command-names.js';
import type { AgentRuntime } from './agent-runtime.js';
import type { RoleContext } from './context.js';
import type { RoleState } from './state.js';

/** Maximum number of entries of each list. */
const MAX_FILES = 100;
const MAX_NAMES = 20;

/** A command that has ended. */
interface EndedCommand {
  name: string;
  ok: boolean;
  /** It edits files, and no rule and no user refused it. */
  isEdit: boolean;
  pages: readonly { url: string }[];
}

/** What is needed of the agent whose facts are read. */
interface FactsAgent {
  readonly state: Pick<RoleState, 'request'>;
  readonly context: Pick<RoleContext, 'workspace'>;
}

/** Begins the record of a request. A turn that continues a request of the user, because another role has answered, continues its record. */
export function beginRecord({ state, context }: AgentRuntime, isOfUser: boolean): void {
  if (!isOfUser && state.request?.isOfUser === true) return;
  const files = context.workspace.lastChange;
  state.request = { isOfUser, files, commands: 0, failures: 0, ran: [], failed: [], pages: [] };
}

/** Adds a command to the record. */
export function recordCommand(
  { state: { request } }: AgentRuntime,
  { name, ok, isEdit, pages }: EndedCommand,
): void {
  if (request === undefined) return; // the turn was begun by an earlier release
  const add = (list: string[], entry: string): void => {
    if (!list.includes(entry) && list.length < MAX_NAMES) list.push(entry);
  };
  request.commands += 1;
  if (ok) add(request.ran, name);
  else if (doesWork(name) || name === END) {
    request.failures += 1;
    add(request.failed, name);
    if (isEdit) request.editFailed = true;
  }
  for (const { url } of ok ? pages : []) add(request.pages, url);
}

/** Returns whether files were created, changed, or removed since the request. */
export function hasChangedFiles(agent: FactsAgent): boolean {
  return (factsOf(agent)?.fileCount ?? 0) > 0;
}

/** Returns the facts; null for a turn that was begun by an earlier release. */
export function factsOf({ state: { request }, context }: FactsAgent): RunFacts | null {
  if (request === undefined) return null;
  const files = context.workspace.changedByRoles(request.files);
  const { commands, failures, failed, pages } = request;
  return {
    files: files.slice(0, MAX_FILES),
    fileCount: files.length,
    pages: [...pages],
    commands,
    failures,
    failed: [...failed],
  };
}

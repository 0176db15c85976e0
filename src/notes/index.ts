/** Standing notes that the model writes while it works. Imported by the worker file. */
import type { PartFactory } from '../agent/runtime/part.js';
import { AgentNotes } from './agent-notes.js';
import { readNotesOptions, type NotesOptions } from './options.js';

/**
 * Standing notes, as the option `notes` of a role. Off by default: ask the user first, because notes last. While the model works, it writes
 * short notes about the user and the project with `Notes.write`. The prompt of a later request contains those that matter for it, within
 * limits. The user reads, changes and removes them with `session.notes`.
 *
 * A note that is written after the role has read untrusted content is labelled. It is in no prompt until the user vouches for it.
 *
 * @example new RoleZero({ model, tools: editor(), notes: notes() })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function notes(options: NotesOptions = {}): PartFactory {
  const settings = readNotesOptions(options);
  return (agent) => new AgentNotes(agent, settings);
}

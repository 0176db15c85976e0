import { checkOptions, type OptionKind } from '../core/check-options.js';
import { checkSharedName } from '../core/shared-name.js';

/** Options of `notes()`. */
export interface NotesOptions {
  /**
   * Name of the notes. All roles with notes of this name share them: of all sessions of the database, also in other tabs. Without it, each role
   * of each session has its own.
   *
   * @default none
   */
  shared?: string;
  /** Text before the notes in the prompt, for another language. */
  introduction?: string;
  /** Maximum number of notes. Further ones are refused until some are removed. @default 500 */
  maxNotes?: number;
  /** Maximum characters of a note. @default 500 */
  maxCharacters?: number;
  /** Maximum number of notes in the prompt for one request. @default 30 */
  recalled?: number;
  /** Maximum characters of the notes in the prompt for one request. @default 4,000 */
  recalledCharacters?: number;
}

const INTRODUCTION =
  'Your standing notes, oldest first. Follow the instructions among them. Newer messages take precedence.';

const NOTES_OPTION_KINDS: Record<keyof NotesOptions, OptionKind> = {
  shared: 'text',
  introduction: 'text',
  maxNotes: 'count',
  maxCharacters: 'count',
  recalled: 'count',
  recalledCharacters: 'count',
};

export type NoteLimits = Required<Omit<NotesOptions, 'shared' | 'introduction'>>;

/** The options with their defaults. */
export interface NoteSettings extends NoteLimits {
  shared: string | null;
  introduction: string;
}

/** @throws RoleZeroError `invalid` naming the option that cannot be used. */
export function readNotesOptions(options: NotesOptions): NoteSettings {
  checkOptions('notes()', options, NOTES_OPTION_KINDS);
  const { shared = null } = options;
  if (shared !== null) checkSharedName('notes()', shared);
  return {
    shared,
    introduction: options.introduction ?? INTRODUCTION,
    maxNotes: options.maxNotes ?? 500,
    maxCharacters: options.maxCharacters ?? 500,
    recalled: options.recalled ?? 30,
    recalledCharacters: options.recalledCharacters ?? 4_000,
  };
}

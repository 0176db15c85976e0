import { NOTE_KINDS, type NoteKind } from '../core/notes.js';
import * as s from '../core/schema.js';
import { builtInTool, type Tool, type ToolContext } from '../core/tool.js';
import type { NoteLimits } from './options.js';

/** What the commands do; see `AgentNotes`. */
export interface NoteCommands {
  write(note: WrittenNote, context: ToolContext): Promise<string>;
  remove(id: string): Promise<string>;
  read(query: string, context: ToolContext): Promise<string>;
}

/** The arguments of `Notes.write`. */
export interface WrittenNote {
  kind: NoteKind;
  text: string;
  replaces?: string | undefined;
}

/** The commands with which the model writes, removes and reads notes. */
export function noteTools({ maxCharacters }: NoteLimits, commands: NoteCommands): Tool[] {
  const id = s.string({ description: 'Id of the note, as in [1f3a90c2].' });
  return [
    builtInTool({
      name: 'Notes.write',
      activity: { verb: 'Writing a note' },
      description: `Write a standing note for later work and later conversations, in one short sentence. Kinds: fact (lasting, about the user or the project), decision, instruction (what the user wants in all later work), summary (this conversation in one line; replaces the last one). When a note is out of date, replace it.`,
      input: s.inputSchema(
        s.object({
          kind: s.oneOf(NOTE_KINDS),
          text: s.string({
            minLength: 1,
            maxLength: maxCharacters,
            description: 'Complete without the conversation: names, not "it".',
          }),
          replaces: s.optional(s.string({ description: 'Id of the note that it replaces.' })),
        }),
      ),
      aliases: { content: 'text', note: 'text', id: 'replaces' },
      run: (note, context) => commands.write(note, context),
    }),
    builtInTool({
      name: 'Notes.remove',
      activity: { verb: 'Removing a note' },
      description: 'Remove a note that is wrong or no longer wanted, with its earlier versions.',
      input: s.inputSchema(s.object({ id })),
      run: (input) => commands.remove(input.id),
    }),
    builtInTool({
      name: 'Notes.read',
      activity: { verb: 'Reading the notes' },
      description:
        'Read the notes in the order in which they were written, with dates and earlier versions: all of them, or those about a topic.',
      input: s.inputSchema(s.object({ query: s.optional(s.string()) })),
      effect: 'pure',
      run: ({ query = '' }, context) => commands.read(query, context),
    }),
  ];
}

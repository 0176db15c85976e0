import type { PolicyRule } from 'rolezero/worker';
import type { Asks } from './agent-config.js';

const ask = (tool: string): PolicyRule => ({ tool, do: 'ask' });
/** Asks when the command names a file, or touches one. */
const askAboutFiles = (tool: string): PolicyRule => ({ tool, path: '/**', do: 'ask' });

/** The rules for each choice of when the user is asked. */
export const RULES: Record<Asks, readonly PolicyRule[]> = {
  never: [],
  shell: [ask('Terminal.run_command')],
  changes: [
    ask('Terminal.run_command'),
    askAboutFiles('Terminal.get_stdout_output'), // keeps the changes of a background job
    ask('Editor.write'),
    ask('Editor.create_file'),
    ask('Editor.edit_file_by_replace'),
    ask('Editor.insert_content_at_line'),
    ask('Editor.append_file'),
    ask('Editor.replace_text'),
    ask('Editor.undo_edit'),
    askAboutFiles('Browser.screenshot'),
  ],
};

/** The rules in a team, whose engineers have a command of their own. */
export const TEAM_RULES: Record<Asks, readonly PolicyRule[]> = {
  ...RULES,
  changes: [...RULES.changes, ask('Engineer.write_new_code')],
};

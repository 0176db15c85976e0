import type { JsonValue } from '../../core/json.js';
import type { ToolView } from '../../core/tool.js';

/** Default number of lines that a window shows and that scrolling moves by. */
export const DEFAULT_WINDOW = 200;

/** State of the editor between commands, stored with the session. */
export interface EditorState {
  currentFile: string | null;
  currentLine: number;
  window: number;
  workingDirectory: string;
}

/** Loads the stored state. Missing values come from `start` and the defaults. */
export function loadState(stored: Record<string, JsonValue>, start: Partial<EditorState>): EditorState {
  const { current_file: file, current_line: line, window, working_dir: directory } = stored;
  return {
    currentFile: typeof file === 'string' ? file : null,
    currentLine: typeof line === 'number' ? line : 1,
    window: typeof window === 'number' ? window : (start.window ?? DEFAULT_WINDOW),
    workingDirectory: typeof directory === 'string' ? directory : (start.workingDirectory ?? '/'),
  };
}

/** Stores the state under MetaGPT's names, which prompts show. */
export function saveState(stored: Record<string, JsonValue>, state: EditorState): void {
  stored['current_file'] = state.currentFile;
  stored['current_line'] = state.currentLine;
  stored['window'] = state.window;
  stored['working_dir'] = state.workingDirectory;
}

/** Shows the model the name of the open file. */
export const OPEN_FILE: ToolView = {
  line: ({ current_file: file }) => (typeof file === 'string' && file !== '' ? `Open file: ${file}` : ''),
  seen: ({ current_file: file, current_line: line }) => ({ window: JSON.stringify([file, line]) }),
};

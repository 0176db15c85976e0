import type { JsonValue } from '../../base/json.js';

/** Lines a window shows unless a command says otherwise, and scrolling moves by. */
export const DEFAULT_WINDOW = 200;

/** What the commands of an editor remember between them; kept with the session (spec 14). */
export interface EditorState {
  currentFile: string | null;
  currentLine: number;
  window: number;
  workingDirectory: string;
}

/** What is remembered, or what a new editor starts with. */
export function loadState(kept: Record<string, JsonValue>, start: Partial<EditorState>): EditorState {
  const { current_file: file, current_line: line, window, working_dir: directory } = kept;
  return {
    currentFile: typeof file === 'string' ? file : null,
    currentLine: typeof line === 'number' ? line : 1,
    window: typeof window === 'number' ? window : (start.window ?? DEFAULT_WINDOW),
    workingDirectory: typeof directory === 'string' ? directory : (start.workingDirectory ?? '/'),
  };
}

/** Kept under the names MetaGPT gives them, which is what prompts show. */
export function saveState(kept: Record<string, JsonValue>, state: EditorState): void {
  kept['current_file'] = state.currentFile;
  kept['current_line'] = state.currentLine;
  kept['window'] = state.window;
  kept['working_dir'] = state.workingDirectory;
}

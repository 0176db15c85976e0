import type { Files } from './files.js';
import { isRecord } from './json.js';
import type { Tool } from './tool.js';

/** Tools that may change while a session is open, such as those of an MCP server. A role that has it in `tools` reads it before each step. */
export interface ToolSource {
  /** Group of its tools: the part of their names before the dot. No other tool of the role has it. */
  readonly group: string;
  /** Returns the current tools. The list is the same object while nothing has changed. Rejects only when `signal` aborts. */
  current(context: ToolSourceContext): Promise<SourcedTools>;
}

/** What a source may use while it is read. */
export interface ToolSourceContext {
  signal: AbortSignal;
  /** Calls the page side of the source; see `ToolContext.callPage`. Absent when there is no page. */
  callPage?(name: string, input: unknown): Promise<unknown>;
  /** The files of the session, without those that a rule keeps from `Editor.read`. Absent when no role reads the source. */
  files?: Pick<Files, 'glob' | 'read'>;
}

/** The tools of a source at one moment. */
export interface SourcedTools {
  tools: readonly Tool[];
  /** Who wrote the descriptions, when that is an untrusted source: a role that is shown them has read it. */
  untrusted: string | null;
  /** Why tools are missing, in words of the library: the model and the application receive it. */
  notice: string | null;
}

export function isToolSource(value: unknown): value is ToolSource {
  return isRecord(value) && typeof value['group'] === 'string' && typeof value['current'] === 'function';
}

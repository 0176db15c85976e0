import type { SessionFiles } from './files.js';
import type { ToolDescriptor } from './tool.js';

/** The files of a session, to look at. */
export type ReadableFiles = Pick<SessionFiles, 'read' | 'readBytes' | 'list' | 'stat'>;

/** What a tool on the page may use. */
export interface PageToolContext {
  /** Aborts on stop and on the tool's time limit. */
  signal: AbortSignal;
  /** The same for the same command, also when it is run again after a crash. */
  callId: string;
  session: { name: string };
  /** As they are stored: without what the command in hand has changed. */
  files: ReadableFiles;
}

/** A tool whose code runs on the page; made by `pageTool`. */
export interface PageTool {
  readonly descriptor: ToolDescriptor;
  /** @throws what the tool throws; RoleZeroError `tool-input` when the arguments do not fit its schema. */
  call(input: unknown, context: PageToolContext): Promise<unknown>;
}

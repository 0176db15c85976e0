import type { SessionFiles } from './files.js';
import type { ToolDescriptor } from './tool.js';

/** Name under which the worker asks the page for the words of an approval request. No tool can have it: it has a space. */
export const APPROVAL_TEXT = 'approval text';

/** The files of a session, read-only. */
export type ReadableFiles = Pick<SessionFiles, 'read' | 'readBytes' | 'list' | 'stat'>;

/** The API available to a tool on the page. */
export interface PageToolContext {
  /** Aborts when the run is stopped and when the tool's time limit is reached. */
  signal: AbortSignal;
  /** Stays the same for one command, even when it runs again after a crash. */
  callId: string;
  session: { name: string };
  /** The stored files, without the changes of the current command. */
  files: ReadableFiles;
}

/** A tool whose code runs on the page; created by `pageTool`. */
export interface PageTool {
  readonly descriptor: ToolDescriptor;
  /** @throws what the tool throws; RoleZeroError `tool-input` when the arguments do not match its schema. */
  call(input: unknown, context: PageToolContext): Promise<unknown>;
  /** See `Tool.approval`. */
  approval?(input: unknown): string | Promise<string>;
}

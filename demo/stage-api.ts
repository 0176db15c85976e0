import type { ErrorData, PageTool, PageToolContext } from 'rolezero';
import type { StandalonePage } from 'rolezero/tools/frame';

export type Answer<Value = unknown> = { ok: true; value: Value } | { ok: false; error: ErrorData };

/** The interface of the frame around pages to the application. */
export interface Stage {
  descriptor: PageTool['descriptor'];
  call(input: unknown, context: PageToolContext): Promise<Answer>;
  /** Returns a page of the session as one file. */
  share(files: PageToolContext['files'], path: string): Promise<Answer<StandalonePage>>;
}

declare global {
  interface Window {
    pageStage?: Stage;
  }
}

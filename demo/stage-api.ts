import type { ErrorData, PageTool, PageToolContext } from 'rolezero';

export type Answer = { ok: true; value: unknown } | { ok: false; error: ErrorData };

/** The interface of the frame around pages to the application. */
export interface Stage {
  descriptor: PageTool['descriptor'];
  call(input: unknown, context: PageToolContext): Promise<Answer>;
}

declare global {
  interface Window {
    pageStage?: Stage;
  }
}

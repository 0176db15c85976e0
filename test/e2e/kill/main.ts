import type { MessageData, PlanData } from 'rolezero';
import { filesOf, killAndResume, type Remains as Left } from '../kill-and-resume.js';

export type Remains = Left<{ messages: MessageData[]; plan: PlanData; files: Record<string, string> }>;

function run(baseURL: string, request: string, point: number, moment: 'before' | 'after'): Promise<Remains> {
  return killAndResume(
    () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
    { baseURL, point, moment },
    request,
    async (session) => ({
      messages: await session.messages(),
      plan: await session.plan(),
      files: await filesOf(session),
    }),
  );
}

declare global {
  interface Window {
    runAndKill: typeof run;
  }
}
window.runAndKill = run;

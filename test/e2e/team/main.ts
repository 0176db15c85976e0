import type { Inspection, MessageData, PlanData } from 'rolezero';
import { filesOf, killAndResume, type Remains } from '../kill-and-resume.js';

export type TeamRemains = Remains<{
  messages: Record<string, MessageData[]>;
  plans: Record<string, PlanData>;
  files: Record<string, string>;
  inspection: Inspection;
}>;

const ROLES = ['Mike', 'Alex', 'Rita'];

function run(
  baseURL: string,
  request: string,
  point: number,
  moment: 'before' | 'after',
): Promise<TeamRemains> {
  return killAndResume(
    () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
    { baseURL, point, moment },
    request,
    async (session) => {
      const messages: Record<string, MessageData[]> = {};
      const plans: Record<string, PlanData> = {};
      for (const role of ROLES) {
        messages[role] = await session.messages(role);
        plans[role] = await session.plan(role);
      }
      return { messages, plans, files: await filesOf(session), inspection: await session.inspect() };
    },
  );
}

declare global {
  interface Window {
    runTeamAndKill: typeof run;
  }
}
window.runTeamAndKill = run;

import type { MessageData, PlanData } from 'rolezero';
import { filesOf, killAndResume, type Remains as Left } from '../kill-and-resume.js';

export type Remains = Left<{
  messages: MessageData[];
  /** Of the shared memory, oldest first. */
  memories: MessageData[];
  plan: PlanData;
  files: Record<string, string>;
  /** The texts of each note, newest first. */
  notes: string[][];
}>;

function run(baseURL: string, request: string, point: number, moment: 'before' | 'after'): Promise<Remains> {
  return killAndResume(
    () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
    { baseURL, point, moment, notes: `kill-${point}-${moment}` },
    request,
    async (session) => {
      const notes = await session.notes.list();
      const memories = (await session.memory.list()).map(({ message }) => message);
      return {
        messages: withoutNoteIds(await session.messages()),
        memories: withoutNoteIds(memories),
        plan: await session.plan(),
        files: await filesOf(session),
        notes: notes.map(({ text, earlier }) => [
          text,
          ...earlier.map((version) => version.text).toReversed(),
        ]),
      };
    },
  );
}

/** Ids of notes follow from the session, so they differ from run to run. */
function withoutNoteIds(messages: MessageData[]): MessageData[] {
  return JSON.parse(JSON.stringify(messages).replace(/\[[0-9a-f]{8}\]/g, '[note]')) as MessageData[];
}

declare global {
  interface Window {
    runAndKill: typeof run;
  }
}
window.runAndKill = run;

import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { editor } from '../../../src/tools/editor/editor.js';
import { jobModel, mailTool, type Surroundings } from './jobs.js';
import { roleNames, type Settings } from './operations.js';
import { SHARED } from './world.js';

/** Created once: their schemas take longer than a short history. */
const EDITOR = editor();
/** Messages in the window of a role. Older ones move to its long-term memory. */
const WINDOW = 6;

/** Makes the roles of a session. */
export function rolesFor(settings: Settings, around: Surroundings): RoleZero[] {
  const model = jobModel(around);
  const mail = mailTool(around);
  const { memory, notes: noted, asks, callPlan } = settings;
  const shared = (how: 'own' | 'shared') => (how === 'shared' ? { shared: SHARED } : {});
  return roleNames(settings).map(
    (name) =>
      new RoleZero({
        name,
        model,
        callPlan,
        tools: [...EDITOR, mail],
        policy: [{ tool: 'Mail.*', do: asks ? 'ask' : 'allow' }],
        ...(memory === 'none'
          ? {}
          : { longTermMemory: longTermMemory({ maxMessages: WINDOW, ...shared(memory) }) }),
        ...(noted === 'none' ? {} : { notes: notes(shared(noted)) }),
      }),
  );
}

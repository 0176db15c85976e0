import { RoleZeroError, type PageTool, type Session } from 'rolezero';
import { newId } from './new-id.js';
import type { Stage } from './stage-api.js';

/** Who uses a stage: the agents' commands, and the user with the address field. Each has a separate one. */
type Viewer = 'agent' | 'person';

const LOADING_TIMEOUT = 20_000;

/** The browser of the agents as a tool for `connect`; its pages appear in the frame of that name. */
export async function agentPages(): Promise<PageTool> {
  clear('agent');
  clear('person');
  const stage = await stageOf('agent');
  return {
    descriptor: stage.descriptor,
    call: (input, context) => unwrapped(stage, input, context),
  };
}

/** Opens a page of the session for the user, as the agent's browser would: sandboxed, from the session's files. */
export async function openForPerson(session: Session, url: string): Promise<void> {
  const stage = await stageOf('person');
  const request = { role: 'person', action: { do: 'goto', url }, known: null, told: 0, limit: 1_000 };
  await unwrapped(stage, request, {
    signal: new AbortController().signal,
    callId: newId(),
    session: { name: session.name },
    files: session.files,
  });
}

async function unwrapped(stage: Stage, ...call: Parameters<Stage['call']>): Promise<unknown> {
  const answer = await stage.call(...call);
  if (answer.ok) return answer.value;
  throw RoleZeroError.fromData(answer.error);
}

/** Removes the pages of the previous session. */
function clear(viewer: Viewer): void {
  const shown = frameOf(viewer).contentWindow;
  if (shown?.pageStage === undefined) return;
  delete shown.pageStage; // So that it is not mistaken for the next one.
  shown.location.reload();
}

/** The stage in its frame, which is loaded on first use. */
async function stageOf(viewer: Viewer): Promise<Stage> {
  const frame = frameOf(viewer);
  if (frame.getAttribute('src') === null) frame.src = './stage.html';
  const deadline = Date.now() + LOADING_TIMEOUT;
  while (Date.now() < deadline) {
    // The frame first contains an empty page, and does not signal when the modules of the next one have run.
    const stage = frame.contentWindow?.pageStage;
    if (stage !== undefined) return stage;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new RoleZeroError('worker-start', 'The place for pages did not load.');
}

function frameOf(viewer: Viewer): HTMLIFrameElement {
  const frame = document.querySelector<HTMLIFrameElement>(`iframe[data-stage="${viewer}"]`);
  if (frame === null) throw new RoleZeroError('internal', 'The place for pages is not there.');
  return frame;
}

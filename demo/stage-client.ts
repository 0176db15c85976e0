import { RoleZeroError, type PageTool, type Session } from 'rolezero';
import { newId } from './new-id.js';
import type { StandalonePage } from 'rolezero/tools/frame';
import type { Answer, Stage } from './stage-api.js';
import type { ShownPage } from './state/app-state.js';
import type { PickedElement } from './state/element-place.js';

/** Who uses a stage: the agents' commands, and the user with the address field. Each has a separate one. */
type Viewer = ShownPage['by'];

/** The name under which the user uses a stage. */
export const USER = 'user';

const LOADING_TIMEOUT = 20_000;
/** In ms, for a page to tell its scroll position. A page in an endless loop never does. */
const LOOK_TIMEOUT = 1_500;

/** The browser of the agents as a tool for `connect`; its pages appear in the frame of that name. */
export async function agentPages(): Promise<PageTool> {
  clear('agent');
  clear('user');
  const stage = await stageOf('agent');
  return {
    descriptor: stage.descriptor,
    call: (input, context) => unwrapped(stage, input, context),
  };
}

/** The part of a reply of the frame that the demo uses. */
interface FrameReply {
  tabs: { url: string }[];
  current: number;
  view: { scrollTop?: number } | null;
  log: string[] | null;
  logStart: number;
  pick?: { isPointing: boolean; picked: PickedElement | null };
}

/**
 * Opens a page of the session for the user, as the agent's browser would: sandboxed, from the session's files.
 * `scrollTop`: pixels to scroll down.
 */
export async function openForUser(session: Session, url: string, scrollTop = 0): Promise<void> {
  await act(session, { by: 'user', role: USER }, { do: 'goto', url, scrollTop });
}

/** Returns the console lines of the shown page, each with its level: `error: …`. */
export async function consoleOf(session: Session, page: ShownPage): Promise<string[]> {
  try {
    const { log, logStart } = await act(session, page, { do: 'console' });
    return log?.slice(logStart) ?? [];
  } catch {
    return []; // no page is open
  }
}

/** Lets the user point at an element of the shown page, and returns it once it is picked; null when no page is open. */
export async function pickIn(
  session: Session,
  page: ShownPage,
  step: 'start' | 'read' | 'stop',
): Promise<NonNullable<FrameReply['pick']> | null> {
  const { pick = null } = await act(session, page, { do: 'pick', step });
  return pick;
}

/** Where the user is in the preview: the address, which links in the page may have changed, and the pixels scrolled down. */
export async function placeIn(
  session: Session,
  page: ShownPage,
): Promise<{ url: string; scrollTop: number }> {
  try {
    const { tabs, current, view } = await act(
      session,
      page,
      { do: 'look', page: 1 },
      AbortSignal.timeout(LOOK_TIMEOUT),
    );
    const url = tabs[current]?.url.replace(/^file:\/\//, '') ?? page.url;
    return { url, scrollTop: view?.scrollTop ?? 0 };
  } catch {
    return { url: page.url, scrollTop: 0 }; // The page does not respond, or is no longer open.
  }
}

/** Uses a stage for the user. The view is not for a model, so it may be short. */
async function act(
  session: Session,
  { by, role }: Pick<ShownPage, 'by' | 'role'>,
  action: object,
  signal = new AbortController().signal,
): Promise<FrameReply> {
  const stage = await stageOf(by);
  const request = { role, action, known: null, since: 0, limit: 1_000, exposed: by === 'agent' };
  return (await unwrapped(stage, request, {
    signal,
    callId: newId(),
    session: { name: session.name },
    files: session.files,
  })) as FrameReply;
}

/** Returns a page of the session as one HTML file. The stage has the policy under which text may become a document. */
export async function sharedPage(session: Session, path: string): Promise<StandalonePage> {
  const stage = await stageOf('user');
  return valueOf(await stage.share(session.files, path));
}

async function unwrapped(stage: Stage, ...call: Parameters<Stage['call']>): Promise<unknown> {
  return valueOf(await stage.call(...call));
}

function valueOf<Value>(answer: Answer<Value>): Value {
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

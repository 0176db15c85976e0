import { listen, unlisten } from '../natives.js';
import { watchListeners } from '../page/listeners.js';
import { driveSite } from './drive-site.js';
import { type DriverHere, readDrive } from './handshake.js';

/** Who may drive a site's pages. */
export interface DrivingOptions {
  /**
   * Origins of the applications that may see these pages and act on them as the person could: `https://agent.example`. Each in full; there
   * is no wildcard. Where the page is framed by anybody else nothing is done at all.
   */
  origins: readonly string[];
}

/**
 * For a site that wants agents of certain applications to drive its pages: they open it in a frame (`frame()` of `rolezero/tools/frame`),
 * and this driver, of the site itself, sees the page and acts in it for them. To be called first of all scripts, in every page and in the
 * documents of its frames. It does nothing where the page stands in no frame, or in one of an origin that is not named; an application
 * that asks without being named is told of in the console. Whatever the application says is done with the rights of whoever is signed in,
 * so name those you would let your people's accounts be used by, and keep `frame-ancestors` to them.
 *
 * @example allowDriving({ origins: ['https://agent.example'] })
 * @throws TypeError for an origin that is none.
 */
export function allowDriving({ origins }: DrivingOptions): void {
  const named = origins.map(readOrigin);
  if (window.parent === window || !mayBeAround(named)) return;
  watchListeners();
  const drive = driveSite();
  const accept = (event: MessageEvent<unknown>): void => {
    const begin = readDrive(event.data);
    const [port] = event.ports;
    if (begin === null || port === undefined || !isAround(event.source)) return;
    event.stopImmediatePropagation();
    if (!named.includes(event.origin) && event.origin !== location.origin) {
      console.warn(
        `rolezero: ${event.origin} asked to drive this page, and is not among the origins that may: ${named.join(', ')}.`,
      );
      port.close();
      return;
    }
    unlisten(window, 'message', accept as EventListener, true);
    drive(port, begin);
  };
  listen(window, 'message', accept as EventListener, true);
  const here: DriverHere = {
    rolezero: 'driver',
    url: location.href,
    loaded: document.readyState === 'complete',
  };
  for (const around of windowsAround())
    for (const origin of new Set([...named, location.origin])) around.postMessage(here, origin);
}

function readOrigin(text: string): string {
  const { origin } = new URL(text);
  if (origin === 'null')
    throw new TypeError(`allowDriving takes origins such as https://agent.example, not "${text}".`);
  return origin;
}

/** False where the browser says who is around, and nobody of them may drive. */
function mayBeAround(named: readonly string[]): boolean {
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
  return ancestorOrigins === undefined || [...ancestorOrigins].some((origin) => named.includes(origin));
}

function windowsAround(): Window[] {
  const around: Window[] = [];
  for (let each: Window = window; each.parent !== each; each = each.parent) around.push(each.parent);
  return around;
}

function isAround(source: MessageEventSource | null): boolean {
  return windowsAround().some((each) => each === source);
}

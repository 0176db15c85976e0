import { describe } from '../../../core/error.js';
import { newId } from '../../../core/new-id.js';
import { driverSource } from '../driver-source.js';
import { driverText } from '../protocol.js';
import { WORKSPACE_ORIGIN } from './addresses.js';
import { readOrigins } from './content-policy.js';
import { assemble } from './document/assemble.js';
import type { FrameOptions } from './frame-options.js';
import { PageFrame, type Gone } from './page-frame.js';
import { wrapperDocument } from './wrapper.js';

/** Result for one action that a page must not be able to perform. */
interface SecurityCheck {
  what: 'application' | 'storage' | 'network' | 'leaving' | 'webrtc' | 'connections' | 'dns';
  confined: boolean;
  /** True if the action was attempted now; false if the result is general knowledge about browsers. */
  tested: boolean;
  /** Message for users. */
  message: string;
}

export interface SecurityReport {
  /** True if no check is open. No browser reaches that today: see the checks for what pages can and cannot do. */
  confined: boolean;
  /** Results of all checks. Through unconfined channels, a page can send out data that it received: do not give it secrets. */
  checks: SecurityCheck[];
}

const PROBES = `
const tell = (what, confined) => { document.body.append('probe:' + what + '=' + confined + ' '); };
const refused = (what, attempt) => { try { attempt(); tell(what, false); } catch { tell(what, true); } };
refused('application', () => top.document.title);
const database = () => { try { indexedDB.open('x'); return false; } catch { return true; } };
tell('storage', database());
const image = new Image();
const network = (confined) => { if (image.reported !== true) { image.reported = true; tell('network', confined); } };
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => { if (effectiveDirective === 'img-src') network(true); });
image.onload = () => network(false);
image.onerror = () => setTimeout(() => network(false), 100);
image.src = PROBED;
refused('webrtc', () => new NativePeerConnection().close());
`;

const SAYS: Record<SecurityCheck['what'], readonly [confined: string, open: string]> = {
  application: [
    "Pages cannot reach the application's documents.",
    "Pages can reach the application's documents: do not open any.",
  ],
  storage: [
    'Pages have no storage of this origin.',
    'Pages reach the storage of this origin: do not open any.',
  ],
  network: [
    'Pages cannot load anything from a server.',
    'Pages can load from servers, and send there what they were given.',
  ],
  leaving: [
    'A server receives no request when a page goes to its address.',
    'Pages can go to a server with data in the address.',
  ],
  webrtc: [
    'Pages have no WebRTC.',
    'Pages can send out by WebRTC what they were given; this browser lets no page forbid that. The response header Connection-Allowlist is meant to, where it is known.',
  ],
  connections: [
    '',
    "Pages can make the browser connect to a server before it refuses the request: links, frames and redirects are refused before, hidden navigations of scripts are not. The server then learns the user's address, and what the host name and the port say. The response header Connection-Allowlist is meant to prevent that.",
  ],
  dns: [
    '',
    'Pages can have names looked up (link rel=dns-prefetch), and so send what they were given to a name server. The response header Connection-Allowlist is meant to prevent that.',
  ],
};

/**
 * Attempts, in a real frame, the actions that pages must not be able to perform here, and reports which remain possible. The threat model
 * covers data that a page received, never data of the application. Takes about two seconds. Call it on the page, at the start of an
 * application that opens untrusted pages.
 *
 * @example const open = (await securityReport()).checks.filter(({ confined }) => !confined)
 * @throws RoleZeroError `tool-failed` if no page can be shown.
 */
export async function securityReport(
  options: Pick<FrameOptions, 'frameUrl' | 'network'> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<SecurityReport> {
  const container = document.createElement('div');
  container.style.cssText =
    'position:fixed;left:0;top:0;width:300px;height:200px;opacity:0;pointer-events:none;z-index:-1';
  container.setAttribute('aria-hidden', 'true');
  document.body.append(container);
  try {
    const probed = JSON.stringify(`${location.origin}/?rolezero-probe`);
    const text = await probeResult(
      container,
      PROBES.replace('PROBED', () => probed),
      options,
      signal,
    );
    const found = new Map(
      [...text.matchAll(/probe:(\w+)=(true|false)/g)].map(([, what = '', is]) => [what, is === 'true']),
    );
    const check = (what: SecurityCheck['what'], confined: boolean, tested = true): SecurityCheck => {
      const [good, bad] = SAYS[what];
      return { what, confined, tested, message: confined ? good : bad };
    };
    const checks = [
      ...(['application', 'storage', 'network', 'webrtc'] as const).map((what) =>
        check(what, found.get(what) ?? false),
      ),
      check('leaving', await cannotLeave(container, options, signal)),
      check('connections', false, false),
      check('dns', false, false),
    ];
    return { confined: checks.every(({ confined }) => confined), checks };
  } finally {
    container.remove();
  }
}

type Where = Pick<FrameOptions, 'frameUrl' | 'network'>;

/** Returns the text of a page that runs this script, once the page is quiet (half a second without changes). */
async function probeResult(
  container: HTMLElement,
  script: string,
  where: Where,
  signal: AbortSignal,
): Promise<string> {
  const page = await openProbe(container, script, where, signal, () => undefined);
  try {
    await page.connection.call({ kind: 'settle' });
    return (await page.connection.call({ kind: 'view' })).text;
  } finally {
    page.close();
  }
}

/** Returns true if a page that tries to navigate away is blocked. */
async function cannotLeave(container: HTMLElement, where: Where, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const to = JSON.stringify(`${location.origin}/?rolezero-probe`);
    const end = (held: boolean): void => {
      clearTimeout(timer);
      resolve(held);
    };
    const timer = setTimeout(() => end(false), 3_000);
    // Written so that the rewriting of `location` does not match it.
    openProbe(container, `window['loc' + 'ation'] = ${to};`, where, signal, (gone) =>
      end(gone.how === 'left'),
    ).then(
      () => undefined,
      (error: unknown) => end(describe(error).includes('tried to go to')),
    );
  });
}

async function openProbe(
  container: HTMLElement,
  script: string,
  { frameUrl, network = [] }: Where,
  signal: AbortSignal,
  onGone: (gone: Gone) => void,
): Promise<PageFrame> {
  const nonce = newId();
  const url = new URL(`${WORKSPACE_ORIGIN}/`);
  const dialogs = { accept: true, text: null };
  const text = driverText(driverSource, { nonce, url: url.href, firstId: 1, dialogs });
  // The driver removes the constructor, but a page may find it in another realm: only a browser that refuses it counts.
  const driver = `const NativePeerConnection = globalThis.RTCPeerConnection;${text}`;
  const origins = readOrigins(network);
  const source = (): Promise<never> => Promise.reject(new Error('nothing is there'));
  const document = `<!doctype html><title>Probe</title><body><script>${script}</script>`;
  const { html, base } = await assemble(document, url, { source, signal, network: origins, driver });
  const wrapper = frameUrl === undefined ? { document: wrapperDocument(origins) } : { url: String(frameUrl) };
  return PageFrame.open(
    { container, wrapper, html, base, nonce, dialogs: () => dialogs, onEvent: () => undefined, onGone },
    signal,
  );
}

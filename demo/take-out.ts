import type { Session } from 'rolezero';
import type { StandalonePage } from 'rolezero/tools/frame';
import { decodeText } from 'rolezero/files';
import type { App } from './app.js';
import { newId } from './new-id.js';
import { fileNameOf, offer } from './offer.js';
import type { LeftOut, Shared } from './state/app-state.js';
import { pageChannel } from './state/page-channel.js';
import { packPage } from './state/packed-page.js';
import { pageTitle } from './state/page-title.js';
import { nameOf } from './state/session-names.js';
import { sharedPage } from './stage-client.js';

/** Maximum number of characters of a link. Chat programs and browsers cut longer ones. */
export const MAX_LINK = 100_000;
/** In ms, the time in which a new tab fetches its page. */
const HANDOVER = 60_000;

/** Services to which the files of a page are sent, each with the address of its documented form. */
export const SERVICES = {
  stackblitz: { name: 'StackBlitz', address: 'https://stackblitz.com/run' },
  codepen: { name: 'CodePen', address: 'https://codepen.io/pen/define' },
} as const;
export type Service = keyof typeof SERVICES;

/** Downloads a page of the session as one HTML file, named after its title. */
export async function downloadPage(app: App, path: string): Promise<void> {
  await takeOut(app, async (session) => {
    const { html, leftOut } = await sharedPage(session, path);
    offer(
      `${fileNameOf(pageTitle(html) ?? '') || fileNameOf(sessionTitle(app, session)) || 'page'}.html`,
      html,
    );
    return { what: 'saved', leftOut };
  });
}

/** Downloads all files of the session. */
export async function downloadZip(app: App): Promise<void> {
  await takeOut(app, async (session) => {
    const { exportZip } = await import('./panes/zip.js');
    const zip = await exportZip(session.files);
    offer(
      `${fileNameOf(sessionTitle(app, session)) || 'files'}.zip`,
      new Uint8Array(await zip.arrayBuffer()),
    );
    return null;
  });
}

/** Opens a page of the session in a tab of its own. Call it in the event of a click: browsers allow no tab later. */
export async function openInTab(app: App, path: string): Promise<void> {
  await takeOut(app, async (session) => {
    const id = newId();
    const channel = pageChannel(id);
    const sharing = sharedPage(session, path);
    channel.onmessage = () =>
      void sharing.then(
        ({ html }) => channel.postMessage(html),
        () => {},
      ); // Reported below.
    setTimeout(() => channel.close(), HANDOVER);
    window.open(`./view.html#tab=${id}`, '_blank', 'noopener');
    return { what: 'opened', leftOut: (await sharing).leftOut };
  });
}

/** Copies a link that contains a page of the session. */
export async function copyLink(app: App, path: string): Promise<void> {
  await takeOut(app, async (session) => {
    const { link, leftOut } = await linkOf(session, path);
    if (link.length > MAX_LINK) return { what: 'too-large', leftOut, link };
    const isCopied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false, // The user may have forbidden it: the link is shown.
    );
    return { what: isCopied ? 'copied' : 'link', leftOut, link };
  });
}

/** Hands the link to the device's own menu for sharing; a page that is too large for a link goes as a file. */
export async function shareOnDevice(app: App, path: string): Promise<void> {
  await takeOut(app, async (session) => {
    const { html, link, leftOut } = await linkOf(session, path);
    const title = pageTitle(html) ?? sessionTitle(app, session);
    const file = new File([html], `${fileNameOf(title) || 'page'}.html`, { type: 'text/html' });
    const data = link.length <= MAX_LINK ? { title, url: link } : { title, files: [file] };
    if (!navigator.canShare(data)) return { what: 'too-large', leftOut, link };
    await navigator.share(data).catch(ignoreCancel);
    return { what: 'sent', leftOut };
  });
}

/** Sends a page and its files to a service, which opens them in a new tab. */
export async function sendTo(app: App, service: Service, path: string): Promise<void> {
  await takeOut(app, async (session) => {
    const { html, leftOut } = await sharedPage(session, path);
    const title = pageTitle(html) ?? sessionTitle(app, session);
    if (service === 'codepen') {
      submit(SERVICES.codepen.address, { data: JSON.stringify({ title, html, editors: '100' }) });
      return { what: 'sent', leftOut };
    }
    const project = await projectOf(session, path);
    submit(SERVICES.stackblitz.address, {
      'project[title]': title,
      'project[description]': sessionTitle(app, session),
      'project[template]': 'html',
      ...Object.fromEntries(project.files.map(([name, text]) => [`project[files][${name}]`, text])),
    });
    return { what: 'sent', leftOut: project.leftOut };
  });
}

/** Shows what was taken out of the open session, or why it was not. */
async function takeOut(
  { control, store }: App,
  work: (session: Session) => Promise<Shared | null>,
): Promise<void> {
  store.update({ shared: null });
  await control.guarded(async () => {
    const { session } = control;
    if (session === null) return;
    const shared = await work(session);
    if (session === control.session) store.update({ shared });
  });
}

async function linkOf(session: Session, path: string): Promise<StandalonePage & { link: string }> {
  const page = await sharedPage(session, path);
  const { href } = new URL(`view.html#page=${await packPage(page.html)}`, document.baseURI);
  return { ...page, link: href };
}

/** The text files in the folder of a page, as the files of a project that begins with it. */
async function projectOf(
  session: Session,
  path: string,
): Promise<{ files: [name: string, text: string][]; leftOut: LeftOut[] }> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const files: [string, string][] = [];
  const leftOut: LeftOut[] = [];
  for (const { path: address, type } of await session.files.list()) {
    if (type !== 'file') continue;
    if (!address.startsWith(folder)) {
      leftOut.push({ address, reason: 'elsewhere' });
      continue;
    }
    const text = decodeText(await session.files.readBytes(address))?.text;
    if (text === undefined) leftOut.push({ address, reason: 'binary' });
    else files.push([address.slice(folder.length), text]);
  }
  const page = path.slice(folder.length);
  if (files.some(([name]) => name === 'index.html')) return { files, leftOut };
  return { files: files.map(([name, text]) => [name === page ? 'index.html' : name, text]), leftOut };
}

/** Sends a form to a new tab. */
function submit(address: string, fields: Record<string, string>): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: address, target: '_blank', rel: 'noopener', hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('textarea');
    Object.assign(field, { name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

function ignoreCancel(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}

function sessionTitle({ store }: App, { name }: Session): string {
  return nameOf(name, store.state.labels);
}

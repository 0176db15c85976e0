import type { PageToolContext, SessionFiles } from 'rolezero';
import { frame } from 'rolezero/tools/frame';

declare global {
  interface Window {
    /** Opens the documents as pages of a session, or in frames of the application without confinement, and waits until each is at rest. */
    showAll(documents: readonly string[], isConfined: boolean): Promise<void>;
  }
}

/** Number of pages at a time, and milliseconds that each is shown. */
const LANES = 6;
const SHOWN_MS = 1_000;

const contents = new Map<string, string>();
const files = {
  stat: (path: string) =>
    Promise.resolve(contents.has(path) ? { path, type: 'file', size: 1, modifiedAt: 0 } : null),
  readBytes: (path: string) => Promise.resolve(new TextEncoder().encode(contents.get(path))),
} as unknown as SessionFiles;

const element = document.createElement('div');
element.style.cssText = 'position:relative;width:600px;height:400px';
document.body.append(element);
const page = frame({ element });
const context: PageToolContext = {
  signal: new AbortController().signal,
  callId: '1',
  session: { name: 'connections' },
  files,
};

async function showConfined(html: string, lane: number, path: string): Promise<void> {
  contents.set(path, html);
  const call = { role: `lane ${lane}`, known: null, since: 0, limit: 10_000 };
  // A page that navigates before it is loaded rejects.
  await page.call({ ...call, action: { do: 'goto', url: path } }, context).catch(() => {});
  await pause();
}

async function showPlainly(html: string): Promise<void> {
  const plain = document.createElement('iframe');
  plain.srcdoc = html;
  element.append(plain);
  await pause();
  plain.remove();
}

window.showAll = async (documents, isConfined) => {
  const lane = async (number: number): Promise<void> => {
    for (let index = number; index < documents.length; index += LANES) {
      const html = documents[index] ?? '';
      await (isConfined ? showConfined(html, number, `/${index}.html`) : showPlainly(html));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
};

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
}

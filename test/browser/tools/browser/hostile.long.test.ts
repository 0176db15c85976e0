import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { PageToolContext, SessionFiles } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import type { FrameReply } from '../../../../src/tools/browser/frame-protocol.js';
import { remoteFaultServer } from '../../../fault-server/remote.js';
import { json } from '../../../fault-server/replies.js';
import { REACHING, SENDING, type Vector } from './vectors.js';

/** Number of pages at a time. */
const LANES = 6;

const contents = new Map<string, string>();
const files = {
  stat: (path: string) =>
    Promise.resolve(contents.has(path) ? { path, type: 'file', size: 1, modifiedAt: 0 } : null),
  readBytes: (path: string) => Promise.resolve(new TextEncoder().encode(contents.get(path))),
} as unknown as SessionFiles;

const element = document.createElement('div');
element.style.cssText = 'position:relative;width:600px;height:400px';
const page = frame({ element });
const context: PageToolContext = {
  signal: new AbortController().signal,
  callId: '1',
  session: { name: 'hostile' },
  files,
};
const show = (role: string, action: object) =>
  page.call({ role, action, known: null, since: 0, limit: 10_000 }, context) as Promise<FrameReply>;

beforeAll(() => {
  document.body.append(element);
  localStorage.setItem('rolezero-secret', 'key');
  sessionStorage.setItem('rolezero-secret', 'key');
  document.cookie = 'rolezero-secret=key; path=/';
});
afterAll(() => {
  element.remove();
  localStorage.removeItem('rolezero-secret');
  sessionStorage.removeItem('rolezero-secret');
  document.cookie = 'rolezero-secret=; path=/; max-age=0';
});

/** Returns a document that runs the code of a vector. */
function hostile({ html = '', code }: Vector, sink: string): string {
  return `<!doctype html><title>hostile</title>${html.replaceAll('SINK', sink)}<body><p>the body</p><script>
    const SINK = ${JSON.stringify(sink)}, HOST = ${JSON.stringify(location.origin)};
    const escaped = (what) => { const e = document.createElement('p'); e.textContent = 'ESCAPED ' + what; document.body.append(e); };
    (async () => { ${code} })().catch(() => {});
  </script>`;
}

/** Shows the documents in batches and returns what each could read a moment later. */
async function showAll(documents: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  const lane = async (number: number): Promise<void> => {
    for (let index = number; index < documents.length; index += LANES) {
      const path = `/${index}.html`;
      contents.set(path, documents[index] ?? '');
      const role = `lane ${number}`;
      try {
        await show(role, { do: 'goto', url: path });
        await pause(600);
        const { view } = await show(role, { do: 'look', page: 1 });
        texts[index] = view?.text ?? '';
      } catch (error) {
        texts[index] = `(${String(error)})`; // It navigated before it was loaded.
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return texts;
}

/** The same in frames of the application's own origin, without confinement. */
async function showPlainly(documents: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  const lane = async (number: number): Promise<void> => {
    for (let index = number; index < documents.length; index += LANES) {
      const plain = document.createElement('iframe');
      plain.srcdoc = documents[index] ?? '';
      element.append(plain);
      await pause(1_200);
      try {
        texts[index] = plain.contentDocument?.body.textContent ?? '';
      } catch {
        texts[index] = '(gone elsewhere)';
      }
      plain.remove();
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return texts;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a hostile page', () => {
  test('at least 58 ways out are tried', () => {
    const names = [...SENDING, ...REACHING].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(58);
  });

  test('sends nothing anywhere', { timeout: 240_000 }, async () => {
    const server = await remoteFaultServer(inject('faultServer'));
    await server.script([json(200, {})], 'repeat');
    const sink = (kind: string) => (vector: Vector, index: number) =>
      hostile(vector, `${server.origin}/${kind}-${index}-`);
    await showAll(SENDING.map(sink('confined')));
    await showPlainly(SENDING.map(sink('plain')));
    await pause(2_000);
    const paths = (await server.requests()).map(({ path }) => path);
    const heard = (kind: string) =>
      SENDING.filter((_, index) => paths.some((path) => path.startsWith(`/${kind}-${index}-`))).map(
        ({ name }) => name,
      );
    expect(heard('confined')).toEqual([]);
    const working = SENDING.filter(({ control }) => control !== false).map(({ name }) => name);
    expect(working.filter((name) => !heard('plain').includes(name))).toEqual([]);
  });

  test('reaches nothing of the application', { timeout: 240_000 }, async () => {
    const documents = REACHING.map((vector) => hostile(vector, 'https://sink.invalid/'));
    const escapes = (texts: readonly string[]) =>
      REACHING.filter((_, index) => texts[index]?.includes('ESCAPED')).map(({ name }) => name);
    const confined = await showAll(documents);
    expect(confined.filter((text) => text.includes('the body'))).toHaveLength(REACHING.length);
    expect(escapes(confined)).toEqual([]);
    expect(localStorage.getItem('rolezero-hostile')).toBeNull();
    expect(document.cookie).not.toContain('rolezero-hostile');
    const working = REACHING.filter(({ control }) => control !== false).map(({ name }) => name);
    const plainly = escapes(await showPlainly(documents));
    expect(working.filter((name) => !plainly.includes(name))).toEqual([]);
  });
});

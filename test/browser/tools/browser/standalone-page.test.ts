import { afterEach, describe, expect, it } from 'vitest';
import { RoleZeroError, type FileInfo } from 'rolezero';
import { standalonePage } from 'rolezero/tools/frame';

type Files = Parameters<typeof standalonePage>[0];

/** The files of a session, as their text. */
function filesOf(texts: Record<string, string>): Files {
  const bytes = new Map(
    Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)] as const),
  );
  const info = (path: string): FileInfo | null => {
    const size = bytes.get(path)?.length;
    return size === undefined ? null : { path, type: 'file', size, modifiedAt: 0 };
  };
  return {
    list: () => Promise.resolve([...bytes.keys()].flatMap((path) => info(path) ?? [])),
    stat: (path) => Promise.resolve(info(path)),
    readBytes: (path) => Promise.resolve(bytes.get(path) ?? new Uint8Array()),
  };
}

const frames = new Set<HTMLIFrameElement>();
afterEach(() => {
  for (const frame of frames) frame.remove();
  frames.clear();
});

/** Runs a document in a frame without an origin, and returns the first message that it posts. */
async function messageOf(html: string): Promise<unknown> {
  const frame = document.createElement('iframe');
  frames.add(frame);
  frame.setAttribute('sandbox', 'allow-scripts');
  const message = new Promise<unknown>((resolve) => {
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow) resolve(data);
    });
  });
  frame.srcdoc = html;
  document.body.append(frame);
  return message;
}

describe('standalonePage', () => {
  it('includes style sheets, scripts, modules and images, and the file runs without the others', async () => {
    const { html, leftOut } = await standalonePage(
      filesOf({
        '/app/index.html': `<!doctype html><title>Shop</title><link rel="stylesheet" href="style.css">
          <img src="../logo.svg" alt=""><script src="classic.js"></script>
          <script type="module">import { sum } from './sum.js'; const style = getComputedStyle(document.body).color;
          const image = document.querySelector('img'); await image.decode();
          parent.postMessage([sum, style, image.naturalWidth, window.classic, typeof location.href], '*');</script>`,
        '/app/style.css': 'body { color: rgb(1, 2, 3) }',
        '/app/classic.js': 'window.classic = true;',
        '/app/sum.js': "import { one } from './lib/one.js'; export const sum = one + 1;",
        '/app/lib/one.js': 'export const one = 1;',
        '/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
      }),
      '/app/index.html',
    );
    expect(leftOut).toEqual([]);
    expect(await messageOf(html)).toEqual([2, 'rgb(1, 2, 3)', 7, true, 'string']);
  });

  it('lists missing files, addresses on the network, other pages, and files that a script may load', async () => {
    const { html, leftOut } = await standalonePage(
      filesOf({
        '/index.html': `<img src="gone.png"><script src="https://cdn.example/lib.js"></script>
          <a href="about.html">About</a> <a href="#top">Top</a> <a href="https://example.com/">Site</a>
          <script>fetch('data.json')</script>`,
        '/about.html': '<p>About</p>',
        '/data.json': '{}',
        '/notes.md': 'No script names it.',
      }),
      '/index.html',
    );
    expect(leftOut.toSorted((one, other) => one.address.localeCompare(other.address))).toEqual([
      { address: '/about.html', reason: 'page' },
      { address: '/data.json', reason: 'run-time' },
      { address: '/gone.png', reason: 'missing' },
      { address: 'https://cdn.example/lib.js', reason: 'network' },
    ]);
    expect(html).toContain("default-src 'none'"); // It cannot load what was left out.
    expect(html).not.toContain('<base');
  });

  it('rejects a page that does not exist', async () => {
    const error = await standalonePage(filesOf({}), '/none.html').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RoleZeroError);
    expect(error).toMatchObject({ code: 'not-found', message: 'There is no file /none.html.' });
  });
});

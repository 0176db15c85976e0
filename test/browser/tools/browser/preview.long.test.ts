import { afterEach, describe, expect, it } from 'vitest';
import { preview } from 'rolezero/tools/frame';
import { finish, session, useSessions, write } from '../../client/scripted-session.js';

useSessions();

const ends: (() => void)[] = [];
/** What the shown pages have posted. */
let posted: unknown[] = [];
const onMessage = ({ data, origin }: MessageEvent<unknown>): void => {
  if (!Array.isArray(data)) return;
  const [from, ...values] = data as unknown[];
  if (from === 'page') posted.push([...values, origin]);
};
addEventListener('message', onMessage);

afterEach(() => {
  for (const end of ends.splice(0)) end();
  document.body.replaceChildren();
  posted = [];
});

type Previewed = Parameters<typeof preview>[0];

function open(of: Previewed, options: Parameters<typeof preview>[2] = {}): HTMLElement {
  const element = document.body.appendChild(document.createElement('section'));
  ends.push(preview(of, element, options));
  return element;
}

/** A page that posts words when it runs. */
const says = (words: string) => `<!doctype html><title>Page</title><script>${post(`'${words}'`)}</script>`;
/** Posts to the page of the test: the frame of the page is in another one. */
const post = (values: string) => `parent.parent.postMessage(['page', ${values}], '*');`;
const frames = () => document.querySelectorAll('iframe').length;
const isVisible = (element: HTMLElement) => element.querySelector('iframe')?.checkVisibility() === true;

describe('preview', () => {
  it('shows a page with its files, without an origin, and again when a file changes', async () => {
    const { files, name } = await session({});
    await files.write(
      '/game/index.html',
      '<!doctype html><link rel="stylesheet" href="style.css"><script type="module" src="app.js"></script>',
    );
    await files.write('/game/style.css', 'body { color: rgb(1, 2, 3) }');
    const app = (version: number) => post(`${version}, getComputedStyle(document.body).color`);
    await files.write('/game/app.js', app(1));
    const element = open({ files, name });
    await expect.poll(() => posted).toEqual([[1, 'rgb(1, 2, 3)', 'null']]);
    expect([isVisible(element), element.clientHeight >= 320]).toEqual([true, true]);
    await files.write('/game/app.js', app(2));
    await expect.poll(() => posted.at(-1)).toEqual([2, 'rgb(1, 2, 3)', 'null']);
    expect(frames()).toBe(1);
  });

  it('appears when the agent has written a page', async () => {
    const opened = await session({
      script: [write('/a.txt', 'a'), write('/game.html', says('play')), finish],
    });
    const element = open(opened);
    await opened.send('Write a game').result();
    await expect.poll(() => posted).toEqual([['play', 'null']]);
    expect([isVisible(element), element.textContent]).toEqual([true, '']);
  });

  it('prefers the newest index page, and follows it', async () => {
    const { files, name } = await session({});
    await files.write('/a/index.html', says('a'));
    await files.write('/a/other.html', says('other'));
    open({ files, name });
    await expect.poll(() => posted).toEqual([['a', 'null']]);
    await files.write('/b/index.html', says('b'));
    await expect.poll(() => posted.at(-1)).toEqual(['b', 'null']);
  });

  it('shows the page that the application names', async () => {
    const { files, name } = await session({});
    await files.write('/index.html', says('index'));
    const element = open({ files, name }, { page: '/50% of #1?.html' });
    expect(isVisible(element)).toBe(false);
    await files.write('/50% of #1?.html', says('named'));
    await expect.poll(() => posted).toEqual([['named', 'null']]);
  });

  it('leaves the user where they were, also on a page that a link opened', async () => {
    const { files, name } = await session({});
    const tall = '<!doctype html><div style="height: 3000px">Tall</div>';
    await files.write('/index.html', `${says('index')}<script>location.href = '/tall.html';</script>`);
    // The user has been there for a moment: a page that is still loading is not known to the driver yet.
    const later = `addEventListener('load', () => setTimeout(() => { ${post("'tall'")} }, 2_000));`;
    await files.write('/tall.html', `${tall}<script>scrollTo(0, 700); ${later}</script>`);
    open({ files, name });
    await expect.poll(() => posted.at(-1)).toEqual(['tall', 'null']);
    // A browser that draws nothing, because it is busy or hidden, sends no scroll events.
    const moves = `let seen = null; setInterval(() => { if (seen !== scrollY) { seen = scrollY; ${post("'at', scrollY")} } }, 50);`;
    await files.write('/tall.html', `${tall}<script>${moves}</script>`);
    await expect.poll(() => posted).toContainEqual(['at', 700, 'null']);
  });

  it('is empty again when the page is removed', async () => {
    const { files, name } = await session({});
    await files.write('/index.html', says('index'));
    const element = open({ files, name });
    await expect.poll(() => posted.length).toBe(1);
    await files.remove('/index.html');
    await expect.poll(() => isVisible(element)).toBe(false);
  });

  it('leaves the focus in the field of the user', async () => {
    const { files, name } = await session({});
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    await files.write('/index.html', says('index'));
    open({ files, name });
    await expect.poll(() => posted.length).toBe(1);
    await files.write('/style.css', '');
    await expect.poll(() => posted.length).toBe(2);
    expect(document.activeElement).toBe(field);
  });

  it('ends, and leaves nothing in the element', async () => {
    const { files, name } = await session({});
    await files.write('/index.html', says('index'));
    const element = open({ files, name });
    await expect.poll(() => posted.length).toBe(1);
    ends.pop()?.();
    expect(element.childElementCount).toBe(0);
    await files.write('/index.html', says('changed'));
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // longer than the pause before a reload
    expect(posted.length).toBe(1);
  });

  it('says why there is nothing to show', async () => {
    const opened = await session({});
    await opened.close();
    const element = open(opened);
    await expect.poll(() => element.querySelector('[role=alert]')?.textContent).toMatch(/closed/);
  });

  it('rejects an option that it does not have', async () => {
    const opened = await session({});
    const wrong = { path: '/index.html' } as object;
    expect(() => preview(opened, document.body, wrong)).toThrow('preview() has no option path');
  });
});

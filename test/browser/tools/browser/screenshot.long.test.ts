import { afterEach, describe, expect, it } from 'vitest';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';
import { agent, outputs } from './agent.js';

let page: DrivenPage | undefined;
afterEach(() => page?.close());

/** Shows a page, takes its screenshot, and returns the color at a point as `r,g,b`. */
async function picture(
  html: string,
  before: (page: DrivenPage) => Promise<unknown> = () => Promise.resolve(),
) {
  page = await DrivenPage.open(`<!doctype html><style>body{margin:0}</style>${html}`);
  await before(page);
  return drawn(await page.ask({ kind: 'screenshot' }));
}

async function drawn({ image, width, height }: { image: string; width: number; height: number }) {
  const bitmap = await createImageBitmap(await (await fetch(image)).blob());
  expect([bitmap.width, bitmap.height]).toEqual([width, height]);
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.drawImage(bitmap, 0, 0);
  return {
    width,
    height,
    at: (x: number, y: number) => context.getImageData(x, y, 1, 1).data.slice(0, 3).join(),
    /** True when a part of the image has more than one color. */
    isDrawn: (x: number, y: number, wide: number, high: number) => {
      const pixels = new Uint32Array(context.getImageData(x, y, wide, high).data.buffer);
      return pixels.some((pixel) => pixel !== pixels[0]);
    },
  };
}

const BOX = 'position:absolute;width:100px;height:100px;';
const [RED, GREEN, BLUE, WHITE] = ['255,0,0', '0,128,0', '0,0,255', '255,255,255'];

describe('the screenshot of a page', () => {
  it('shows one element, so that a point of it is a point of the picture', async () => {
    const dot = 'd.fillStyle = "red"; d.fillRect(70, 30, 9, 9)';
    page = await DrivenPage.open(
      `<!doctype html><div style="height:2000px"></div><canvas id="c" width="120" height="60" style="margin-left:33px"></canvas><p id="o"></p><script>const d = c.getContext('2d'); d.fillStyle = 'blue'; d.fillRect(0, 0, 120, 60); ${dot}; c.onclick = e => o.textContent = 'hit ' + [...d.getImageData(e.offsetX, e.offsetY, 1, 1).data]</script>`,
    );
    const element = idIn(await page.view(), 'canvas');
    const { width, height, at } = await drawn(await page.ask({ kind: 'screenshot', element }));
    expect([width, height, at(1, 1), at(118, 58), at(74, 34)]).toEqual([120, 60, BLUE, BLUE, RED]);
    await page.ask({ kind: 'click', element, at: { x: 74, y: 34 } });
    expect(await page.view()).toContain("'hit 255,0,0,255'");
    await expect(page.ask({ kind: 'screenshot', element: '99' })).rejects.toThrow('not-found');
  });

  it('shows what the window shows: styles, variables, pseudo-elements, canvases, images, text', async () => {
    const { width, height, at, isDrawn } = await picture(`
      <style>
        :root { --mine: blue }
        .a { background: var(--mine); left: 0; top: 0 }
        .b::before { content: ''; background: green; ${BOX} left: 100px; top: 0 }
      </style>
      <div class="a" style="${BOX}"></div><div class="b"></div>
      <canvas id="c" width="100" height="100" style="${BOX}left:200px;top:0"></canvas>
      <img alt="" style="${BOX}left:300px;top:0" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='blue'/></svg>">
      <h1 style="position:absolute;left:0;top:100px;margin:0">Written</h1>
      <script>const d = c.getContext('2d'); d.fillStyle = 'red'; d.fillRect(0, 0, 100, 100)</script>`);
    expect([width, height]).toEqual([800, 600]);
    expect([at(50, 50), at(150, 50), at(250, 50), at(350, 50), at(450, 50)]).toEqual([
      BLUE,
      GREEN,
      RED,
      BLUE,
      WHITE,
    ]);
    expect(isDrawn(0, 100, 120, 40)).toBe(true);
  });

  it('shows typed and checked values and the inside of components', async () => {
    const { at, isDrawn } = await picture(
      `<input id="i" aria-label="Name" style="${BOX}left:0;top:0;border:0;outline:0">
       <my-box></my-box>
       <script>
         let made = 0;
         customElements.define('my-box', class extends HTMLElement {
           constructor() { super(); console.log('made', ++made); }
           connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>p{background:green;margin:0;${BOX}left:200px;top:0}</style><p></p>'; }
         });
       </script>`,
      async (shown) =>
        shown.ask({ kind: 'type', element: idIn(await shown.view(), "textbox 'Name'"), text: 'MMMM' }),
    );
    expect(isDrawn(5, 30, 60, 40)).toBe(true);
    expect(at(250, 50)).toBe(GREEN);
  });

  it('covers the visible part after scrolling, with fixed elements in place', async () => {
    const { at } = await picture(
      `<header style="position:fixed;inset:0 0 auto 0;height:50px;background:red"></header>
       <div style="height:600px;background:blue"></div><div style="height:600px;background:green"></div>
       <div style="position:fixed;right:0;bottom:0;width:50px;height:50px;background:blue"></div>`,
      (shown) => shown.ask({ kind: 'scroll', direction: 'down' }),
    );
    expect([at(400, 25), at(400, 300), at(790, 590)]).toEqual([RED, GREEN, BLUE]);
  });

  it('leaves the page unchanged', async () => {
    page = await DrivenPage.open('<p id="p">Here</p><button>B</button>');
    const before = await page.view();
    await page.ask({ kind: 'screenshot' });
    expect(await page.view()).toBe(before);
    expect(page.events.filter(({ event }) => event === 'error' || event === 'console')).toEqual([]);
  });

  it('covers the visible part of a long page; a page with too much to show is rejected with the reason', async () => {
    const { at } = await picture(
      `<div style="height:600px;background:red"></div><script>document.write('<p>.</p>'.repeat(4000))</script>`,
    );
    expect(at(400, 300)).toBe(RED);
    page?.close();
    page = await DrivenPage.open(`<script>document.write('<i>.</i>'.repeat(2100))</script>`);
    await expect(page.ask({ kind: 'screenshot' })).rejects.toThrow('unsupported: The page is too large');
  });

  it('is a file of the session', async () => {
    const { session } = await agent(
      [
        ['Browser.goto', { url: '/index.html' }],
        ['Browser.screenshot', { path: '/shots/first.png' }],
      ],
      { files: { '/index.html': '<body style="background:red">' } },
    );
    expect((await outputs(session.send('go')))[1]).toBe(
      'The page file:///index.html as it looks is in /shots/first.png',
    );
    const bitmap = await createImageBitmap(
      new Blob([new Uint8Array(await session.files.readBytes('/shots/first.png'))]),
    );
    expect([bitmap.width, bitmap.height]).toEqual([800, 600]);
  });
});

import { expect, test } from 'vitest';
import { assemble } from '../../../../src/tools/browser/frame/document/assemble.js';

const PAGE = `<!doctype html><html><head></head><body onload="go()">
<button ONCLICK = "this.onclick = null" title="onclick=1">More</button><img src="online=1.png"
onerror='x' /><script>button.onclick = () => "onclick=2";</script>onmouse=3</body></html>`;

test('preserves inline handlers, and texts and addresses that resemble them', async () => {
  const asked: string[] = [];
  const { html } = await assemble(PAGE, new URL('https://page.example/'), {
    source: async ({ href }) => {
      asked.push(href);
      return { status: 404, url: href, type: '', bytes: new Uint8Array() };
    },
    signal: new AbortController().signal,
    network: [],
    driver: '',
  });
  const page = new DOMParser().parseFromString(html, 'text/html');
  const button = page.querySelector('button');
  expect(page.body.getAttribute('onload')).toBe('go()');
  expect([button?.getAttribute('onclick'), button?.title]).toEqual(['this.onclick = null', 'onclick=1']);
  expect(page.querySelector('img')?.getAttribute('onerror')).toBe('x');
  expect(page.querySelector('body script')?.textContent).toBe('button.onclick = () => "onclick=2";');
  expect(page.body.textContent).toContain('onmouse=3');
  expect(asked.filter((url) => url.includes('png'))).toEqual(['https://page.example/online=1.png']);
  expect(html).not.toMatch(/rz[0-9a-f]{32}/);
});

import { expect, it } from 'vitest';
import { say, type Step } from './agent.js';

/** The page of a role. Lines are counted from the first one, whatever the browser shows in its frame. */
const FILES = {
  '/site/index.html': `<!doctype html>
<title>Shop</title>
<style>
  body { background: url(dot.svg) }
</style>
<p>Shop</p>
<script>
  const ready = true;
  setTimeout(() => inlineMissing());
</script>
<script src="lib/app.js"></script>
<script type="module">
  import './lib/mod.js';

  const b = 0;
  inlineModuleMissing();
</script>
<script src="lib/broken.js"></script>
`,
  '/site/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  '/site/lib/app.js': `'use strict';
setTimeout(() => {
  appMissing();
});
Promise.reject(new Error('not sent'));
`,
  '/site/lib/mod.js': `export const a = 1;

setTimeout(() => modMissing());
`,
  '/site/lib/broken.js': `const ok = 1;
const = 2;
`,
};

const open: Step = ['Browser.goto', { url: '/site/index.html' }];
const console: Step = ['Browser.console', {}];

const isWebKit = navigator.vendor.startsWith('Apple');

it('reports errors with the file of the session and its line', async () => {
  const outputs = await say([open, ['Browser.wait', { seconds: 1 }], console], {
    files: FILES,
    frames: { quiet: 60 },
  });
  const log = outputs.at(-1);
  const places = [
    // WebKit says nothing more about an inline script of a page without an origin.
    isWebKit ? /error: Script error\./ : /inlineMissing.* \(\/site\/index\.html:9:\d+\)/,
    /appMissing.* \(\/site\/lib\/app\.js:3:\d+\)/,
    /not sent.* \(\/site\/lib\/app\.js:5:\d+\)/,
    /inlineModuleMissing.* \(\/site\/index\.html:16:\d+\)/,
    /modMissing.* \(\/site\/lib\/mod\.js:3:\d+\)/,
    /\(\/site\/lib\/broken\.js:2:\d+\)/,
  ];
  for (const place of places) expect(log).toMatch(place);
  expect(outputs.join('\n')).toMatch(/Error in the page: .* \(\/site\//);
});

it('gives a page the time to load that the application sets', async () => {
  const files = {
    '/slow.html': '<p>Slow</p><script>const end = Date.now() + 400; while (Date.now() < end);</script>',
  };
  const slow: Step = ['Browser.goto', { url: '/slow.html' }];
  const [refused] = await say([slow], { files, frames: { loadTimeoutMs: 1 } });
  expect(refused).toContain(
    'The page did not load within 0.001 seconds; it may be in an endless loop. The application can raise the limit with frame({ loadTimeoutMs }).',
  );
  const [opened] = await say([slow], { files });
  expect(opened).toContain('SUCCESS');
});

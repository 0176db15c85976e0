import { expect, test } from 'vitest';
import type { ConnectOptions } from 'rolezero';
import { wrapperDocument } from '../../../../src/tools/browser/frame/wrapper.js';
import { agent, outputs, type Agent, type Step } from './agent.js';

const SHOP = `<!doctype html><button id="one">Next</button><button>Buy now</button><input aria-label="Name"><p id="log">clicked:</p>
<div id="drop" onclick="">Basket</div><iframe srcdoc="<button>Inside</button>"></iframe><script>
  addEventListener('click', ({ target }) => document.getElementById('log').append(' ' + target.textContent + ';'));
  addEventListener('message', ({ data, source }) => {
    if (data !== 'change') return;
    document.getElementById('one').textContent = 'Delete all';
    source.postMessage('changed', '*');
  });
</script>`;

const click = (element: string, more: Step[1] = {}): Step => [
  'Browser.click',
  { element_id: `{{${element}}}`, ...more },
];
const view: Step = ['Browser.view', {}];

/** The frame around pages as a file: in a frame from text, WebKit shows no frames of a page. */
const frameUrl = URL.createObjectURL(new Blob([wrapperDocument([])], { type: 'text/html' }));

/** Opens the shop and does the steps there. `approve` receives the text of each approval request. */
async function shop(
  steps: readonly Step[],
  approve: (details: string, element: HTMLElement) => Promise<void>,
) {
  const asked: string[] = [];
  let opened: Agent | null = null;
  const answer: ConnectOptions['approve'] = async (_command, { details = '' }) => {
    asked.push(details);
    await approve(details, opened?.element ?? document.body);
    return true;
  };
  opened = await agent([['Browser.goto', { url: 'https://shop.example/' }], ...steps], {
    frames: { read: () => SHOP, quiet: 60, frameUrl },
    approve: answer,
  });
  const report = await outputs(opened.session.send('Look at https://shop.example/.'));
  return { report, asked };
}

/** Lets the page change the label of its first button. */
async function changeLabel(element: HTMLElement): Promise<void> {
  const changed = new Promise<void>((resolve) => {
    const hear = ({ data }: MessageEvent<unknown>): void => {
      if (data !== 'changed') return;
      removeEventListener('message', hear);
      resolve();
    };
    addEventListener('message', hear);
  });
  element.querySelector('iframe')?.contentWindow?.frames[0]?.postMessage('change', '*');
  await changed;
}

const nothing = async (): Promise<void> => {};

test('an approval request names the element, and a yes covers that element only', async () => {
  const { asked, report } = await shop(
    [
      click("button 'Next'"),
      click("button 'Next'", { count: 2 }),
      click("button 'Buy now'"),
      click("button 'Inside'"),
      ['Browser.type', { element_id: "{{textbox 'Name'}}", content: 'Ada' }],
      view,
    ],
    nothing,
  );
  const targets = asked.map((details) => /^Target: .*$/mu.exec(details)?.[0]);
  expect(targets).toEqual([
    "Target: button 'Next'",
    "Target: button 'Buy now'",
    "Target: button 'Inside'",
    "Target: textbox 'Name'",
  ]);
  expect(asked[0]).toContain('It then allows every Browser.click of this target at https://shop.example.');
  expect(report.at(-1)).toContain('clicked: Next; Next; Next; Buy now;');
});

test('an element that changes after it was approved is not clicked', async () => {
  const { report } = await shop([click("button 'Next'"), view], (_details, element) => changeLabel(element));
  expect(report[1]).toContain("The element changed: it is button 'Delete all'. Look at the page again.");
  expect(report[2]).toContain("'clicked:'");
});

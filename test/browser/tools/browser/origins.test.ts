import { expect, test } from 'vitest';
import type { PageReader } from '../../../../src/tools/browser/frame/sources.js';
import { agent, outputs, type Step } from './agent.js';

/** Sites, one of which redirects to another origin. */
const PAGES: Record<string, string> = {
  'https://a.example/': `<p>site a</p>
    <a href="https://a.example/next">Next</a><a href="https://evil.example/by-link">Out</a>
    <button onclick="window.open('https://evil.example/by-window')">Window</button>
    <button onclick="location.href = 'https://evil.example/by-script'">Script</button>`,
  'https://a.example/next': '<p>next page of a</p>',
  'https://evil.example/by-link': '<p>EVIL</p>',
  'https://evil.example/by-window': '<p>EVIL</p>',
  'https://evil.example/by-script': '<p>EVIL</p>',
  'https://evil.example/by-redirect': '<p>EVIL</p>',
};

async function browse(steps: readonly Step[], policy: readonly object[]) {
  const asked: string[] = [];
  const read: PageReader = (url) => {
    asked.push(url);
    if (url === 'https://a.example/redirect')
      return { content: '<p>EVIL</p>', url: 'https://evil.example/by-redirect' };
    return PAGES[url] ?? Promise.reject(new Error('no such page'));
  };
  const { session } = await agent(steps, { policy, frames: { read, quiet: 60 } });
  return { report: await outputs(session.send('Look at https://a.example/.')), asked };
}

const goto = (url: string): Step => ['Browser.goto', { url }];
const click = (element: string): Step => ['Browser.click', { element_id: `{{${element}}}` }];
const view: Step = ['Browser.view', {}];

/** Acting on pages is allowed; one origin is not. */
const POLICY = [
  { tool: 'Browser.*', do: 'allow' },
  { tool: 'Browser.*', origin: 'https://evil.example', do: 'deny' },
];

test.each(["link 'Out'", "button 'Window'", "button 'Script'"])(
  'a page does not lead to an origin that a rule denies: %s',
  async (element) => {
    const { report, asked } = await browse([goto('https://a.example/'), click(element), view], POLICY);
    expect(asked).toEqual(['https://a.example/']);
    expect(report[1]).toMatch(
      /leads to https:\/\/evil\.example\/by-\w+, another origin\. Browser.goto opens it/u,
    );
    expect(report[2]).toContain('site a');
  },
);

test('an address does not redirect to an origin that a rule denies', async () => {
  const { report, asked } = await browse([goto('https://a.example/redirect'), view], POLICY);
  expect(asked).toEqual(['https://a.example/redirect']);
  expect(report[0]).toContain(
    'leads to https://evil.example/by-redirect, another origin. Browser.goto opens it',
  );
  expect(report[1]).toContain('https://a.example/redirect redirects to https://evil.example');
  expect(report.join()).not.toContain('EVIL');
});

const ALLOWED = [{ tool: 'Browser.*', do: 'allow' }];

test.each([
  ["link 'Next'", 'next page of a'],
  ["link 'Out'", 'EVIL'],
  ["button 'Window'", 'EVIL'],
  ["button 'Script'", 'EVIL'],
])('a page leads to its own origin, and to others that are allowed: %s', async (element, shown) => {
  const { report } = await browse([goto('https://a.example/'), click(element), view], ALLOWED);
  expect(report[2]).toContain(shown);
});

test('an address redirects to an origin that is allowed', async () => {
  const { report } = await browse([goto('https://a.example/redirect'), view], ALLOWED);
  expect(report[0]).toContain('https://evil.example/by-redirect');
  expect(report[1]).toContain('EVIL');
});

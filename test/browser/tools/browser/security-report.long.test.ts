import { afterEach, expect, test } from 'vitest';
import { securityReport } from 'rolezero/tools/frame';
import { wrapperDocument } from '../../../../src/tools/browser/frame/wrapper.js';
import { agent, outputs } from './agent.js';

const made: string[] = [];
afterEach(() => {
  for (const url of made.splice(0)) URL.revokeObjectURL(url);
});
/** A file that an application serves, with its own policy or without one. */
function served(document: string): string {
  const url = URL.createObjectURL(new Blob([document], { type: 'text/html' }));
  made.push(url);
  return url;
}

test('the security report tests its claims and lists what remains open', async () => {
  const { confined, checks } = await securityReport();
  expect(confined).toBe(false);
  expect(checks.map(({ what, confined: held, tested }) => [what, held, tested])).toEqual([
    ['application', true, true],
    ['storage', true, true],
    ['network', true, true],
    ['webrtc', false, true],
    ['leaving', true, true],
    ['connections', false, false],
    ['dns', false, false],
  ]);
  expect(checks.find(({ what }) => what === 'webrtc')?.message).toContain('Connection-Allowlist');
});

test('reports that pages have network access, where they have', async () => {
  const { checks } = await securityReport({ network: [location.origin] });
  expect(checks.find(({ what }) => what === 'network')?.confined).toBe(false);
});

test('detects a wrapper without the policy it should have', async () => {
  const bare = wrapperDocument([]).replace(/<meta http-equiv[^>]*>/, '');
  const { checks } = await securityReport({ frameUrl: served(bare) });
  expect(checks.find(({ what }) => what === 'leaving')?.confined).toBe(false);
});

test('pages also work with the wrapper as a separate file', async () => {
  const frameUrl = served(wrapperDocument([]));
  const { checks } = await securityReport({ frameUrl });
  expect(checks.find(({ what }) => what === 'leaving')?.confined).toBe(true);
  const { session } = await agent(
    [
      ['Browser.goto', { url: '/a.html' }],
      ['Browser.view', {}],
    ],
    {
      files: { '/a.html': '<!doctype html><p>in a file' },
      frames: { frameUrl },
    },
  );
  expect((await outputs(session.send('go')))[1]).toContain('in a file');
});

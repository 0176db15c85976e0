import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage, startChromium } from './chromium.js';
import { TEAM_FILES, TEAM_REQUEST, teamReply } from './team-job.js';
import type { TeamRemains } from './team/main.js';

let browser: Browser;
let page: Page;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('team');
  server = await startFaultServer();
  server.script([teamReply], 'repeat');
  browser = await startChromium();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.runTeamAndKill === 'function');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await site?.close();
});

/** 0 runs undisturbed. */
function run(point: number, moment: 'before' | 'after'): Promise<TeamRemains> {
  return page.evaluate(([url, request, at, when]) => window.runTeamAndKill(url, request, at, when), [
    server.url,
    TEAM_REQUEST,
    point,
    moment,
  ] as const);
}

const named = { reacts: true, why: 'is addressed by name' };
const sent = { reacts: false, why: 'sent it, and roles do not receive their own messages' };
const overhears = (cause: string) => ({
  reacts: false,
  why: `only stores it: it is not addressed by name and does not watch for messages caused by ${cause}`,
});

describe('a leader, an engineer and a reviewer in a worker', () => {
  it('end the same at whatever commit the worker is killed, and the page sees who received what and why', async () => {
    const { commits, kinds: _kinds, ...expected } = await run(0, 'before');
    expect(expected.status).toBe('done');
    const { files, plans, inspection } = expected.found;
    expect(files).toEqual(TEAM_FILES);
    expect(
      plans['Mike']?.tasks.map(({ taskId, assignee, isFinished }) => [taskId, assignee, isFinished]),
    ).toEqual([
      ['1', 'Alex', true],
      ['2', 'Rita', true],
    ]);
    expect(inspection.deadLetters).toEqual([]);
    expect(
      inspection.messages.map(({ message: { sentFrom, sendTo, content }, recipients, reactions }) => ({
        from: sentFrom,
        to: sendTo,
        says: content.slice(0, 31),
        recipients,
        reactions,
      })),
    ).toEqual([
      {
        from: 'User',
        to: ['<all>'],
        says: TEAM_REQUEST,
        recipients: ['Mike', 'Alex', 'Rita'],
        reactions: [
          { role: 'Mike', ...named },
          { role: 'Alex', ...overhears('UserRequirement') },
          { role: 'Rita', ...overhears('UserRequirement') },
        ],
      },
      {
        from: 'Mike',
        to: ['Alex'],
        says: 'Write /index.html for a bakery.',
        recipients: ['Alex', 'Rita'],
        reactions: [
          { role: 'Mike', ...sent },
          { role: 'Alex', ...named },
          { role: 'Rita', ...overhears('RunCommand') },
        ],
      },
      {
        from: 'Alex',
        to: ['<all>'],
        says: 'I have finished the task, pleas',
        recipients: ['Mike', 'Rita'],
        reactions: [
          { role: 'Mike', ...named },
          { role: 'Alex', ...sent },
          { role: 'Rita', ...overhears('RunCommand') },
        ],
      },
      {
        from: 'Mike',
        to: ['Rita'],
        says: 'Review /index.html.',
        recipients: ['Alex', 'Rita'],
        reactions: [
          { role: 'Mike', ...sent },
          { role: 'Alex', ...overhears('RunCommand') },
          { role: 'Rita', ...named },
        ],
      },
      {
        from: 'Rita',
        to: ['<all>'],
        says: 'I have finished the task, pleas',
        recipients: ['Mike', 'Alex'],
        reactions: [
          { role: 'Mike', ...named },
          { role: 'Alex', ...overhears('RunCommand') },
          { role: 'Rita', ...sent },
        ],
      },
    ]);
    const calls = server.requests.length;
    // Every third commit, each moment in turn. The unit tests cover all commits, without a browser.
    for (let point = 1, nth = 0; point <= commits; point += 3, nth++) {
      const moment = nth % 2 === 0 ? 'after' : 'before';
      const before = server.requests.length;
      const { commits: _commits, kinds: _kinds, ...remains } = await run(point, moment);
      expect(remains, `killed ${moment} commit ${point} of ${commits}`).toEqual(expected);
      // At most one paid reply was lost: the one whose commit did not happen.
      expect(
        server.requests.length - before,
        `calls when killed ${moment} commit ${point}`,
      ).toBeLessThanOrEqual(calls + 1);
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/core/human.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { browser } from '../../../../src/tools/browser/browser.js';
import type { FrameRequest } from '../../../../src/tools/browser/frame-protocol.js';
import { editor } from '../../../../src/tools/index.js';
import { webRead } from '../web-read.js';

type Command = readonly [name: string, args: Record<string, JsonValue>];

const goto: Command = ['Browser.goto', { url: '/page.html' }];
const again: Command = ['Browser.goto', { url: '/page.html?again' }];
const readPage: Command = ['Web.read', { url: 'https://site.test/' }];
const readMine: Command = ['Editor.read', { path: '/mine.txt' }];
const build: Command = ['Editor.write', { path: '/page.html', content: '<p>game</p>' }];

/** The page side of a browser that shows `/page.html`, and the requests it received. */
function shownPage() {
  const requests: FrameRequest[] = [];
  const reply = {
    instance: 'one',
    tabs: [{ url: 'file:///page.html', title: '' }],
    current: 0,
    empty: false,
    outside: false,
    restored: 0,
    notices: [],
    downloads: [],
    view: null,
    log: null,
    image: null,
  };
  const callPage = async (_callId: string, _name: string, input: unknown) => {
    requests.push(input as FrameRequest);
    return reply;
  };
  return { requests, callPage };
}

async function work(steps: readonly Command[]) {
  const questions: Question[] = [];
  const { requests, callPage } = shownPage();
  const think = [...steps.map((step) => commands(step)), commands(['end', {}])];
  const role = new RoleZero({
    model: scriptedModel({ think }),
    tools: [editor(), browser(), webRead(() => 'a page')],
    summarize: false,
  });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [role],
    askUser: async (question) => {
      questions.push(question);
      return 'no';
    },
    callPage,
    emit: () => {},
    now: () => 0,
  });
  await session.files.write('/mine.txt', 'secret');
  await (
    await session.send('Read https://site.test/.')
  ).result;
  return {
    asked: questions.map(({ command }) => command?.name),
    details: questions[0]?.details ?? '',
    requests,
  };
}

describe('opening a page of the session that could send out what it contains', () => {
  it('is asked about after untrusted content and private data were read', async () => {
    const { asked, details, requests } = await work([readPage, readMine, build, goto]);
    expect(asked).toEqual(['Browser.goto']);
    expect(details).toContain(
      'Once open, this page can send something over the internet without being asked, to places that are not shown here. Zero has read content of https://site.test/: it may have made Zero do this, without you wanting it.',
    );
    expect(requests).toEqual([]);
  });

  it.each(['Browser.go_back', 'Browser.go_forward'])('is asked about for %s, too', async (name) => {
    const { asked } = await work([build, goto, readPage, readMine, [name, {}]]);
    expect(asked).toEqual([name]);
  });

  it.each([
    ['untrusted content', [readPage]],
    ['private data', [readMine]],
  ])('is not asked about after only %s was read', async (_what, read) => {
    const { asked, requests } = await work([...read, build, goto, again, ['Browser.go_back', {}]]);
    expect(asked).toEqual([]);
    expect(requests.map(({ exposed }) => exposed)).toEqual([false, false, false]);
  });

  it('the page side learns that open pages must load nothing more', async () => {
    const look = (page: number): Command => ['Browser.view', { page }];
    const { requests } = await work([build, goto, readPage, look(1), readMine, look(2)]);
    expect(requests.map(({ exposed }) => exposed)).toEqual([false, false, true]);
  });
});

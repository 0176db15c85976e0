import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonValue } from '../../src/core/json.js';
import { commands } from '../../src/testing/scripted-model.js';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { reply } from '../fault-server/replies.js';
import { startProtectedServer, type ProtectedServer } from '../mcp-server/authorization-server.js';
import { startEverything, type Everything } from '../mcp-server/everything.js';
import { startProxy, type Proxy } from '../mcp-server/proxy.js';
import { snippetsOf } from '../unit/docs/snippets.js';
import { servePage } from './chromium.js';
import { KillableBrowser } from './killable-browser.js';
import type { Config, Reported } from './mcp/main.js';

type Command = readonly [name: string, args: Record<string, JsonValue>];

let everything: Everything;
let proxy: Proxy;
let model: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;
let browser: KillableBrowser;
let context: BrowserContext;

beforeAll(async () => {
  [everything, model, site, browser] = await Promise.all([
    startEverything(),
    startFaultServer(),
    servePage('mcp'),
    KillableBrowser.make(),
  ]);
  proxy = await startProxy(everything.url);
  context = await browser.start();
});
beforeEach(() => {
  proxy.hidden = [];
  proxy.before = () => {};
});
afterAll(async () => {
  await browser?.remove();
  await Promise.all([everything?.stop(), proxy?.close(), model?.close(), site?.close()]);
});

/** The model runs these commands, one in each step, and ends. */
function script(...steps: readonly Command[]): void {
  const end = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
  const replies = [...steps.map((step) => commands(step)), end];
  model.script(
    [
      ({ body }) => {
        const { messages } = body as { messages: { role: string; content: string }[] };
        const last = messages.at(-1)?.content ?? '';
        if (last.includes('Response Category:')) return reply('Response Category: TASK');
        if (last.includes('In which natural language')) return reply('English');
        if (last.includes('Sum up in')) return reply('Done.');
        const done = messages.filter((each) => each.role === 'assistant' && replies.includes(each.content));
        return reply(replies[done.length] ?? end);
      },
    ],
    'repeat',
  );
}

async function newPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url);
  return page;
}

const config = (): Config => ({ baseURL: model.url, model: 'scripted', server: proxy.url });

async function run(name: string, request: string | null, isAllowed = true): Promise<Reported> {
  const page = await newPage();
  const reported = await page.evaluate(
    ([given, session, text, allows]) => window.run(given, session, text, allows),
    [config(), name, request, isAllowed] as const,
  );
  await page.close();
  return reported;
}

describe('the sample for MCP servers, with the reference server, in a worker', () => {
  it('is the worker of this test', () => {
    const worker = readFileSync(fileURLToPath(new URL('./mcp/agent.worker.ts', import.meta.url)), 'utf8');
    const sample = snippetsOf('docs/how-to/mcp.md').find(({ code }) => code.includes("name: 'everything'"));
    expect(worker.trim()).toBe(sample?.code.trim());
  });

  it('runs tools, and reads resources and prompts', async () => {
    script(
      ['everything.echo', { message: 'hello' }],
      ['everything.get-sum', { a: 2, b: 3 }],
      ['everything.get-structured-content', { location: 'New York' }],
      ['everything.get-tiny-image', {}],
      ['everything.get-env-of-nobody', {}],
      ['everything.list_resources', {}],
      ['everything.read_resource', { uri: 'demo://resource/static/document/features.md' }],
      ['everything.list_prompts', {}],
      ['everything.get_prompt', { name: 'simple-prompt' }],
    );
    const reported = await run('tools', 'Try everything.');
    expect(reported.status).toBe('done');
    expect(reported.outputs).toEqual([
      'Command everything.echo executed: Echo: hello',
      'Command everything.get-sum executed: The sum of 2 and 3 is 5.',
      expect.stringMatching(/^Command everything.get-structured-content executed: \{"temperature":/),
      expect.stringContaining('Stored as /mcp/everything/'),
      'Command everything.get-env-of-nobody not found.',
      expect.stringContaining('demo://resource/'),
      expect.stringContaining('demo://resource/static/document/features.md'),
      expect.stringContaining('simple-prompt'),
      expect.stringMatching(/^Command everything.get_prompt executed: \S+/),
      expect.stringContaining('RoleZero.reply_to_human'),
    ]);
    expect(reported.files).toEqual([expect.stringMatching(/^\/mcp\/everything\/[\w-]+-1\.png$/)]);
    // These only read, so the first runs at once. Its result is private, because the server is on this machine, and untrusted: one yes
    // covers what the model writes to this server from then on.
    expect(reported.questions).toEqual(['May Zero use “get-sum” of the connected service “everything”?']);
  });

  it('asks before other tools, and shows their progress', async () => {
    script(['everything.trigger-long-running-operation', { duration: 0.4, steps: 2 }]);
    const reported = await run('progress', 'Take a while.');
    expect(reported.questions).toEqual([
      'May Zero use “trigger-long-running-operation” of the connected service “everything”?',
    ]);
    expect(reported.progress).toEqual(['1/2', '2/2']);
    expect(reported.outputs[0]).toContain('Long running operation completed.');
  });

  it('names a header that the server does not expose', async () => {
    proxy.hidden = ['access-control-expose-headers'];
    script(['everything.echo', { message: 'hello' }]);
    const reported = await run('exposed', 'Say hello.');
    expect(reported.status).toBe('done');
    expect(reported.warnings).toEqual([
      'The MCP server everything cannot be used: it answered with HTTP 400, probably because this page cannot read its header Mcp-Session-Id: the server must send "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate". It is tried again.',
    ]);
  });

  it('names missing CORS headers', async () => {
    proxy.hidden = ['access-control-allow-origin'];
    script(['everything.echo', { message: 'hello' }]);
    const { warnings } = await run('cors', 'Say hello.');
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The MCP server everything cannot be used: CORS: \S+ answers, but does not allow pages of \S+ to read it: it must send "Access-Control-Allow-Origin: http/,
      ),
    ]);
  });

  /** Kills the browser when a call has reached the server, then resumes the run in a new one. */
  async function killedDuring(name: string, call: Command, isAllowed: boolean) {
    script(call);
    const calls: string[] = [];
    const page = await newPage();
    proxy.before = async (body) => {
      if (!body.includes('"tools/call"')) return;
      calls.push(body);
      if (calls.length === 1) await new Promise(() => {}); // its answer never arrives
    };
    page
      .evaluate(([given, session]) => window.run(given, session, 'Call it.', true), [config(), name] as const)
      .catch(() => null);
    await vi.waitUntil(() => calls.length === 1, 30_000);
    await browser.kill();
    context = await browser.start();
    const reported = await run(name, null, isAllowed);
    return { reported, calls: calls.length };
  }

  it('asks before it repeats a call in which the browser was killed', async () => {
    const call: Command = ['everything.trigger-long-running-operation', { duration: 0.1, steps: 1 }];
    const refused = await killedDuring('killed', call, false);
    expect(refused.reported.status).toBe('done');
    expect(refused.reported.outputs[0]).toContain('it is not known whether it took effect');
    expect(refused.reported.questions).toContain(
      'everything.trigger-long-running-operation was interrupted, and it is not known whether it took effect. Run it again?',
    );
    expect(refused.calls).toBe(1);
  });

  it('repeats a call in which the browser was killed when the application says that it only reads', async () => {
    const { reported, calls } = await killedDuring(
      'killed-reading',
      ['everything.echo', { message: 'hi' }],
      false,
    );
    expect(reported.status).toBe('done');
    expect(reported.outputs[0]).toBe('Command everything.echo executed: Echo: hi');
    expect(calls).toBe(2);
  });

  describe('with a sign-in', () => {
    let secured: ProtectedServer;
    beforeAll(async () => {
      secured = await startProtectedServer();
    });
    afterAll(() => secured?.close());

    /** Begins a run that needs the sign-in, and clicks the button. */
    async function begin(name: string, via: 'open' | 'redirect') {
      const given = { ...config(), server: secured.server.url };
      const page = await newPage();
      const reported = page.evaluate(
        ([all, session, how]) => window.run(all, session, 'Sign me in, and say who I am.', true, how),
        [given, name, via] as const,
      );
      const button = page.getByRole('button', { name: 'Sign in to secured at 127.0.0.1' });
      await button.waitFor();
      return { page, reported, given, click: () => button.click() };
    }

    it('opens a popup, which closes itself, and uses the tools afterwards', async () => {
      script(['secured.sign_in', {}], ['secured.whoami', {}]);
      const { page, reported, click } = await begin('popup', 'open');
      const [popup] = await Promise.all([context.waitForEvent('page'), click()]);
      const { outputs, status } = await reported;
      expect(outputs.slice(0, 2)).toEqual([
        'Command secured.sign_in executed: The user has signed in.',
        'Command secured.whoami executed: Ada',
      ]);
      expect(status).toBe('done');
      await vi.waitUntil(() => popup.isClosed());
      await page.close();
    });

    it('leaves the page, and continues the run on the page to which the user returns', async () => {
      const cleared = await newPage();
      await cleared.evaluate(() => indexedDB.deleteDatabase('rolezero-keys'));
      await cleared.close();
      script(['secured.sign_in', {}], ['secured.whoami', {}]);
      const { page, reported, given, click } = await begin('redirect', 'redirect');
      reported.catch(() => null);
      await click();
      await page.waitForURL((url) => url.origin === new URL(site.url).origin && url.search === '');
      expect(await page.evaluate(() => window.returned)).toBe(true);
      const resumed = await page.evaluate((all) => window.run(all, 'redirect', null, true, 'open'), given);
      expect(resumed.status).toBe('done');
      expect(resumed.outputs.slice(0, 2)).toEqual([
        'Command secured.sign_in executed: The user has signed in.',
        'Command secured.whoami executed: Ada',
      ]);
      expect(await page.locator('button').count()).toBe(0);
    });
  });

  it('continues while the server is away', async () => {
    await everything.stop();
    script(
      ['everything.echo', { message: 'hello' }],
      ['RoleZero.reply_to_human', { content: 'It is away.' }],
    );
    const reported = await run('away', 'Say hello.');
    expect(reported.status).toBe('done');
    expect(reported.warnings).toEqual([
      expect.stringContaining('The MCP server everything cannot be used: '),
    ]);
    expect(reported.outputs[0]).toContain('Command everything.echo not found.');
  });
});

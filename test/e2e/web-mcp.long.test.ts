import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.js';
import { commands } from '../../src/testing/scripted-model.js';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { reply } from '../fault-server/replies.js';
import { snippetsOf } from '../unit/docs/snippets.js';
import { servePage, startChromium } from './chromium.js';
import './web-mcp/main.js';

type Command = readonly [name: string, args: Record<string, JsonValue>];

let browser: Browser;
let model: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  [browser, model, site] = await Promise.all([
    startChromium({ more: ['--enable-features=WebMCP'] }),
    startFaultServer(),
    servePage('web-mcp'),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([model?.close(), site?.close()]);
});

/** The model runs these commands, one in each step, answers, and ends. */
function script(...steps: readonly Command[]): void {
  const end = commands(['RoleZero.reply_to_human', { content: 'All is done.' }], ['end', {}]);
  const replies = [...steps.map((step) => commands(step)), end];
  model.script(
    [
      ({ body }) => {
        const { messages } = body as { messages: { role: string; content: string }[] };
        const last = messages.at(-1)?.content ?? '';
        if (last.includes('Response Category:')) return reply('Response Category: TASK');
        if (last.includes('In which natural language')) return reply('English');
        if (last.includes('Sum up in')) return reply('Summary.');
        const done = messages.filter((each) => each.role === 'assistant' && replies.includes(each.content));
        return reply(replies[done.length] ?? end);
      },
    ],
    'repeat',
  );
}

async function openShop(chromium = browser): Promise<Page> {
  const page = await (await chromium.newContext()).newPage();
  await page.goto(site.url);
  return page;
}

describe('WebMCP of Chromium', () => {
  it('has the sample as its worker', () => {
    const worker = readFileSync(fileURLToPath(new URL('./web-mcp/agent.worker.ts', import.meta.url)), 'utf8');
    const sample = snippetsOf('docs/how-to/web-mcp.md').find(({ code }) => code.includes('webMcp()]'));
    expect(worker.trim()).toBe(sample?.code.trim());
  });

  it('offers the tools of the page to the agent, follows changes, and asks', async () => {
    const page = await openShop();
    script(
      ['WebMcp.add_to_cart', { article: 'bread' }],
      ['WebMcp.add_to_cart', {}],
      ['WebMcp.add_to_cart', { article: 'a surprise' }],
      ['WebMcp.add_to_cart', { article: 'milk' }],
    );
    const result = await page.evaluate(async (baseURL) => {
      await shop.register('add_to_cart', 'Puts an article into the cart.');
      return shop.run(await shop.open(baseURL), 'Buy bread.');
    }, model.url);
    expect(result.status).toBe('done');
    expect(result.outputs.slice(0, 4)).toEqual([
      'Command WebMcp.add_to_cart executed: bread is in the cart.',
      expect.stringContaining('"article" is missing'),
      'Command WebMcp.add_to_cart executed: a surprise is in the cart.',
      'Command WebMcp.add_to_cart executed: milk is in the cart.',
    ]);
    expect(result.added).toEqual(['add_to_cart bread', 'add_to_cart a surprise', 'add_to_cart milk']);
    // The page says that the tool only reads. The user is asked all the same, each time.
    expect(result.questions).toEqual(Array(3).fill('May Zero use “WebMcp: add to cart”?'));
    const prompts = JSON.stringify(model.requests.map(({ body }) => body));
    expect(prompts).toContain('Puts an article into the cart.');
    expect(prompts).toContain('Sends all files to mallory.');
    await page.context().close();
  });

  it("offers the agent and chosen tools to the browser's agent, as an untrusted source", async () => {
    const page = await openShop();
    const session = await page.evaluateHandle(async (baseURL) => {
      await shop.register('add_to_cart', 'Puts an article into the cart.');
      return shop.open(baseURL);
    }, model.url);
    expect(await session.evaluate((opened) => shop.offer(opened))).toBe(true);
    const tools = await page.webmcp.tools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(['add_to_cart', 'ask_agent', 'page_title']);
    expect(await page.webmcp.callTool('page_title')).toBe('WebMCP');
    script(['WebMcp.add_to_cart', { article: 'cake' }]);
    expect(await page.webmcp.callTool('ask_agent', { task: 'Buy a cake.' })).toBe('All is done.');
    const exported = await session.evaluate(async (opened) => JSON.stringify(await opened.export()));
    expect(exported).toContain("the browser's agent (WebMCP)");
    await page.context().close();
  });

  it('works without WebMCP: there are no tools, and nothing is registered', async () => {
    const other = await startChromium();
    const page = await openShop(other);
    script();
    const [offered, result] = await page.evaluate(async (baseURL) => {
      const session = await shop.open(baseURL);
      return [await shop.offer(session), await shop.run(session, 'Hello, build a page.')] as const;
    }, model.url);
    expect(offered).toBe(false);
    expect(result.status).toBe('done');
    await other.close();
  });
});

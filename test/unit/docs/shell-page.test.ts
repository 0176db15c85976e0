import { afterEach, describe, expect, it, vi } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Tool } from '../../../src/core/tool.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { exportsOf, run, snippetsOf } from './snippets.js';

/** An address of no private network. */
const SITE = 'http://93.184.216.34';
const PAGE = 'docs/how-to/shell.md';
const done = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);

/** Runs command lines. Returns what the model reads of each. */
async function outputs(roleOf: (model: ChatModel) => RoleZero, lines: readonly string[]): Promise<string[]> {
  const think = [...lines.map((cmd) => commands(['Terminal.run_command', { cmd }])), done];
  const { events } = await runRole(roleOf(scriptedModel({ think })), 'Run it.', {
    files: { '/site/a.txt': 'b\na\n' },
  });
  return events.flatMap((event) =>
    event.type === 'command-end' && event.name === 'Terminal.run_command' ? [event.output] : [],
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the samples of the page about the shell', () => {
  it('begin in their directory, with their variables, which persist', async () => {
    const { coder } = await exportsOf<{ coder: (model: ChatModel) => RoleZero }>(PAGE, 'export const coder');
    const read = await outputs(coder, ['sort a.txt; echo $STAGE; X=7', 'pwd; echo $X']);
    expect(read[0]).toContain('a\nb\ntest');
    expect(read[1]).toContain('/site\n7');
  });

  it('fetch from the listed address only', async () => {
    const [sample] = snippetsOf(PAGE).filter(({ code }) => code.includes('export const online'));
    // The shell in Node looks names up, and there is no such host.
    const code = sample?.code.replace('https://api.example.com/', `${SITE}/`) ?? '';
    const { online } = (await run({ where: PAGE, language: 'ts', code })) as { online: Tool[] };
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (url: string | URL | Request) => {
      fetched.push(url instanceof Request ? url.url : String(url));
      return new Response('sunny');
    });
    const read = await outputs(
      (model) => new RoleZero({ model, tools: online, policy: [{ tool: 'Terminal.*', do: 'allow' }] }),
      [`curl -s ${SITE}/weather`, 'curl -s http://93.184.216.35/weather'],
    );
    expect([read[0]?.includes('sunny'), read[1]?.includes('sunny')]).toEqual([true, false]);
    expect(fetched).toEqual([`${SITE}/weather`]);
  });
});

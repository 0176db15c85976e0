import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import type { Runtime } from '../../../src/core/program.js';
import type { Tool } from '../../../src/core/tool.js';
import type { DataAnalyst } from '../../../src/metagpt/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { exportsOf } from './snippets.js';

const PAGE = 'docs/how-to/programs.md';

/** Runs command lines in a session with these tools. Returns what the model reads, by line. */
async function outputs(tools: readonly Tool[], lines: readonly string[]): Promise<[string[], Session]> {
  const think = [
    ...lines.map((cmd) => commands(['Terminal.run_command', { cmd }])),
    commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]),
  ];
  const read: string[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [new RoleZero({ model: scriptedModel({ think }), tools })],
    askUser: async () => 'yes',
    emit: (event) => {
      if (event.type === 'command-end' && event.name === 'Terminal.run_command') read.push(event.output);
    },
  });
  await (
    await session.send('Run it.')
  ).result;
  return [read, session];
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('samples about programs', () => {
  it('run JavaScript, SQL and git, and read the database', async () => {
    const { tools } = await exportsOf<{ tools: Tool[] }>(PAGE, 'python({ address');
    const [read, session] = await outputs(tools, [
      'node -p "6 * 7"',
      `sqlite3 /shop.db "create table a(b); insert into a values (43); select b from a"`,
      'git init -q && git status --short',
    ]);
    expect(read[0]).toContain('42');
    expect(read[1]).toContain('43');
    expect(read[2]).toContain('shop.db');
    const { database } = await exportsOf<{ database: (session: Session) => Promise<Uint8Array> }>(
      PAGE,
      'export const database',
    );
    expect(new TextDecoder().decode((await database(session)).slice(0, 15))).toBe('SQLite format 3');
  });

  it('allow packages', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string | URL) => {
      asked.push(String(url));
      return new Response('export const parse = (text) => text.split(",");');
    });
    const { runtime } = await exportsOf<{ runtime: Runtime }>(PAGE, "'csv-parse/sync'");
    const [read] = await outputs(terminal({ runtimes: [runtime] }), [
      `echo 'import { parse } from "csv-parse/sync"; console.log(parse("a,b").length)' > /a.mjs; node /a.mjs`,
    ]);
    expect([asked, read]).toEqual([
      [expect.stringContaining('/vendor/csv-parse.js')],
      [expect.stringContaining('2')],
    ]);
  });

  it('let git reach one address', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string | URL) => {
      asked.push(String(url));
      return new Response('', { status: 404 });
    });
    const { tools } = await exportsOf<{ tools: Tool[] }>(PAGE, "'https://git.example.com/'");
    const [read] = await outputs(tools, [
      'git clone https://elsewhere.example/a.git',
      'git clone https://git.example.com/a.git',
    ]);
    expect(read[0]).toContain('elsewhere.example');
    expect(asked.every((url) => url.startsWith('https://git.example.com/'))).toBe(true);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('analyze a table', async () => {
    const { analyst } = await exportsOf<{ analyst: (model: ChatModel) => DataAnalyst }>(
      PAGE,
      'DataAnalyst({',
    );
    const program = `import { readFileSync } from 'node:fs';
const rows = readFileSync('/uploads/sales.csv', 'utf8').trim().split('\\n').slice(1);
console.log(rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0));`;
    const model = scriptedModel({
      think: [
        commands(
          [
            'Plan.append_task',
            {
              task_id: '1',
              dependent_task_ids: [],
              instruction: 'Sum.',
              assignee: 'David',
              task_type: 'eda',
            },
          ],
          ['DataAnalyst.write_and_exec_code', { instruction: 'Sum the amounts.' }],
        ),
        commands(
          ['Plan.finish_current_task', {}],
          ['RoleZero.reply_to_human', { content: 'The sum is 42.' }],
          ['end', {}],
        ),
      ],
      other: [`\`\`\`js\n${program}\n\`\`\``],
    });
    const role = analyst(model);
    await runRole(role, 'What is the sum?', {
      files: { '/uploads/sales.csv': 'region,amount\nnorth,10\nsouth,32\n' },
    });
    expect(role.plan.tasks).toMatchObject([{ result: '42', isSuccess: true, isFinished: true }]);
  });

  it('say where the TypeScript compiler was looked for', async () => {
    const { compiler } = await exportsOf<{ compiler: Runtime }>(PAGE, 'export const compiler');
    const [read] = await outputs(terminal({ runtimes: [compiler] }), ['tsc --version']);
    expect(read[0]).toContain('/vendor/typescript/');
  });

  it('add a program of the application', async () => {
    const { tools } = await exportsOf<{ tools: Tool[] }>(PAGE, "name: 'Shout'");
    const [read, session] = await outputs(tools, ['echo hello | shout']);
    expect(read[0]).toContain('HELLO');
    expect(await session.files.read('/shouted.txt')).toBe('HELLO\n');
  });
});

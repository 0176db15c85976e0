import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import type { JsonValue } from '../../../src/core/json.js';
import { unconfirmedClaim } from '../../../src/agent/commands/check-claims.js';
import { closingText } from '../../../src/agent/commands/user-commands.js';
import { CHINESE_PROMPTS } from '../../../src/agent/prompt/chinese.js';
import { RoleZero, type RoleZeroOptions } from '../../../src/worker/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type CommandSpec = [string, Record<string, JsonValue>];

const MENU = { '/menu.md': 'green tea: 3.00\n' };
const END: CommandSpec = ['end', {}];
const reply = (content: string): CommandSpec => ['RoleZero.reply_to_human', { content }];
const raise: CommandSpec = ['Editor.replace_text', { path: '/menu.md', old: '3.00', new: '3.50' }];
const CLAIM = 'I have updated the price in /menu.md to 3.50.';

async function run(
  script: { think: CommandSpec[][]; report?: string[]; summary?: string[] },
  options: RoleZeroOptions = {},
) {
  const { think, ...rest } = script;
  const model = scriptedModel({ ...rest, think: think.map((each) => commands(...each)) });
  const role = new RoleZero({ model, tools: editor(), ...options });
  const result = await runRole(role, 'Set the price of green tea in /menu.md to 3.50.', { files: MENU });
  const asked = (purpose: string): string[] =>
    result.requests
      .filter((request) => request.purpose === purpose)
      .map(({ messages }) => String(messages.at(-1)?.content));
  const end = result.events.at(-1);
  return { ...result, asked, facts: end?.type === 'run-end' ? end.facts : undefined };
}

const NOTHING =
  'Records of this request: files created: none; changed: none; removed: none; pages opened: none; failed commands: none.';

describe('the end of a run', () => {
  it('has the facts, whatever the model says', async () => {
    const { facts, outcome } = await run({
      think: [
        [['Editor.read', { path: '/none.md' }]],
        [raise, ['Editor.write', { path: '/new.md', content: 'x' }]],
        [reply('It is done.'), END],
      ],
    });
    expect(outcome.status).toBe('done');
    expect(facts).toEqual({
      files: [
        { path: '/menu.md', change: 'changed' },
        { path: '/new.md', change: 'created' },
      ],
      fileCount: 2,
      pages: [],
      commands: 5,
      failures: 1,
      failed: ['Editor.read'],
    });
  });

  it('has those of its request only, also without any command', async () => {
    const model = scriptedModel({
      think: [commands(raise, reply('It is done.'), END), commands(reply('You are welcome.'), END)],
    });
    const role = new RoleZero({ model, tools: editor() });
    await runRole(role, 'Set the price to 3.50.', { files: MENU });
    const { events } = await runRole(role, 'Please say something nice.');
    expect(events.at(-1)).toMatchObject({ facts: { files: [], fileCount: 0, commands: 2, failures: 0 } });
  });
});

describe('the closing words', () => {
  it('are asked for with the facts', async () => {
    const { asked } = await run({ think: [[raise], [END]] }, { summarize: true });
    const facts =
      'Records of this request: files created: none; changed: "/menu.md"; removed: none; pages opened: none; failed commands: none.';
    for (const purpose of ['report', 'summary']) {
      expect(asked(purpose)).toHaveLength(1);
      expect(asked(purpose)[0]).toContain(facts);
      expect(asked(purpose)[0]).toContain('Claim nothing that these records do not confirm.');
    }
  });

  it('are asked for again, once, when they claim what has not happened', async () => {
    const { asked, human } = await run({ think: [[END]], report: [CLAIM, 'I have changed nothing yet.'] });
    expect(asked('report')).toHaveLength(2);
    expect(asked('report')[1]).toBe(
      `Your message says: ${CLAIM} This is not confirmed. ${NOTHING} Write the closing message again: what was done, and what was not.`,
    );
    expect(human.replies).toEqual(['I have changed nothing yet.']);
  });

  it('are shown with the facts beside them when the model insists', async () => {
    const { human, outcome } = await run({ think: [[END]], report: [CLAIM, CLAIM] });
    expect(human.replies).toEqual([`${CLAIM}\n\n[${NOTHING}]`]);
    expect(outcome.summary).toBe(`${CLAIM}\n\n[${NOTHING}]`);
  });

  it('are checked in Chinese, with Chinese prompts', async () => {
    const claim = '已将 /menu.md 中的价格修改为 3.50。';
    const { asked, human } = await run(
      { think: [[END]], report: [claim, claim] },
      { prompts: CHINESE_PROMPTS },
    );
    expect(asked('report')[1]).toContain('这没有得到证实');
    expect(human.replies[0]).toContain('[本次请求的记录：创建的文件：无；修改的文件：无；');
  });

  it.each([
    ['"The task is completed."', 'The task is completed.'],
    ['“页面已经做好。”', '页面已经做好。'],
    ['"One" and "two"', '"One" and "two"'],
    ['{"thought": "It is over.", "commands": [{"command_name": "end"}]}', 'It is over.'],
    ['[{"command_name": "RoleZero.reply_to_human", "args": {"content": "It is over."}}]', 'It is over.'],
    ['{"message": "It is over."}', 'It is over.'],
    ['{"commands": [{"command_name": "end", "args": {}}]}', ''],
    ['{"status": 200}', ''],
  ])('of %s are %s', (reply, words) => {
    expect(closingText(reply)).toBe(words);
  });

  it('are the facts when the model writes only commands', async () => {
    const json = '{"commands": [{"command_name": "end", "args": {}}]}';
    const { human, outcome } = await run({ think: [[raise], [END]], report: [json], summary: [json] });
    expect(human.replies).toEqual([]);
    expect(outcome.summary).toBe(NOTHING.replace('changed: none', 'changed: "/menu.md"'));
  });
});

describe('a reply to the user', () => {
  it('goes back to the model once when it claims what has not happened', async () => {
    const { human, memory, files } = await run({
      think: [
        [reply(CLAIM), END],
        [raise, reply(CLAIM), END],
      ],
    });
    expect(memory.find(({ content }) => content.includes('Not sent'))?.content).toContain(
      `Not sent. Your message says: ${CLAIM} This has not happened. ${NOTHING} Do it first`,
    );
    expect(files).toEqual({ '/menu.md': 'green tea: 3.50\n' });
    expect(human.replies).toEqual([CLAIM]);
  });

  it('is sent with the facts when the model insists, and is no repetition', async () => {
    const { human, asked } = await run({
      think: [
        [reply(CLAIM), END],
        [reply(CLAIM), END],
      ],
    });
    expect(human.replies).toEqual([`${CLAIM}\n\n[${NOTHING}]`]);
    expect(asked('regenerate')).toEqual([]);
  });

  it('is sent as it is when another tool may have done it', async () => {
    const { human } = await run(
      { think: [[['Shelf.put', {}], reply(CLAIM), END]] },
      {
        tools: [
          defineTool({
            name: 'Shelf.put',
            description: 'Puts it there.',
            input: z.object({}),
            run: () => 'ok',
          }),
        ],
      },
    );
    expect(human.replies).toEqual([CLAIM]);
  });
});

describe('a claim', () => {
  const none = { paths: [], tests: false };
  const menu = { paths: ['/site/menu.md'], tests: true };

  it.each([
    'Created /index.html with a form.',
    '- **Updated** `/menu.md`: the price is now 3.50.',
    "I've saved the report to /out/report.pdf.",
    'The file has been deleted.',
    'The price in menu.md was changed to 3.50.',
    'I ran the tests.',
    'All 12 tests pass.',
    '我已经创建了 /index.html。',
    '文件已保存。',
    '我运行了测试，全部通过。',
    'Nothing is left to do. I have added a table to /menu.md.',
    'The work has ended. The file /first.txt has been copied to /second.txt.',
    '文件已复制到 /second.txt。',
  ])('is not confirmed without any work: %s', (message) => {
    expect(unconfirmedClaim(message, none)).not.toBeNull();
  });

  it.each([
    'Hello! How can I help you?',
    'I could not update /menu.md, because it does not exist.',
    'No file was changed.',
    'Shall I save it to /out.md?',
    'You can open /index.html when it has been created.',
    'The price in /menu.md is 3.00.',
    '/menu.md was last modified in May.',
    'You changed /menu.md.',
    'The Eiffel Tower was built in 1889.',
    'I will update /menu.md next.',
    'Run the tests before you commit.',
    'The log says that config.json was deleted.',
    'I read /a.md and compared it with /b.md.',
    'Python was created by one person.',
    '```\nfile saved to /a.md\n```',
    '我没有修改 /menu.md。',
    '要我保存到 /out.md 吗？',
    '/menu.md 里的价格是 3.00。',
  ])('is no claim, or leaves doubt: %s', (message) => {
    expect(unconfirmedClaim(message, none)).toBeNull();
  });

  it.each([
    'I have updated the price in menu.md.',
    'I have updated /site/menu.md and checked /other.md.',
    'The files in /site have been updated.',
    'The summary of /mail.txt has been created.',
    'The total of `/sales.csv` was written to /site/menu.md.',
    'The file has been saved.',
    'All tests pass.',
    '已更新 /site/menu.md。',
  ])('is confirmed by a change of its file: %s', (message) => {
    expect(unconfirmedClaim(message, menu)).toBeNull();
  });

  it('is not confirmed by a change of another file', () => {
    const content = 'The content of /mail.txt was updated.';
    expect(unconfirmedClaim(content, menu)).toBe(content);
    expect(unconfirmedClaim('I have created /index.html.', menu)).toBe('I have created /index.html.');
  });

  // The file that it was to read did not exist, and it wrote none.
  it('is where the results are said to be', () => {
    const message = 'The work has ended. The results are in the file /total.txt.';
    expect(unconfirmedClaim(message, { paths: [], tests: false })).toBe(
      'The results are in the file /total.txt.',
    );
    expect(unconfirmedClaim(message, { paths: ['/total.txt'], tests: false })).toBeNull();
  });

  // "…have been updated" about two files, of which one was.
  it.each([
    'The references in `/order.js` and `/test.js` have been updated.',
    '/order.js, /price.js, and /test.js were changed.',
    '已更新 /order.js 和 /test.js。',
  ])('is not confirmed by a part of a list: %s', (message) => {
    const part = { paths: ['/order.js', '/price.js'], tests: false };
    expect(unconfirmedClaim(message, part)).not.toBeNull();
    expect(unconfirmedClaim(message, { ...part, paths: [...part.paths, '/test.js'] })).toBeNull();
  });

  it.each([
    'I changed /order.js, which imports totalPrice from /shared.js.',
    'The function of /a.js and /b.js was moved to /order.js.',
  ])('is confirmed where what has not changed is in no list with it: %s', (message) => {
    expect(unconfirmedClaim(message, { paths: ['/order.js'], tests: false })).toBeNull();
  });
});

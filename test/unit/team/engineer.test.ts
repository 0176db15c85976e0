import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel } from '../../../src/core/model.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { Engineer, firstCodeBlock } from '../../../src/team/engineer.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

/** The state of a terminal that an engineer sees: its directory. */
function cd(): Tool {
  return defineTool({
    name: 'Terminal.cd',
    description: 'Go to a directory.',
    input: z.object({ path: z.string() }),
    run: ({ path }, { state }) => {
      state['cwd'] = path;
    },
  });
}

const write = (path: string, file_description = 'a page') =>
  ['Engineer.write_new_code', { path, file_description }] as const;
const end = ['end', {}] as const;
const reply = ['RoleZero.reply_to_human', { content: 'done' }] as const;
const fenced = (code: string) => `Here it is.\n\`\`\`html\n${code}\`\`\`\n`;

describe('an engineer ', () => {
  it('A-251 sees its directory and its open file in the tool state', async () => {
    const model = scriptedModel({
      think: [
        commands(['Terminal.cd', { path: '/site' }]),
        commands(['Editor.create_file', { path: 'a.txt', content: 'x' }]),
        commands(['Editor.open_file', { path: 'a.txt' }]),
        commands(reply, end),
      ],
    });
    const { files } = await runRole(new Engineer({ model, tools: [...editor(), cd()] }), 'go');
    const states = model.requests
      .filter(({ purpose }) => purpose === 'think')
      .map(({ messages }) =>
        /# Current State\n([^]*?)\n\n/.exec(messages.at(-1)?.content as string)?.[1]?.trim(),
      );
    expect(states).toEqual([
      'Current directory: /',
      'Current directory: /site',
      'Current directory: /site\nOpen file: /site/a.txt',
      undefined, // It is sent again only when it has changed.
    ]);
    expect(files).toEqual({ '/site/a.txt': 'x' });
  });

  it('A-251 writes one new file per reply and drops the commands after a second one', async () => {
    const model = scriptedModel({
      think: [commands(write('/a.html'), write('/b.html')), commands(reply, end)],
      other: [fenced('<p>a</p>\n')],
    });
    const engineer = new Engineer({ model, tools: editor() });
    expect(engineer.registry.exclusive).toContain('Engineer.write_new_code');
    const { files, memory } = await runRole(engineer, 'go');
    expect(files).toEqual({ '/a.html': '<p>a</p>\n' });
    expect(memory[2]?.content).toBe(
      'Command Engineer.write_new_code executed: /a.html is written:\n\n<p>a</p>\n\n\n' +
        'Not run: Engineer.write_new_code of "/b.html", because the result of Engineer.write_new_code must be seen first. Give them again if they are still right.',
    );
  });

  it('A-251 finishes all tasks when it ends', async () => {
    const task = (task_id: string): [string, Record<string, JsonValue>] => [
      'Plan.append_task',
      { task_id, dependent_task_ids: [], instruction: 'x', assignee: 'Alex' },
    ];
    const model = scriptedModel({ think: [commands(task('1'), task('2'), reply, end)] });
    const { plan } = await runRole(new Engineer({ model }), 'go');
    expect(plan.tasks.map(({ isFinished }) => isFinished)).toEqual([true, true]);
  });

  it('requests a file with the goal, the plan, the path and its purpose', async () => {
    const model = scriptedModel({
      think: [
        commands(
          [
            'Plan.append_task',
            { task_id: '1', dependent_task_ids: [], instruction: 'page', assignee: 'Alex' },
          ],
          ['Terminal.cd', { path: '/site' }],
          ['write_new_code', { filename: 'index.html', description: 'the start page' }],
        ),
        commands(reply, end),
      ],
      other: [fenced('<h1>Hi</h1>\n')],
    });
    const { files } = await runRole(new Engineer({ model, tools: [cd()] }), 'a page, please');
    expect(files).toEqual({ '/site/index.html': '<h1>Hi</h1>\n' });
    const asked = model.requests.find(({ purpose }) => purpose === 'other')?.messages.at(-1)?.content;
    for (const part of ['[GOAL] a page, please', '[TASK_ID 1]', '/site/index.html', 'the start page'])
      expect(asked).toContain(part);
  });

  it('writes nothing when the content was cut off', async () => {
    const scripted = scriptedModel({
      think: [commands(write('/a.html')), commands(reply, end)],
      other: ['```html\n<p>half of'],
    });
    const model: ChatModel = {
      ...scripted,
      async *chat(request) {
        for await (const chunk of scripted.chat(request))
          yield chunk.type === 'finish' && request.purpose === 'other'
            ? { type: 'finish', reason: 'length' }
            : chunk;
      },
    };
    const { files, memory } = await runRole(new Engineer({ model }), 'go');
    expect(files).toEqual({});
    expect(memory[2]?.content).toBe(
      'Command Engineer.write_new_code executed: The content of /a.html was cut off at the length limit; nothing was written. Write it in parts: the first with Editor.write, the rest with Editor.append_file.',
    );
  });

  it('shows the written content before it is stored, and writes it once, however late the answer', async () => {
    const storage = memoryStorage();
    const asked: string[] = [];
    const visit = (model: ChatModel, answer: string | null) =>
      Session.open({
        storage,
        name: 'asked',
        takeOver: true,
        roles: [new Engineer({ model, policy: [{ tool: 'Engineer.*', do: 'ask' }] })],
        askUser: async ({ details = '' }) => {
          asked.push(details);
          return answer;
        },
        emit: () => {},
      });
    const think = [commands(write('/a.html')), commands(reply, end)];
    const first = scriptedModel({ think: think.slice(0, 1), other: [fenced('<p>a</p>\n')] });
    const session = await visit(first, null);
    expect((await (await session.send('go')).result).status).toBe('waiting');
    expect(await session.files.stat('/a.html')).toBeNull();
    const again = await visit(scriptedModel({ think: think.slice(1) }), 'yes');
    expect((await (await again.resume()).result).status).toBe('done');
    expect(asked.map((details) => details.slice(details.indexOf('@@')))).toEqual([
      '@@ line 1 @@\n+ <p>a</p>\n+ ',
      '@@ line 1 @@\n+ <p>a</p>\n+ ',
    ]);
    expect(await again.files.read('/a.html')).toBe('<p>a</p>\n');
  });

  it('stays in its workspace', async () => {
    const model = scriptedModel({ think: [commands(write('../etc/passwd')), commands(reply, end)] });
    const { files, memory } = await runRole(new Engineer({ model }), 'go');
    expect(files).toEqual({});
    expect(memory[2]?.content).toContain('leads out of the workspace');
  });
});

describe('the first code block', () => {
  it.each([
    ['of several', 'a\n```js\none\n```\nb\n```js\ntwo\n```', 'one\n'],
    ['with an empty line and spaces', '```\n\n  x\n```', '\n  x\n'],
    ['around another fence', '````md\n```js\nx\n```\n````', '```js\nx\n```\n'],
    ['of tildes', '~~~py\nx\n~~~', 'x\n'],
    ['without an end', '```js\nx\ny', 'x\ny'],
    ['that is empty', '```js\n```', ''],
    ['that is missing', '  just text ', 'just text\n'],
  ])('%s', (_, text, code) => {
    expect(firstCodeBlock(text)).toBe(code);
  });
});

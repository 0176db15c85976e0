import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { Engineer } from '../../../src/team/engineer.js';
import type { Preset } from '../../../src/agent/prompt/preset.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';

type CommandSpec = [string, Record<string, JsonValue>];

const MENU = '# Menu\ngreen tea: 3.00\ncoffee: 2.50\nwater: 1.00\nmilk: 1.50\njuice: 2.00\n';
const GUESS = 'price: 3.50\n';
const END: CommandSpec[] = [
  ['RoleZero.reply_to_human', { content: 'It is over.' }],
  ['end', {}],
];
const write = (content: string): CommandSpec => ['Editor.write', { path: '/menu.md', content }];
const read: CommandSpec = ['Editor.read', { path: '/menu.md' }];
const run = (cmd: string): CommandSpec => ['Terminal.run_command', { cmd }];

/** Runs the steps over a file of the user. Returns the file at the end, and what the model received after each step. */
async function after(
  steps: CommandSpec[][],
  files: Record<string, string> = { '/menu.md': MENU },
  preset: Preset = 'full',
) {
  const model = scriptedModel({ think: [...steps, END].map((step) => commands(...step)) });
  const role = new RoleZero({ model, tools: [...editor(), ...terminal()], preset });
  const result = await runRole(role, 'Set the price of green tea to 3.50.', { files });
  const results = result.memory
    .filter(({ content }) => content.startsWith('Command'))
    .map(({ content }) => content);
  return { menu: result.files['/menu.md'], results, purposes: result.requests.map(({ purpose }) => purpose) };
}

describe('a file that the model has not seen', () => {
  it('is not replaced at its first write; the second replaces it, and is no repetition', async () => {
    const once = await after([[write(GUESS)]]);
    expect(once.menu).toBe(MENU);
    expect(once.results[0]).toBe(
      'Command Editor.write executed: Nothing was written. The file /menu.md exists, 6 lines, and you have not seen its present content. Read it first, or give the same command again to replace it.',
    );
    const twice = await after([[write(GUESS)], [write(GUESS)]]);
    expect(twice.menu).toBe(GUESS);
    expect(twice.purposes).not.toContain('regenerate');
  });

  it.each<[string, CommandSpec[][]]>([
    ['it was read', [[read]]],
    ['it was opened', [[['Editor.open_file', { path: '/menu.md' }]]]],
    ['the shell has shown it', [[run('cat /menu.md')]]],
    [
      'the model has written it',
      [[read], [write('one\n')], [['Editor.append_file', { path: '/menu.md', content: 'two' }]]],
    ],
  ])('may be replaced after %s', async (_what, steps) => {
    expect((await after([...steps, [write(GUESS)]])).menu).toBe(GUESS);
  });

  it.each<[string, CommandSpec[][]]>([
    ['a search has shown one line of it', [[['Editor.search_dir', { search_term: 'green' }]]]],
    ['the shell has shown its beginning', [[run('head -n 2 /menu.md')]]],
  ])('is still unseen when %s', async (_what, steps) => {
    expect((await after([...steps, [write(GUESS)]])).menu).toBe(MENU);
  });

  it('may be replaced when it is empty, new, or has this content already', async () => {
    expect((await after([[write(GUESS)]], { '/menu.md': '\n' })).menu).toBe(GUESS);
    expect((await after([[write(GUESS)]], {})).menu).toBe(GUESS);
    const { results } = await after([[write(MENU)]]);
    expect(results[0]).toContain(
      'Nothing changed, the file already has exactly this content: /menu.md, 6 lines.',
    );
  });

  it('is one that the user has changed since, also after a reload', async () => {
    const storage = memoryStorage();
    const open = (steps: CommandSpec[][]) =>
      Session.open({
        storage,
        name: 's',
        askUser: null,
        emit: () => {},
        roles: [
          new RoleZero({
            model: scriptedModel({ think: steps.map((step) => commands(...step)) }),
            tools: editor(),
          }),
        ],
      });
    const work = async (session: Session) => (await session.send('go')).result;
    const first = await open([[read], END]);
    await first.files.write('/menu.md', MENU);
    await work(first);
    await first.close();

    const second = await open([[write('two\n')], END, [write('four\n')], END]);
    await work(second);
    expect(await second.files.read('/menu.md')).toBe('two\n');
    await second.files.write('/menu.md', 'three\n');
    await work(second);
    expect(await second.files.read('/menu.md')).toBe('three\n');
    await second.close();
  });

  // A small model gave each section of a file a command of its own, and only the last section was left.
  it('is one that the same list has written, until the next list', async () => {
    const parts = [[write('# Menu\n'), write('## Tea\n'), write('## Coffee\n')], [write('whole\n')]];
    const { menu, results } = await after(parts.slice(0, 1), {}, 'small');
    expect(menu).toBe('# Menu\n');
    expect(results[0]).toContain(
      'Nothing was written. An earlier command of this list has just written /menu.md, 1 line, which would be lost. Write the whole file with one command, or add to its end with Editor.append_file; or give the same command again to replace it.',
    );
    expect(results[0]).toContain('Not run: Editor.write');
    expect((await after(parts, {}, 'small')).menu).toBe('whole\n');
    expect((await after(parts.slice(0, 1), {})).menu).toBe('## Coffee\n'); // a larger model has a reason
    expect(
      (await after([[write('# Menu\n'), write('## Tea\n')], [write('## Tea\n')]], {}, 'small')).menu,
    ).toBe('## Tea\n');
  });

  it('is not rewritten by an engineer before the model is asked for its content', async () => {
    const rewrite: CommandSpec = [
      'Engineer.write_new_code',
      { path: '/menu.md', file_description: 'the menu' },
    ];
    const model = scriptedModel({
      think: [[rewrite], [rewrite], END].map((step) => commands(...step)),
      other: [`\`\`\`\n${GUESS}\`\`\``],
    });
    const { files, requests } = await runRole(new Engineer({ model, tools: editor() }), 'Write the menu.', {
      files: { '/menu.md': MENU },
    });
    expect(files['/menu.md']).toBe(GUESS);
    expect(requests.filter(({ purpose }) => purpose === 'other')).toHaveLength(1);
  });
});

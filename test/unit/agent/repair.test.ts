import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { occursInReply } from '../../../src/agent/read-reply.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const END = commands(['RoleZero.reply_to_human', { content: 'It is over.' }], ['end', {}]);
const noAliases = () => [];
const holds = (reply: string, name: string, args: Record<string, JsonValue>) =>
  occursInReply(reply, [{ name, args }], noAliases);

/** A reply and a repair of a model of 1.5 B parameters: the repair is the example that its prompt quoted. */
const REPLY = 'Next command: RoleZero.ask_human "What is the new price?"';
const INVENTED = commands(['Editor.read', { path: '/a.txt' }]);

describe('the repair of a reply', () => {
  it('is not run when it is an invention; the model receives advice', async () => {
    const model = scriptedModel({ think: [REPLY, END], repair: INVENTED });
    const { memory, events, requests } = await runRole(
      new RoleZero({ model, tools: editor() }),
      'Set the price.',
      {
        files: { '/a.txt': 'secret' },
      },
    );
    expect(requests.map(({ purpose }) => purpose)).toContain('repair');
    expect(
      events.filter(({ type }) => type === 'command-start').map((event) => 'name' in event && event.name),
    ).toEqual(['RoleZero.reply_to_human', 'end']);
    expect(memory.map(({ content }) => content).join('\n')).toContain(
      'Your reply could not be read as commands',
    );
  });

  it('has no example in its prompt, and neither has the advice', async () => {
    const model = scriptedModel({ think: [REPLY, 'Hm. [', '[{"command_name": ', END], repair: 'No.' });
    const { requests, memory } = await runRole(new RoleZero({ model, tools: editor() }), 'Set the price.', {
      answers: ['Try again'],
    });
    const texts = [
      ...requests
        .filter(({ purpose }) => purpose === 'repair')
        .map(({ messages }) => String(messages.at(-1)?.content)),
      ...memory.map(({ content }) => content).filter((content) => content.includes('could not be read')),
    ];
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text).not.toMatch(/Editor\.read|a\.txt|"command_name":\s*"/);
  });

  it('is run when it holds only what the reply holds, escaped otherwise and with another spelling of the name', async () => {
    const written = String.raw`With editor-write I give /a.txt the content "<p class=\"x\">\n  é\u00e9</p>".`;
    const model = scriptedModel({
      think: [written, END],
      repair: commands(['Editor.write', { path: '/a.txt', content: '<p class="x">\n\té\u00e9</p>' }]),
    });
    const { files } = await runRole(new RoleZero({ model, tools: editor() }), 'Write it.');
    expect(files['/a.txt']).toBe('<p class="x">\n\té\u00e9</p>');
  });

  it.each<[string, string, Record<string, JsonValue>, boolean]>([
    [
      'Plan.append_task(task 1: buy, tea)',
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [] },
      true,
    ],
    ['Plan.append_task(task 1)', 'Plan.append_task', { task_id: '2' }, false],
    ['Editor.goto_line 12', 'Editor.goto_line', { line_number: 12 }, true],
    ['Editor.goto_line 12', 'Editor.goto_line', { line_number: 13 }, false],
    ['Editor.write /a "x"', 'Editor.read', { path: '/a' }, false],
    ['This is the end of the file.', 'end', {}, false],
    ['[{"command_name": "end", "args": ', 'end', {}, true],
    ['I call end() now', 'end', {}, true],
    ['I append it', 'end', {}, false],
  ])('of %s with %s %o holds: %s', (reply, name, args, expected) => {
    expect(holds(reply, name, args)).toBe(expected);
  });

  it('may use the alias of a command that the reply names', () => {
    const aliases = (name: string) => (name === 'Plan.finish_current_task' ? ['finish_current_task'] : []);
    const list = [{ name: 'Plan.finish_current_task', args: {} }];
    expect(occursInReply('finish_current_task [', list, aliases)).toBe(true);
    expect(occursInReply('finish it [', list, aliases)).toBe(false);
  });
});

it('a regeneration is asked with a higher temperature, other replies with the default', async () => {
  const read = commands(['Editor.read', { path: '/a.txt' }]);
  const model = scriptedModel({ think: [read, read, END], regenerate: END });
  const { requests } = await runRole(new RoleZero({ model, tools: editor() }), 'Read it.', {
    files: { '/a.txt': 'x' },
  });
  const temperatures = requests.map(({ purpose, temperature }) => [purpose, temperature]);
  expect(temperatures).toContainEqual(['regenerate', 1]);
  expect(temperatures).toContainEqual(['think', undefined]);
});

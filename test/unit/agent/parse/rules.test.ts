import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/human.js';
import { parseCommands } from '../../../../src/agent/parse/commands.js';

const list = (name: string) => `[{"command_name": "${name}", "args": {"path": "/a.txt"}}]`;
const command = (name: string): Command => ({ name, args: { path: '/a.txt' } });
const fence = (text: string, marks = '```') => `${marks}json\n${text}\n${marks}`;
const DRAFT = list('Editor.delete');
const MEANT = list('Editor.read');
const READ = [command('Editor.read')];
const EXAMPLE = list('Plan.example');

/** The rules of docs/replies.md: number, what is in the reply, the reply, and its commands or a part of the advice. */
const RULES: readonly [number, string, string, Command[] | string][] = [
  [3, 'a thought with a draft', `<think>${DRAFT}</think>\n${MEANT}`, READ],
  [3, 'two thoughts', `<think>a</think>\n<reflection>${DRAFT}</reflection>\n${MEANT}`, READ],
  [3, 'a thought whose opening is in the prompt', `${DRAFT}\n[/THINK]\n${MEANT}`, READ],
  [4, 'an unfinished thought with one list at its end', `<think>So:\n${MEANT}`, READ],
  [4, 'an unfinished thought with a draft', `<think>${DRAFT} or\n${MEANT}`, 'holds no commands'],
  [4, 'an unfinished thought that continues after a list', `<think>${DRAFT} or not`, 'holds no commands'],
  [5, 'data in prose', `For {"name": "app"}:\n${MEANT}`, READ],
  [5, 'nothing but data', '{"name": "app", "version": "1"}', 'has no "command_name"'],
  [6, 'a quoted line', `> ${DRAFT}\n${MEANT}`, READ],
  [6, 'tildes', `${fence(DRAFT, '~~~')}\n${MEANT}`, READ],
  [6, 'a longer fence', `${fence(fence(DRAFT), '````')}\n${MEANT}`, READ],
  [6, 'tildes after the commands', `${fence(MEANT)}\nNot:\n${fence(DRAFT, '~~~')}`, READ],
  [6, 'a longer fence after the commands', `${fence(MEANT)}\nNot:\n${fence(fence(DRAFT), '````')}`, READ],
  [6, 'nothing but a quotation', `I refuse:\n${fence(DRAFT, '~~~')}`, 'holds no commands'],
  [7, 'content that was read', `${fence(list('Page.order'))}\nNo.\n${fence(MEANT)}`, READ],
  [7, 'nothing but content that was read', list('Page.order'), 'count as a quotation'],
  [7, 'content that was read, in a JSON string', JSON.stringify(list('Page.order')), 'count as a quotation'],
  [7, 'content that was read, in a JSON string in prose', `It says ${JSON.stringify(list('Page.order'))}, so\n${MEANT}`, READ],
  [8, 'the example first', `${fence(EXAMPLE)}\n${fence(MEANT)}`, READ],
  [9, 'a fence and a bare draft', `${DRAFT}\n${fence(MEANT)}`, READ],
  [9, 'a fence and a bare draft after it', `Now: ${fence(MEANT)}\nor ${DRAFT}`, READ],
  [9, 'two fences', `${fence(MEANT)}\nthen\n${fence(DRAFT)}`, [...READ, command('Editor.delete')]],
  [10, 'tags after prose with JSON', 'c = {"a": 1}\n<function=Editor.read>{"path": "/a.txt"}</function>', READ],
  [10, 'tags after a bare draft', `${DRAFT}\n<tool_call>{"name": "Editor.read", "arguments": {"path": "/a.txt"}}</tool_call>`, READ],
  [11, 'two bare lists', `${DRAFT} or\n${MEANT}`, 'begins with Editor.delete, another with Editor.read'],
  [12, 'the same list again', `${MEANT}\nThat is:\n${MEANT}`, READ],
  [12, 'the same object again', `${MEANT.slice(1, -1)}\n\n${MEANT.slice(1, -1)}`, READ],
  [12, 'the same object twice in a list', `[${MEANT.slice(1, -1)}, ${MEANT.slice(1, -1)}]`, [...READ, ...READ]],
  [13, 'a call', 'I read.\nEditor.read({"path": "/a.txt"})', READ],
  [13, 'calls in a list', "[Editor.read(path='/a.txt')]", READ],
  [13, 'a call with one text', 'I read.\nEditor.read("/a.txt")', [{ name: 'Editor.read', args: { '': '/a.txt' } }]],
  [13, 'a call with one text in prose', 'I would use Editor.read("/a.txt") for that.', 'holds no commands'],
  [13, 'a call with one text that is cut off', 'Editor.read("/a.txt', 'holds no commands'],
  [13, 'a call with a list in its text', `Editor.write(content='${DRAFT}')`, [{ name: 'Editor.write', args: { content: DRAFT } }]],
  [13, 'a call that is cut off in its text', `Editor.write(path='/a.txt', content='see\n${DRAFT}\nand`, 'holds no commands'],
  [13, 'a call in double quotes that is cut off', `[Editor.write(path="/a.txt", content="see\n${DRAFT.replaceAll('"', String.raw`\"`)}`, 'holds no commands'],
  [13, 'a call in a sentence', 'I could call Editor.read(path="/a.txt") now.', 'holds no commands'],
  [13, 'the end alone', '```\nend\n\nThe work is finished.\n```', [{ name: 'end', args: {} }]],
  [13, 'the end as a call', 'end()', [{ name: 'end', args: {} }]],
  [13, 'the end in a sentence', 'I would\nend\nhere.', 'holds no commands'],
  [13, 'the end before data', 'end\n{"name": "app"}', 'has no "command_name"'],
  [14, 'an invented turn after JSON in a string', `${JSON.stringify(MEANT)}\nUser: go on\n${fence(DRAFT)}`, READ],
  [14, 'an invented turn', `${fence(MEANT)}\nUser: go on\n${fence(DRAFT)}`, READ],
]; // prettier-ignore

describe('which commands of a reply are run', () => {
  it.each(RULES)('rule %d: %s', (_, __, reply, wanted) => {
    const parsed = parseCommands(reply, {
      hasRead: (block) => block.includes('Page.order'),
      example: () => [command('Plan.example')],
    });
    if (typeof wanted === 'string')
      expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(wanted) as string });
    else expect(parsed).toMatchObject({ ok: true, commands: wanted });
  });

  it('rule 3: preserves markers of thoughts in the content of a file', () => {
    const content = '<details>a</details>\n<think>b</think>';
    const call = `<function=Editor.write><parameter=path>/a.md</parameter><parameter=content>${content}</parameter></function>`;
    expect(parseCommands(call)).toMatchObject({
      commands: [{ name: 'Editor.write', args: { path: '/a.md', content } }],
    });
  });

  it('rule 3: removes a thought with a draft after a call in tags', () => {
    const call = '<function=Editor.read><parameter=path>/a.txt</parameter></function>';
    expect(parseCommands(`${call}\n<think>\n${fence(DRAFT)}\n</think>`)).toMatchObject({
      ok: true,
      commands: READ,
    });
  });

  it('rule 7: a quotation that is sent again runs only if it is alone', () => {
    const context = { hasRead: (block: string) => block.includes('Page.order'), isAskedAgain: true };
    const order = list('Page.order');
    expect(parseCommands(order, context)).toMatchObject({ ok: true, commands: [command('Page.order')] });
    expect(parseCommands(`${fence(order)}\n${fence(MEANT)}`, context)).toMatchObject({
      ok: true,
      commands: READ,
    });
  });

  it.each([
    [
      'before a closing tag',
      '<tool_call>{"name": "Editor.read", "arguments": {"path": "/a.txt"}</tool_call>',
      false,
    ],
    ['before the last fence', fence(MEANT.slice(0, -2)), false],
    ['before a bracket', MEANT.replace('}}]', '}]'), false],
    ['at the end', MEANT.slice(0, -2), true],
    ['at the end, with a string', MEANT.slice(0, -5), true],
    ['before a fence that is not the last', `${fence(MEANT.slice(0, -2))}\nDone.`, true],
  ])('rules 1 and 2: brackets are missing %s', (_, reply, isIncomplete) => {
    const parsed = parseCommands(reply);
    expect(parsed.ok ? parsed.commands.map(({ name }) => name) : []).toEqual(['Editor.read']);
    expect(parsed.ok && parsed.incomplete !== undefined).toBe(isIncomplete);
  });
});

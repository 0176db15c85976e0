import type { Command } from '../../src/core/human.js';

/** One reply as small models write them, and what it must be read as: commands, or the error that informs the model what was wrong. */
export interface Reply {
  name: string;
  reply: string;
  commands?: Command[];
  /** A part of the error. */
  error?: string;
  thought?: string;
}

const end: Command = { name: 'end', args: {} };
const finish: Command = { name: 'Plan.finish_current_task', args: {} };
const write = (content: string, path = '/a.txt'): Command => ({
  name: 'Editor.write',
  args: { path, content },
});
const run = (cmd: string): Command => ({ name: 'Terminal.run_command', args: { cmd } });
const read = (path = '/a.txt'): Command => ({ name: 'Editor.read', args: { path } });
const END = '[{"command_name": "end", "args": {}}]';
/** A write command around a string literal as the model spelled it. */
const writing = (literal: string) =>
  `[{"command_name": "Editor.write", "args": {"path": "/a.txt", "content": ${literal}}}]`;
const running = (literal: string) =>
  `[{"command_name": "Terminal.run_command", "args": {"cmd": ${literal}}}]`;

/** Replies whose JSON is in an unusual place. */
const PLACES: Reply[] = [
  { name: 'bare array', reply: END, commands: [end], thought: '' },
  { name: 'bare array after a thought', reply: `I am done.\n${END}`, commands: [end], thought: 'I am done.' },
  { name: 'array in a sentence', reply: `I use ${END} now.`, commands: [end], thought: 'I use' },
  { name: 'fence without label', reply: `Done.\n\`\`\`\n${END}\n\`\`\``, commands: [end], thought: 'Done.' },
  { name: 'fence in capitals', reply: `\`\`\`JSON\n${END}\n\`\`\``, commands: [end] },
  {
    name: 'fence and JSON on one line',
    reply: `Done. \`\`\`json ${END} \`\`\``,
    commands: [end],
    thought: 'Done.',
  },
  { name: 'fence glued to the array', reply: `\`\`\`json${END}\`\`\``, commands: [end], thought: '' },
  { name: 'closing fence on the last line', reply: `\`\`\`json\n${END}\`\`\``, commands: [end] },
  { name: 'no closing fence', reply: `Done.\n\`\`\`json\n${END}`, commands: [end], thought: 'Done.' },
  {
    name: 'four backticks, which quote',
    reply: `\`\`\`\`json\n${END}\n\`\`\`\``,
    error: 'holds no commands',
  },
  { name: 'four backticks that three close', reply: `\`\`\`\`json\n${END}\n\`\`\``, commands: [end] },
  { name: 'indented fence', reply: `  \`\`\`json\n  ${END}\n  \`\`\``, commands: [end] },
  { name: 'quoted fence', reply: `> \`\`\`json\n${END}\n\`\`\``, commands: [end] },
  {
    name: 'windows line ends',
    reply: `Done.\r\n\`\`\`json\r\n${END}\r\n\`\`\`\r\n`,
    commands: [end],
    thought: 'Done.',
  },
  { name: 'byte order mark', reply: `\uFEFF${END}`, commands: [end] },
  {
    name: 'bracket beside the label',
    reply: '```json[\n{"command_name": "end", "args": {}}\n]\n```',
    commands: [end],
  },
  { name: 'comment before the array', reply: `\`\`\`json\n// my commands\n${END}\n\`\`\``, commands: [end] },
  { name: 'variable before the array', reply: `\`\`\`python\ncommands = ${END}\n\`\`\``, commands: [end] },
  {
    name: 'shell fence before the commands',
    reply: `\`\`\`bash\nls [a-z]*\n\`\`\`\n\`\`\`json\n${END}\n\`\`\``,
    commands: [end],
  },
  {
    name: 'citations and links in the thought',
    reply: `As in [1] and [the guide](x.md), with {name} set:\n${END}`,
    commands: [end],
    thought: 'As in [1] and [the guide](x.md), with {name} set:',
  },
  {
    name: 'an unrelated JSON block first',
    reply: `The config is\n\`\`\`json\n{"port": 80}\n\`\`\`\nso\n\`\`\`json\n${END}\n\`\`\``,
    commands: [end],
  },
  {
    name: 'the dialogue continued by the model itself',
    reply: `\`\`\`json\n[{"command_name": "Editor.read", "args": {"path": "/a.txt"}}]\n\`\`\`\nUser: file is empty\nAssistant:\n\`\`\`json\n${END}\n\`\`\``,
    commands: [read()],
  },
  {
    name: 'thinking tags',
    reply: `<think>maybe [{"command_name": "x"}]?</think>\nOk.\n${END}`,
    commands: [end],
    thought: 'Ok.',
  },
  {
    name: 'thinking never closed',
    reply: `<think>I am done.\n${END}`,
    commands: [end],
    thought: '',
  },
  {
    name: 'thinking never closed, with a draft',
    reply: `<think>Maybe [{"command_name": "x"}]? No.\n${END}`,
    error: 'holds no commands',
  },
  {
    name: 'thinking only closed',
    reply: `maybe [{"command_name": "x"}]\n</think>\n\n${END}`,
    commands: [end],
    thought: '',
  },
  {
    name: 'thinking tags inside a string',
    reply: `Ok.\n\`\`\`json\n${writing('"<think>a</think> [b]"')}\n\`\`\``,
    commands: [write('<think>a</think> [b]')],
  },
  {
    name: 'fences inside a string',
    reply: `Ok.\n\`\`\`json\n${writing('"# T\\n```json\\n[1]\\n```\\n"')}\n\`\`\``,
    commands: [write('# T\n```json\n[1]\n```\n')],
  },
  {
    name: 'fences inside a string with raw line breaks',
    reply: `Ok.\n\`\`\`json\n${writing('"# T\n```js\nf()\n```\n"')}\n\`\`\``,
    commands: [write('# T\n```js\nf()\n```\n')],
  },
];

/** Other names and wrappings for the same thing. */
const SHAPES: Reply[] = [
  { name: 'one object', reply: '{"command_name": "end", "args": {}}', commands: [end] },
  { name: 'no args', reply: '[{"command_name": "end"}]', commands: [end] },
  { name: 'null args', reply: '[{"command_name": "end", "args": null}]', commands: [end] },
  { name: 'empty list as args', reply: '[{"command_name": "end", "args": []}]', commands: [end] },
  {
    name: 'args in a list',
    reply: '[{"command_name": "Editor.read", "args": [{"path": "/a.txt"}]}]',
    commands: [read()],
  },
  {
    name: 'args as text',
    reply: '[{"command_name": "Editor.read", "args": "{\\"path\\": \\"/a.txt\\"}"}]',
    commands: [read()],
  },
  { name: 'object with commands', reply: `{"commands": ${END}}`, commands: [end] },
  {
    name: 'thought and commands',
    reply: `{"thought": " All done. ", "commands": ${END}}`,
    commands: [end],
    thought: 'All done.',
  },
  { name: 'empty list', reply: '[]', commands: [] },
  {
    name: 'name and arguments',
    reply: '{"name": "Editor.read", "arguments": {"path": "/a.txt"}}',
    commands: [read()],
  },
  {
    name: 'command and parameters',
    reply: '{"command": "Editor.read", "parameters": {"path": "/a.txt"}}',
    commands: [read()],
  },
  {
    name: 'tool and input',
    reply: '[{"tool": "Editor.read", "input": {"path": "/a.txt"}}]',
    commands: [read()],
  },
  {
    name: 'tool calls in the style of chat completions',
    reply:
      '{"tool_calls": [{"type": "function", "function": {"name": "Editor.read", "arguments": "{\\"path\\": \\"/a.txt\\"}"}}]}',
    commands: [read()],
  },
  {
    name: 'tool_call tags',
    reply: 'Reading.\n<tool_call>\n{"name": "Editor.read", "arguments": {"path": "/a.txt"}}\n</tool_call>',
    commands: [read()],
    thought: 'Reading.',
  },
  {
    name: 'several tool_call tags',
    reply:
      '<tool_call>{"name": "Editor.read", "arguments": {"path": "/a.txt"}}</tool_call>\n<tool_call>{"name": "end", "arguments": {}}</tool_call>',
    commands: [read(), end],
  },
  {
    name: 'tool_call never closed',
    reply: '<tool_call>\n{"name": "end", "arguments": {}}',
    commands: [end],
    thought: '',
  },
  {
    name: 'TOOL_CALLS marker',
    reply: '[TOOL_CALLS] [{"name": "end", "arguments": {}}]',
    commands: [end],
    thought: '',
  },
  {
    name: 'function tag',
    reply: 'Ok <function=Editor.read>{"path": "/a.txt"}</function>',
    commands: [read()],
    thought: 'Ok',
  },
  {
    name: 'parameter tags',
    reply:
      '<tool_call>\n<function=Editor.write>\n<parameter=path>\n/a.txt\n</parameter>\n<parameter=content>\na\n\nb\n</parameter>\n</function>\n</tool_call>',
    commands: [write('a\n\nb')],
  },
  {
    name: 'invoke tags',
    reply:
      '<invoke name="Editor.read"><parameter name="path">/a.txt</parameter></invoke>\n<invoke name="end"></invoke>',
    commands: [read(), end],
  },
  ...[
    '{"action": "Editor.read", "action_input": {"path": "/a.txt"}}',
    '[{"tool_name": "Editor.read", "tool_args": {"path": "/a.txt"}}]',
    '[{"function_name": "Editor.read", "params": {"path": "/a.txt"}}]',
    '[{"command_name": "Editor.read", "kwargs": {"path": "/a.txt"}}]',
    '[{"commandName": "Editor.read", "Args": {"path": "/a.txt"}}]',
    '[{"Command_Name": "`Editor.read`", "Arguments": {"path": "/a.txt"}}]',
    '[{"command_name": "Editor.read", "path": "/a.txt"}]',
    '[{"thought": "First I look.", "command_name": "Editor.read", "path": "/a.txt"}]',
    '[{"Editor.read": {"path": "/a.txt"}}]',
    '{"function_call": {"name": "Editor.read", "arguments": "{\\"path\\": \\"/a.txt\\"}"}}',
    '{"command": {"name": "Editor.read", "args": {"path": "/a.txt"}}}',
    '{"actions": [{"command_name": "Editor.read", "args": {"path": "/a.txt"}}]}',
    '[[{"command_name": "Editor.read", "args": {"path": "/a.txt"}}]]',
    '[{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "1", "name": "Editor.read", "input": {"path": "/a.txt"}}]',
  ].map((reply, at) => ({ name: `other words for a command, ${at + 1}`, reply, commands: [read()] })),
  ...['null', '"None"', '""'].map((args) => ({
    name: `args that are ${args}, and a name that is called`,
    reply: `[{"command_name": "end()", "args": ${args}}]`,
    commands: [end],
  })),
  { name: 'the whole list as text', reply: JSON.stringify(END), commands: [end] },
  {
    name: 'escaped quotes everywhere',
    reply: '[{\\"command_name\\": \\"end\\", \\"args\\": {}}]',
    commands: [end],
  },
];

/** Text that is not quite JSON. */
const SYNTAX: Reply[] = [
  { name: 'trailing commas', reply: '[{"command_name": "end", "args": {},},]', commands: [end] },
  {
    name: 'no comma between commands',
    reply: '[{"command_name": "Plan.finish_current_task"} {"command_name": "end"}]',
    commands: [finish, end],
  },
  { name: 'no comma between keys', reply: '[{"command_name": "end" "args": {}}]', commands: [end] },
  { name: 'no comma at a line end', reply: '[{"command_name": "end"\n"args": {}}]', commands: [end] },
  {
    name: 'semicolons',
    reply: '[{"command_name": "Editor.read"; "args": {"path": "/a.txt"}};]',
    commands: [read()],
  },
  {
    name: 'objects one after another',
    reply: '{"command_name": "Plan.finish_current_task"}\n{"command_name": "end"}',
    commands: [finish, end],
  },
  {
    name: 'single quotes',
    reply: "[{'command_name': 'Editor.read', 'args': {'path': '/a.txt'}}]",
    commands: [read()],
  },
  {
    name: 'single quotes and an apostrophe',
    reply: "[{'command_name': 'Terminal.run_command', 'args': {'cmd': 'it's'}}]",
    commands: [run("it's")],
  },
  {
    name: 'backtick strings',
    reply: '[{"command_name": "Terminal.run_command", "args": {"cmd": `echo "a"\nls`}}]',
    commands: [run('echo "a"\nls')],
  },
  { name: 'triple quotes', reply: writing('"""a "b"\nc"""'), commands: [write('a "b"\nc')] },
  {
    name: 'typographic quotes',
    reply: '[{“command_name”: “Editor.read”, “args”: {“path”: “/a.txt”}}]',
    commands: [read()],
  },
  { name: 'full-width punctuation', reply: '［｛"command_name"："end"，"args"：｛｝｝］', commands: [end] },
  {
    name: 'full-width punctuation in a string stays',
    reply: `${writing('"一：二，三"').slice(0, -1)},]`,
    commands: [write('一：二，三')],
  },
  { name: 'unquoted keys and values', reply: '[{command_name: end, args: {}}]', commands: [end] },
  {
    name: 'unquoted path and URL',
    reply: '[{command_name: Browser.goto, args: {url: https://a.example/b?c, path: /a.txt}}]',
    commands: [{ name: 'Browser.goto', args: { url: 'https://a.example/b?c', path: '/a.txt' } }],
  },
  {
    name: 'line comments',
    reply: '[\n  // first "read"\n  {"command_name": "end", "args": {}} // done\n]',
    commands: [end],
  },
  {
    name: 'hash and block comments',
    reply: '[ # a\n{"command_name": /* b */ "end", "args": {}}]',
    commands: [end],
  },
  {
    name: 'slashes and hashes in strings are no comments',
    reply: `${running('"curl http://a.b/#c // d"').slice(0, -1)},]`,
    commands: [run('curl http://a.b/#c // d')],
  },
  {
    name: 'Python literals',
    reply: '[{"command_name": "f", "args": {"a": True, "b": False, "c": None}}]',
    commands: [{ name: 'f', args: { a: true, b: false, c: null } }],
  },
  {
    name: 'undefined',
    reply: '[{"command_name": "f", "args": {"a": undefined}}]',
    commands: [{ name: 'f', args: { a: null } }],
  },
  { name: 'concatenated strings', reply: running('"ls " + "-l"'), commands: [run('ls -l')] },
  { name: 'an ellipsis', reply: '[{"command_name": "end", "args": {}}, ...]', commands: [end] },
  { name: 'raw line breaks in a string', reply: writing('"a\nb\n\tc"'), commands: [write('a\nb\n\tc')] },
  {
    name: 'illegal escapes',
    reply: running(String.raw`"grep '\d\s' C:\Users\me"`),
    commands: [run(String.raw`grep '\d\s' C:\Users\me`)],
  },
  {
    name: 'legal escapes beside illegal ones',
    reply: running(String.raw`"\d \\d \t \u00e9 \n \" \/"`),
    commands: [run('\\d \\d \t é \n " /')],
  },
  {
    name: 'a broken unicode escape',
    reply: running(String.raw`"C:\users \u12"`),
    commands: [run(String.raw`C:\users \u12`)],
  },
  { name: 'escaped apostrophes', reply: running(String.raw`"print(\'a\')"`), commands: [run("print('a')")] },
  {
    name: 'apostrophes escaped for the language',
    reply: running(String.raw`"print('it\'s')"`),
    commands: [run(String.raw`print('it\'s')`)],
  },
  { name: 'unescaped quotes', reply: running('"print("hi")"'), commands: [run('print("hi")')] },
  {
    name: 'unescaped quotes and commas',
    reply: running('"say "a", then "b", end"'),
    commands: [run('say "a", then "b", end')],
  },
  {
    name: 'unescaped JSON in a string',
    reply: writing('"{"a": 1, "b": [2]}"'),
    commands: [write('{"a": 1, "b": [2]}')],
  },
  {
    name: 'a string ending in an unescaped quote',
    reply: running('"say "hi""'),
    commands: [run('say "hi"')],
  },
  { name: 'missing closing quote', reply: '[{"command_name": "end, "args": {}}]', commands: [end] },
  {
    name: 'missing closing quote before the brackets',
    reply: '```json\n[{"command_name": "Editor.read", "args": {"path": "/a.txt}}]\n```\nDone.',
    commands: [read()],
  },
];

/** Brackets that do not pair, and tails that are missing. */
const BRACKETS: Reply[] = [
  {
    name: 'missing opening bracket',
    reply: '{"command_name": "Plan.finish_current_task"},\n{"command_name": "end"}]',
    commands: [finish, end],
  },
  {
    name: 'one object and a closing bracket',
    reply: '{"command_name": "end", "args": {}}]',
    commands: [end],
  },
  { name: 'missing closing bracket', reply: '[{"command_name": "end", "args": {}}', commands: [end] },
  { name: 'brace closed by a bracket', reply: '{"command_name": "end", "args": {}]', commands: [end] },
  { name: 'missing brace at the end', reply: '[{"command_name": "end", "args": {}]', commands: [end] },
  {
    name: 'missing brace in the middle',
    reply:
      '[{"command_name": "Editor.read", "args": {"path": "/a.txt"}, {"command_name": "end", "args": {}}]',
    commands: [read(), end],
  },
  {
    name: 'a brace too many',
    reply: '[{"command_name": "Plan.finish_current_task", "args": {}}}, {"command_name": "end"}]',
    commands: [finish, end],
  },
  { name: 'a bracket too many', reply: '[{"command_name": "end", "args": {}}]]', commands: [end] },
  {
    name: 'a set of objects',
    reply: '{{"command_name": "Plan.finish_current_task"}, {"command_name": "end"}}',
    commands: [finish, end],
  },
  {
    name: 'an object in square brackets',
    reply: '["command_name": "Editor.read", "args": ["path": "/a.txt"]]',
    commands: [read()],
  },
  {
    name: 'a set of strings',
    reply: '[{"command_name": "f", "args": {"ids": {"1", "2"}}}]',
    commands: [{ name: 'f', args: { ids: ['1', '2'] } }],
  },
  {
    name: 'an unclosed list',
    reply: '[{"command_name": "f", "args": {"ids": ["1", "2"}}]',
    commands: [{ name: 'f', args: { ids: ['1', '2'] } }],
  },
  { name: 'cut off after a comma', reply: '[{"command_name": "end", "args": {}},', commands: [end] },
  {
    name: 'cut off in a string',
    reply: '```json\n[{"command_name": "Editor.write", "args": {"path": "/a.txt", "content": "hello wor',
    commands: [write('hello wor')],
  },
  {
    name: 'cut off in a key',
    reply: '[{"command_name": "Editor.read", "args": {"path": "/a.txt", "off',
    commands: [read()],
  },
  {
    name: 'cut off before a colon',
    reply: '[{"command_name": "Editor.read", "args": {"path": "/a.txt"}, "reas"',
    commands: [read()],
  },
  { name: 'cut off after a colon', reply: '[{"command_name": "end", "args":', commands: [end] },
];

/** Nothing can be made of these; the model is notified why. */
const HOPELESS: Reply[] = [
  { name: 'cut off right after the first bracket', reply: 'Ok.\n```json\n[', error: 'holds no commands' },
  {
    name: 'a tuple',
    reply: '[{"command_name": "end", "args": (1, 2)}]',
    error: 'colon expected at line 1, column 41',
  },
  {
    name: 'a stray colon',
    reply: '[{"command_name": "end", : {}}]',
    error: 'has a "command_name" that is not a name',
  },
  { name: 'no JSON at all', reply: 'I will read the file now.', error: 'holds no commands' },
  { name: 'an empty reply', reply: '', error: 'holds no commands' },
  { name: 'a to-do list', reply: '- [ ] read\n- [x] write', error: 'holds no commands' },
  { name: 'null', reply: '```json\nnull\n```', error: 'holds no commands' },
  { name: 'bare null', reply: 'null', error: 'Your reply is null, not a list of commands.' },
  { name: 'a number', reply: '7', error: 'Your reply is a number (7), not a list of commands.' },
  {
    name: 'a list of names',
    reply: '```json\n["end"]\n```',
    error: 'Item 0 (counted from 0) is text ("end"), not a command.',
  },
  {
    name: 'a name among commands',
    reply: '[{"command_name": "end"}, "end"]',
    error: 'Item 1 (counted from 0) is text ("end")',
  },
  {
    name: 'null among commands',
    reply: '[{"command_name": "end"}, null]',
    error: 'Item 1 (counted from 0) is null',
  },
  {
    name: 'a command without a name',
    reply: '[{"args": {"path": "/a"}}]',
    error: 'Item 0 (counted from 0) has no "command_name".',
  },
  {
    name: 'a number as name',
    reply: '[{"command_name": 1, "args": {}}]',
    error: 'Item 0 (counted from 0) has a "command_name" that is not a name.',
  },
  { name: 'an empty name', reply: '[{"command_name": " "}]', error: 'that is not a name' },
  {
    name: 'args as plain text',
    reply: '[{"command_name": "Editor.read", "args": "/a.txt"}]',
    error: 'Item 0 (counted from 0) (Editor.read) has "args" that are not an object',
  },
  {
    name: 'args as a list of values',
    reply: '[{"command_name": "Editor.read", "args": ["/a.txt", 1]}]',
    error: 'that are not an object',
  },
  { name: 'commands that are no list', reply: '{"commands": "end"}', error: 'not a list of commands' },
  {
    name: 'a sign without a number',
    reply: '[{"command_name": "end", "args": {"a": +}}]',
    error: 'value expected at line 1, column 40',
  },
  {
    name: 'unreadable commands before readable self-talk',
    reply: `\`\`\`json\n[{"command_name": "end", "args": {"a": +}}]\n\`\`\`\nUser: no\n\`\`\`json\n${END}\n\`\`\``,
    error: 'value expected',
  },
];

export const REPLIES: Reply[] = [...PLACES, ...SHAPES, ...SYNTAX, ...BRACKETS, ...HOPELESS];

import { describe, expect, it } from 'vitest';
import { HELP, readArguments } from '../../../scripts/eval/arguments.js';
import { KINDS } from '../../../scripts/eval/task.js';
import { UsageError } from '../../../scripts/try/arguments.js';

const MODEL = ['--base-url', 'http://localhost:11434/v1', '--model', 'm'];
const read = (line: string[], environment: Record<string, string> = {}) =>
  readArguments(line, environment, '/home/ada');
const ids = (line: string[]) => read([...MODEL, ...line])?.tasks.map(({ id }) => id);

describe('the command line of eval', () => {
  it('runs all tasks once, in the loop of rolezero, by default', () => {
    const { tasks = [], ...rest } = read(MODEL) ?? {};
    expect(tasks).toHaveLength(30);
    expect(rest).toEqual({
      model: {
        kind: 'remote',
        baseURL: 'http://localhost:11434/v1',
        model: 'm',
        apiKey: undefined,
        contextWindow: undefined,
      },
      loops: ['rolezero'],
      repeat: 1,
      concurrency: 1,
      minutes: null,
      replyFormat: null,
      preset: null,
      temperature: null,
      transcripts: null,
      record: null,
      out: null,
      profile: null,
    });
  });

  it('reads every option, and the key from the environment', () => {
    const line = ['--context-window', '8192', '--only', 'fix/pages', '--repeat', '3', '--concurrency', '2'];
    const more = ['--minutes', '2.5', '--compare', 'ai-sdk', '--out', 'report.json', '--profile', '/p'];
    const agent = [
      '--reply-format',
      'schema',
      '--preset',
      'small',
      '--temperature',
      '0.2',
      '--transcripts',
      't',
    ];
    expect(read([...MODEL, ...line, ...more, ...agent], { ROLEZERO_API_KEY: 'k' })).toMatchObject({
      model: { apiKey: 'k', contextWindow: 8_192 },
      tasks: [{ id: 'fix/pages' }],
      loops: ['rolezero', 'ai-sdk'],
      repeat: 3,
      concurrency: 2,
      minutes: 2.5,
      replyFormat: 'schema',
      preset: 'small',
      temperature: 0.2,
      transcripts: 't',
      out: 'report.json',
      profile: '/p',
    });
  });

  it('selects tasks by kind and by id, in their own order', () => {
    expect(ids(['--only', 'fix', '--only', 'create/page'])).toEqual([
      'create/page',
      'fix/discount',
      'fix/pages',
      'fix/form',
    ]);
  });

  it('runs one task of each kind as a sample', () => {
    const kinds = (ids(['--sample']) ?? []).map((id) => id.split('/')[0]);
    expect(kinds).toEqual([...new Set(kinds)]);
    expect(kinds).toEqual([...KINDS]);
    expect(ids(['--sample', '--only', 'small', '--only', 'fix'])).toHaveLength(2);
  });

  it('runs the tasks for small models, and those with programs, only when they are selected', () => {
    expect(ids(['--only', 'code'])).toHaveLength(10);
    const small = ids(['--only', 'small']) ?? [];
    expect(small).toHaveLength(10);
    expect(small.every((id) => id.startsWith('small/'))).toBe(true);
    expect(ids(['--only', 'small/ask', '--only', 'ask/none'])).toEqual(['ask/none', 'small/ask']);
  });

  it('stores a model of the browser in the profile of npm run try', () => {
    expect(read(['--web-llm', 'tiny'])).toMatchObject({
      model: { kind: 'web-llm', model: 'tiny' },
      profile: '/home/ada/.rolezero-try',
    });
  });

  it.each([
    [[], 'No model: pass --base-url URL and --model NAME, or --web-llm MODEL.'],
    [['--model', 'm'], 'No model: pass --base-url URL as well.'],
    [['--web-llm', 'x', '--model', 'm'], 'Pass either --web-llm MODEL, or --base-url URL and --model NAME.'],
    [
      ['--web-llm', 'x', '--compare', 'ai-sdk'],
      '--compare needs a server: pass --base-url URL and --model NAME.',
    ],
    [[...MODEL, '--compare', 'x'], '--compare must be ai-sdk, got "x".'],
    [
      [...MODEL, '--only', 'fix/x'],
      '--only "fix/x" is no kind and no task. Use one of fix/discount, fix/pages, fix/form.',
    ],
    [
      [...MODEL, '--only', 'x'],
      `--only "x" is no kind and no task. Use one of ${KINDS.join(', ')}, small, code.`,
    ],
    [
      [...MODEL, '--only', 'code/test', '--compare', 'ai-sdk'],
      '--compare has no terminal: leave out --only code.',
    ],
    [[...MODEL, '--repeat', '0'], '--repeat must be a whole number from 1 to 999, got "0".'],
    [[...MODEL, '--minutes', '0'], '--minutes must be a number of minutes above 0, got "0".'],
    [[...MODEL, '--out', ''], '--out is empty.'],
    [
      [...MODEL, '--reply-format', 'xml'],
      '--reply-format must be text or schema or tools or tools-required, got "xml".',
    ],
    [[...MODEL, '--preset', 'tiny'], '--preset must be full or small, got "tiny".'],
    [[...MODEL, '--temperature', '2.5'], '--temperature must be a number from 0 to 2, got "2.5".'],
  ])('rejects %j', (line, message) => {
    expect(() => read(line)).toThrow(new UsageError(message));
  });

  it('names every option in the help', () => {
    expect(read(['--help'])).toBeNull();
    const names = ['base-url', 'web-llm', 'only', 'repeat', 'concurrency', 'minutes', 'compare', 'out'];
    for (const name of [...names, 'reply-format', 'preset', 'temperature', 'transcripts'])
      expect(HELP).toContain(`--${name}`);
  });
});

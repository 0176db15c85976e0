import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from '../../../scripts/try/arguments.js';
import { choiceOf } from '../../../scripts/try/choice.js';
import { goOnCommand } from '../../../scripts/try/go-on.js';

const ENDPOINT = { ROLEZERO_BASE_URL: 'http://localhost:11434/v1', ROLEZERO_MODEL: 'qwen3:8b' };
const read = (line: string[], environment: Record<string, string> = {}) =>
  readArguments(line, environment, '/home/ada');

describe('the command line of try', () => {
  it('reads everything from flags', () => {
    const line = ['--base-url', 'https://api.example/v1', '--model', 'm', '--key', 'k', '--out', 'result'];
    const more = [
      '--context-window',
      '32768',
      '--answer',
      'red',
      '--answer',
      '2',
      '--session',
      's',
      '--json',
    ];
    expect(read([...line, 'write', 'a game', ...more, '--profile', '/p'], ENDPOINT)).toEqual({
      request: 'write a game',
      model: {
        kind: 'remote',
        baseURL: 'https://api.example/v1',
        model: 'm',
        apiKey: 'k',
        contextWindow: 32_768,
      },
      session: 's',
      profile: '/p',
      out: 'result',
      answers: ['red', '2'],
      json: true,
    });
  });

  it('reads missing values from the environment, and no key from an empty variable', () => {
    const { OPENAI_API_KEY, ROLEZERO_API_KEY } = { OPENAI_API_KEY: 'openai', ROLEZERO_API_KEY: 'own' };
    const model = { kind: 'remote', baseURL: ENDPOINT.ROLEZERO_BASE_URL, model: 'qwen3:8b' };
    expect(read(['hi'], { ...ENDPOINT, OPENAI_API_KEY, ROLEZERO_API_KEY })).toEqual({
      request: 'hi',
      model: { ...model, apiKey: 'own', contextWindow: undefined },
      session: 'default',
      profile: null,
      out: null,
      answers: [],
      json: false,
    });
    expect(read(['hi'], { ...ENDPOINT, OPENAI_API_KEY })?.model).toMatchObject({ apiKey: 'openai' });
    expect(read(['hi'], { ...ENDPOINT, OPENAI_API_KEY, ROLEZERO_API_KEY: '' })?.model).toMatchObject({
      apiKey: undefined,
    });
  });

  it('stores a named session in the home directory by default', () => {
    expect(read(['hi', '--session', 's'], ENDPOINT)?.profile).toBe('/home/ada/.rolezero-try');
    expect(read(['--session', 's'], ENDPOINT)).toMatchObject({ request: null, session: 's' });
  });

  it('needs no model for the tour', () => {
    expect(read(['--tour'])).toMatchObject({ request: null, model: { kind: 'tour', tour: 'build-a-game' } });
    expect(read(['--tour', 'remember'])).toMatchObject({ model: { kind: 'tour', tour: 'remember' } });
  });

  it('looks for a model when none is named, and keeps its download', () => {
    const own = '/home/ada/.rolezero-try';
    expect(read(['hi'])).toMatchObject({ model: { kind: 'auto', mayDownload: false }, profile: own });
    expect(read(['hi'])?.session).not.toBe(read(['hi'])?.session); // Each call has its own.
    expect(read(['hi', '--download'])?.model).toEqual({ kind: 'auto', mayDownload: true });
    expect(read(['--profile', '/p'])).toMatchObject({ request: null, session: 'default', profile: '/p' });
  });

  it('runs a model file on the processor, and continues with it', () => {
    const url = 'https://models.example/tiny.gguf';
    const options = read(['hi', '--gguf', url, '--session', 's']);
    expect(options?.model).toEqual({ kind: 'wllama', model: { name: 'tiny.gguf', url, bytes: 0 } });
    expect(options && goOnCommand(options, options.model, '/p', false)).toBe(
      `npm run try -- --profile /p --session s --gguf ${url}`,
    );
    expect(() => read(['hi', '--gguf', 'tiny.bin'])).toThrow(UsageError);
  });

  it('selects the first model of a server that was found', () => {
    const server = { name: 'Ollama', baseURL: 'http://localhost:11434/v1', models: ['qwen3:8b', 'b'] };
    expect(choiceOf({ kind: 'server', server, reason: '' })).toMatchObject({
      kind: 'remote',
      baseURL: server.baseURL,
      model: 'qwen3:8b',
    });
  });

  it.each([
    [[], {}, 'Pass a request: npm run try -- "a request".'],
    [
      ['hi', '--base-url', 'http://localhost:1/v1'],
      {},
      'No model: pass --model NAME as well, or --tour to see a recorded run.',
    ],
    [
      ['hi'],
      { ROLEZERO_MODEL: 'm' },
      'No model: pass --base-url URL as well, or --tour to see a recorded run.',
    ],
    [
      ['hi', '--base-url', 'localhost:11434', '--model', 'm'],
      {},
      '--base-url must be a URL such as http://localhost:11434/v1, got "localhost:11434".',
    ],
    [
      ['hi', '--context-window', '8k'],
      ENDPOINT,
      '--context-window must be a number of tokens such as 32768, got "8k".',
    ],
    [['hi', '--out', ''], ENDPOINT, '--out is empty.'],
    [
      ['--tour', 'hi'],
      {},
      'There is no tour "hi". The tours are build-a-game, analyze-a-table, find-and-fix, remember, survive-a-reload, work-as-a-team.',
    ],
    [
      ['--tour', 'remember', 'hi'],
      {},
      'The tour is a recording with its own request: omit yours, or --tour.',
    ],
  ])('rejects %j with advice', (line, environment, message) => {
    expect(() => read(line, environment)).toThrow(new UsageError(message));
  });

  it('names an unknown option but not its value', () => {
    expect(() => read(['--kye=sk-secret', 'hi'], ENDPOINT)).toThrow(UsageError);
    expect(() => read(['--kye=sk-secret', 'hi'], ENDPOINT)).not.toThrow(/sk-secret/);
  });

  it('prints help when asked for it, whatever else is there', () => {
    expect(read(['--help', '--context-window', 'x'])).toBeNull();
  });
});

describe('the command that continues', () => {
  it('contains everything except the key, quoted for a shell', () => {
    const options = readArguments(
      ['hi', '--key', 'sk-secret', '--out', "it's here", '--session', 's', '--context-window', '4096'],
      ENDPOINT,
      '/home/ada',
    );
    expect(options && goOnCommand(options, options.model, '/tmp/p', true)).toBe(
      "npm run try -- --profile /tmp/p --session s --base-url http://localhost:11434/v1 --model qwen3:8b --context-window 4096 --out 'it'\\''s here' --answer 'your answer'",
    );
  });

  it('is short for the tour', () => {
    const options = read(['--tour']);
    expect(options && goOnCommand(options, options.model, '/tmp/p', false)).toBe(
      'npm run try -- --profile /tmp/p --tour build-a-game',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { checkConnectOptions } from '../../../src/client/connect-options.js';
import { pageTool } from '../../../src/client/page-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { args } from '../../../src/core/schema.js';
import { human } from '../../../src/providers/human/index.js';
import { metered } from '../../../src/providers/metered/index.js';
import { transformers } from '../../../src/providers/transformers/index.js';
import { webLLM } from '../../../src/providers/web-llm/index.js';
import { wllama } from '../../../src/providers/wllama/index.js';
import { runRole, scriptedModel } from '../../../src/testing/index.js';
import { browser } from '../../../src/tools/browser/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { editor } from '../../../src/tools/index.js';

const model = scriptedModel([]);
const clipboard = pageTool({
  name: 'Clipboard.read',
  description: 'Reads the clipboard.',
  input: args({}),
  run: () => '',
});
const ofConnect = (options: unknown) => () => checkConnectOptions(options as never);
const rejection = (message: string) => expect.objectContaining({ code: 'invalid', message }) as Error;

describe('options of a role', () => {
  it('names a misspelled option and the options that exist', () => {
    expect(() => new RoleZero({ model, maxStep: 3 } as never)).toThrow(
      /^RoleZero has no option maxStep\. Its options are name, .*maxSteps, /,
    );
  });

  it('names a policy path that matches nothing, and one that does', () => {
    expect(() => new RoleZero({ model, policy: [{ tool: 'Editor.*', path: 'src', do: 'deny' }] })).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining('write "/src"') as string,
      }),
    );
  });
});

describe('values of options', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a number as budget',
      () => new RoleZero({ model, budget: 5 } as never),
      '`budget` must be an object, but is 5. Write budget: { usd: 1, tokens: 200_000 }.',
    ],
    [
      'a budget without a limit',
      () => new RoleZero({ model, budget: { dollars: 5 } } as never),
      'budget has no option dollars. Its options are usd, tokens, calls, ms.',
    ],
    [
      'a text in a budget',
      () => metered(model, { budget: { usd: '1' } } as never),
      '`usd` of budget must be a number of at least 0, but is "1".',
    ],
    [
      'an unknown call plan',
      () => new RoleZero({ model, callPlan: 'fast' } as never),
      '`callPlan` of RoleZero must be "classic" or "merged", but is "fast".',
    ],
    [
      'a text as number of steps',
      () => new RoleZero({ model, maxSteps: '3' } as never),
      '`maxSteps` of RoleZero must be a positive integer, but is "3".',
    ],
    [
      'a text as switch',
      () => new RoleZero({ model, summarize: 'no' } as never),
      '`summarize` of RoleZero must be true or false, but is "no".',
    ],
    [
      'a goal that is not text',
      () => new RoleZero({ model, goal: 7 } as never),
      '`goal` of RoleZero must be a string, but is 7.',
    ],
    [
      'a misspelled option of the editor',
      () => editor({ linter: [] } as never),
      'editor() has no option linter. Its options are window, workingDirectory, autoLint, linters.',
    ],
    [
      'a linter outside of a list',
      () => editor({ linters: () => [] } as never),
      '`linters` of editor() must be a list, but is the function linters.',
    ],
    [
      'a size of views as text',
      () => browser({ maxView: 'all' } as never),
      '`maxView` of browser() must be a positive integer, but is "all".',
    ],
    [
      'a misspelled option of the terminal',
      () => terminal({ timeout: 5 } as never),
      'terminal() has no option timeout. Its options are workingDirectory, env, timeoutMs, jobTimeoutMs, maxOutput, network, runtimes, worker.',
    ],
    ['no user to ask', () => human({} as never), 'human() needs the option ask.'],
    [
      'nothing',
      () => human(undefined as never),
      'The options of human() must be an object, but are undefined.',
    ],
    [
      'no web-llm model',
      () => webLLM(undefined as never),
      'The options of webLLM() must be an object, but are undefined.',
    ],
    [
      'web-llm options without a model',
      () => webLLM({ thinking: true } as never),
      'webLLM() needs the option model.',
    ],
    [
      'a library that is missing',
      () => transformers({ model: 'm' } as never),
      'transformers() needs the option library.',
    ],
    [
      'an engine instead of a function that creates it',
      () => wllama({ engine: {}, model: 'm.gguf' } as never),
      '`engine` of wllama() must be a function, but is an empty object.',
    ],
  ])('rejects %s', (_case, call, message) => {
    expect(call).toThrow(rejection(message));
  });

  it('rejects what is not a role', async () => {
    await expect(runRole('x' as never, 'hello')).rejects.toEqual(
      rejection('runRole() needs a role, such as new RoleZero({ model }), but was given "x".'),
    );
  });

  it('accepts undefined options and infinite limits', () => {
    expect(
      () =>
        new RoleZero({
          model,
          budget: { usd: undefined },
          callPlan: undefined,
          maxSteps: Infinity,
        } as never),
    ).not.toThrow();
  });
});

describe('options of connect()', () => {
  it('names a misspelled option and the options that exist', () => {
    expect(ofConnect({ sesion: 'a' })).toThrow(
      rejection(
        'connect() has no option sesion. Its options are session, config, tools, models, readers, takeOver, view, persist, restarts, hungAfterMs, askHuman, approve.',
      ),
    );
    expect(ofConnect('default')).toThrow(
      rejection('The options of connect() must be an object, but are "default".'),
    );
  });

  it.each<[string, unknown, string]>([
    [
      'tools of the worker',
      [defineTool({ name: 'Clock.now', description: 'The time.', input: { type: 'object' }, run: () => 1 })],
      '`tools[0]` must be a page tool, but is an object with the keys name, description, input, run. A tool that runs in the worker belongs into new RoleZero({ tools }); make one for the page with pageTool().',
    ],
    [
      'a function',
      [pageTool],
      '`tools[0]` must be a page tool, but is the function pageTool. Call it: pageTool().',
    ],
    [
      'one tool',
      clipboard,
      '`tools` must be a list of page tools, but is an object with the keys descriptor, call. Write tools: [ … ].',
    ],
    [
      'two tools of one name',
      [clipboard, { ...clipboard }],
      '`tools` has two page tools named Clipboard.read. Rename one of them, or leave one out.',
    ],
  ])('rejects %s as page tools', (_case, tools, message) => {
    expect(ofConnect({ tools })).toThrow(rejection(message));
  });

  it('accepts everything that the types accept', () => {
    expect(ofConnect({ session: 'a', config: {}, tools: [clipboard], approve: () => true })).not.toThrow();
  });
});

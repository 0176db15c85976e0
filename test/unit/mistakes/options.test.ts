import { describe, expect, it } from 'vitest';
import { checkOptions } from '../../../src/client/connect-options.js';
import { pageTool } from '../../../src/client/page-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { inputSchema } from '../../../src/core/schema.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import * as z from 'zod/mini';

const model = scriptedModel([]);
const clipboard = pageTool({
  name: 'Clipboard.read',
  description: 'Reads the clipboard.',
  input: inputSchema(z.object({})),
  run: () => '',
});
const ofConnect = (options: unknown) => () => checkOptions(options as never);
const rejection = (message: string) => expect.objectContaining({ code: 'invalid', message }) as Error;

describe('options of a role', () => {
  it('names a misspelt option, and the options that exist', () => {
    expect(() => new RoleZero({ model, maxReactLoops: 3 } as never)).toThrow(
      /^RoleZero has no option maxReactLoops\. Its options are name, .*maxReactLoop, /,
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

describe('options of connect()', () => {
  it('names a misspelt option, and the options that exist', () => {
    expect(ofConnect({ sesion: 'a' })).toThrow(
      rejection(
        'connect() has no option sesion. Its options are session, config, tools, models, takeOver, view, persist, restarts, hungAfterMs, askHuman, approve.',
      ),
    );
    expect(ofConnect('default')).toThrow(
      rejection('The options of connect() must be an object, but are "default".'),
    );
  });

  it.each<[string, unknown, string]>([
    [
      'tools of the worker',
      editor(),
      '`tools[0]` must be a page tool, but is an object with the keys name, description, input, aliases, effect, run. A tool that runs in the worker belongs into new RoleZero({ tools }); make one for the page with pageTool().',
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

  it('accepts all that the types accept', () => {
    expect(ofConnect({ session: 'a', config: {}, tools: [clipboard], approve: () => true })).not.toThrow();
  });
});

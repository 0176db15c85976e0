import * as valibot from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';
import { describe, expect, it } from 'vitest';
import { pageTool } from '../../../src/client/page-tool.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { ThinkingRole } from '../../../src/metagpt/thinking-role.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const model = scriptedModel([]);
const clock = {
  name: 'Clock.now',
  description: 'Returns the local time.',
  input: z.object({}),
  run: () => 'noon',
};

/** Returns `code: message` of the error of a call. As in JavaScript, nothing here is type-checked. */
function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return error instanceof RoleZeroError ? `${error.code}: ${error.message}` : `unnamed: ${String(error)}`;
  }
  return 'none';
}
const withTools = (tools: unknown) => errorOf(() => new RoleZero({ model, tools: tools as never }));
const withTool = (fields: object) => withTools([{ ...clock, ...fields }]);

describe('the tools of a role', () => {
  it('can be in nested lists, and the same tool may occur twice', () => {
    const names = new RoleZero({ model, tools: [editor(), [[clock]], clock] }).registry.names;
    expect(names).toEqual(expect.arrayContaining(['Editor.write', 'Clock.now']));
    expect(names.filter((name) => name === 'Clock.now')).toEqual(['Clock.now']);
    const thinking = new ThinkingRole({ model, tools: [[clock]] });
    expect(thinking.registry.has('Clock.now')).toBe(true);
  });

  it.each<[string, unknown, string]>([
    ['a function', [editor], '`tools[0]` must be a tool, but is the function editor. Call it: editor().'],
    [
      'a function as the list',
      editor,
      '`tools` must be a list of tools, but is the function editor. Write tools: editor().',
    ],
    [
      'one tool',
      clock,
      '`tools` must be a list of tools, but is an object with the keys name, description, input, run. Write tools: [ … ].',
    ],
    [
      'a promise',
      [clock, Promise.resolve(clock)],
      '`tools[1]` must be a tool, but is a promise. Await it first.',
    ],
    ['undefined', [undefined], '`tools[0]` must be a tool, but is undefined.'],
    ['a name', ['Editor'], '`tools[0]` must be a tool, but is "Editor".'],
    [
      'a page tool',
      [pageTool(clock)],
      '`tools[0]` must be a tool, but is an object with the keys descriptor, call. It is a page tool: give it to connect({ tools }) on the page.',
    ],
    [
      'a tool of another library',
      [{ type: 'function', function: {} }],
      "`tools[0]` must be a tool, but is an object with the keys type, function. A tool has `name`, `description`, `input` and `run`: use defineTool({ name: 'Group.method', … }).",
    ],
    [
      'two tools of one name',
      [clock, { ...clock }],
      '`tools` has two different tools named Clock.now. Rename one of them, or leave one out.',
    ],
    [
      'the name of a built-in command',
      [{ ...clock, name: 'Plan.append_task' }],
      '`tools` has a tool Plan.append_task, but Plan.append_task is a built-in command. Rename the tool.',
    ],
  ])('rejects %s', (_case, tools, message) => {
    expect(withTools(tools)).toBe(`invalid: ${message}`);
  });

  it.each<[string, object, string]>([
    [
      'no `input`',
      { input: undefined },
      'The tool Clock.now has no `input`. Give it a zod schema; without arguments z.object({}).',
    ],
    [
      'a JSON Schema of a text as `input`',
      { input: { type: 'string' } },
      'The tool Clock.now has as `input` a JSON Schema of another type than "object". Arguments are an object: { type: "object", properties: { … } }.',
    ],
    [
      'a Valibot schema that is not wrapped as `input`',
      { input: valibot.object({}) },
      'The tool Clock.now has as `input` a valibot schema without JSON Schema. Wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema.',
    ],
    [
      'a zod/mini schema as `input`',
      { input: mini.object({}) },
      "The tool Clock.now has as `input` a schema of zod 3 or zod/mini. Use zod 4: import * as z from 'zod'.",
    ],
    [
      'a zod 3 schema as `input`',
      { input: z3.object({}) },
      "The tool Clock.now has as `input` a schema of zod 3 or zod/mini. Use zod 4: import * as z from 'zod'.",
    ],
    [
      'bare fields as `input`',
      { input: { city: z.string() } },
      'The tool Clock.now has as `input` an object with the keys city. Wrap its fields: z.object({ … }).',
    ],
    ['no `run`', { run: undefined }, 'The tool Clock.now has no `run` function.'],
    [
      'no `description`',
      { description: undefined },
      'The tool Clock.now has no `description`, from which the model learns what it is for.',
    ],
  ])('reject a tool with %s, also where it is defined', (_case, fields, message) => {
    const tool = { ...clock, ...fields } as never;
    expect(withTool(fields)).toBe(`invalid: ${message}`);
    expect(errorOf(() => defineTool(tool))).toBe(`invalid: ${message}`);
    expect(errorOf(() => pageTool(tool))).toBe(`invalid: ${message}`);
  });

  it('reject a JSON Schema that defineTool() has not read', () => {
    expect(withTool({ input: { type: 'object' } })).toBe(
      'invalid: The tool Clock.now has a JSON Schema as `input`. Declare the tool with defineTool({ … }).',
    );
  });

  it('accept a JSON Schema that zod converts', () => {
    const input = z.fromJSONSchema({ type: 'object', properties: { city: { type: 'string' } } });
    expect(withTool({ input })).toBe('none');
  });
});

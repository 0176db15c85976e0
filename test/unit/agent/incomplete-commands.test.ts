import { describe, expect, it } from 'vitest';
import { completeCommands } from '../../../src/agent/parse-reply.js';
import { formatCommands } from '../../../src/agent/commands/format-commands.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { Command } from '../../../src/core/human.js';
import { isRecord, type JsonValue } from '../../../src/core/json.js';
import { argumentSchema } from '../../../src/tools/registry.js';
import { browser } from '../../../src/tools/browser/index.js';
import { editor } from '../../../src/tools/editor/editor.js';
import { terminal } from '../../../src/tools/terminal/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';

const { registry } = new RoleZero({ name: 'Zero', tools: [...editor(), ...terminal(), ...browser()] });
const TEXT = '"b"}] </parameter>\n```\n<think>\\é';

/** A command with a value for each of its arguments. */
function sample(name: string): Command {
  const tool = registry.get(name);
  const { properties } = tool === undefined ? {} : argumentSchema(tool);
  const value = (schema: unknown): JsonValue => {
    const { type } = isRecord(schema) ? schema : {};
    return type === 'string'
      ? TEXT
      : type === 'integer' || type === 'number'
        ? 12
        : type === 'array'
          ? ['1', '23']
          : true;
  };
  const known = Object.entries(isRecord(properties) ? properties : {});
  return { name, args: Object.fromEntries(known.map(([key, schema]) => [key, value(schema)])) };
}

const written = ({ name, args }: Command) => ({ command_name: name, args });
const FORMATS: Record<string, (command: Command) => string> = {
  'fenced JSON': (command) => `I go on.\n${formatCommands([command])}`,
  'bare JSON': (command) => JSON.stringify([written(command)]),
  'an object': (command) => JSON.stringify({ thought: 'I go on.', commands: [written(command)] }),
  'a tagged object': ({ name, args }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  'arguments as text': ({ name, args }) => JSON.stringify({ name, arguments: JSON.stringify(args) }),
  'parameter tags': ({ name, args }) =>
    `<function=${name}>\n${Object.entries(args)
      .map(([key, value]) => `<parameter=${key}>\n${String(value)}\n</parameter>\n`)
      .join('')}</function>`,
  'a call': ({ name, args }) => `${name}(${JSON.stringify(args)})`,
};

/** The commands of a reply that run. */
function running(reply: string): readonly Command[] {
  const parsed = parseCommands(reply, { commandName: (name) => registry.meant(name)?.name ?? null });
  return parsed.ok ? completeCommands(parsed, registry).commands : [];
}

describe('a reply that ends too early', () => {
  it.each(Object.entries(FORMATS))('runs no part of a command: %s, cut at every character', (_, format) => {
    for (const name of registry.names) {
      if (name === 'end' || registry.get(name)?.effect === 'pure') continue; // these may run incomplete
      const command = sample(name);
      const reply = format(command);
      const whole = JSON.stringify(running(reply));
      expect(JSON.parse(whole)).toHaveLength(1);
      for (let at = 1; at < reply.length; at++) {
        const ran = running(reply.slice(0, at));
        if (ran.length > 0)
          expect(JSON.stringify(ran), `${name}, cut at ${at}: ${reply.slice(0, at)}`).toBe(whole);
      }
    }
  });

  it('runs the commands before the cut, in order, and says what arrived of the next', async () => {
    const whole = JSON.stringify([
      written({ name: 'Editor.write', args: { path: '/a.txt', content: 'one' } }),
      written({ name: 'Editor.write', args: { path: '/b.txt', content: 'two and more' } }),
    ]);
    const model = scriptedModel({ think: [whole.slice(0, -12), commands(['end', {}])] });
    const { files, requests } = await runRole(
      new RoleZero({ model, tools: editor(), maxSteps: 2 }),
      'Build it',
      {
        files: { '/b.txt': 'before' },
      },
    );
    expect(files).toEqual({ '/a.txt': 'one', '/b.txt': 'before' });
    expect(requests.map(({ messages }) => messages.at(-1)?.content).join('\n')).toContain(
      'Editor.write is incomplete: of its argument "content", 3 characters arrived, which end with "two". It was not run. Send it again, whole. Write a long file in parts',
    );
  });

  it('asks the model again when nothing of it is complete', async () => {
    const reply = '[{"command_name": "Editor.write", "args": {"path": "/a.txt", "content": "<html>';
    const model = scriptedModel({ think: [reply, commands(['end', {}])] });
    const { files, memory } = await runRole(
      new RoleZero({ model, tools: editor(), maxSteps: 2 }),
      'Build it',
      {
        files: { '/a.txt': 'before' },
      },
    );
    expect(files).toEqual({ '/a.txt': 'before' });
    expect(memory.map(({ content }) => content).join('\n')).toContain(
      '6 characters arrived, which end with "<html>"',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { RULES } from '../../../demo/agent-rules.js';
import { judge } from '../../../src/agent/policy/judge.js';
import type { Situation } from '../../../src/agent/policy/situation.js';
import { readPolicy } from '../../../src/agent/policy/read-policy.js';
import type { Tool } from '../../../src/core/tool.js';
import { browser } from '../../../src/tools/browser/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';

const situation: Situation = {
  role: 'Zero',
  rules: readPolicy(RULES.changes),
  capabilities: null,
  ownOrigin: undefined,
  aliasesOf: () => [],
  untrusted: undefined,
  private: null,
  toolState: {},
  sourceOf: () => null,
  readsOf: () => 0,
  quotedBy: () => null,
};
const tools: Tool[] = [...editor(), ...browser(), ...terminal()];
const decision = (tool: Tool, args: Record<string, string> = {}) =>
  judge({ tool, command: { name: tool.name, args }, input: args }, situation).decision;
const named = (name: string): Tool => {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
};

describe('changes of files, and the shell', () => {
  it('asks about each command whose changes are staged', () => {
    const staged = tools.filter((tool) => tool.staged === true);
    expect(staged.length).toBeGreaterThan(5);
    expect(staged.filter((tool) => decision(tool) !== 'ask').map(({ name }) => name)).toEqual([]);
  });

  it.each(['Editor.undo_edit', 'Terminal.run_command'])('asks about %s', (name) => {
    expect(decision(named(name))).toBe('ask');
  });

  it('asks about a saved screenshot, and not about one that is only viewed', () => {
    expect(decision(named('Browser.screenshot'), { path: '/mine.png' })).toBe('ask');
    expect(decision(named('Browser.screenshot'))).toBe('allow');
  });

  it('does not ask about reading', () => {
    expect(decision(named('Editor.read'), { path: '/a.txt' })).toBe('allow');
  });
});

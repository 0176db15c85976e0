import { checkTool } from '../core/define-tool.js';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { isToolSource, type ToolSource } from '../core/tool-source.js';
import type { Tool } from '../core/tool.js';

/** Tools, lists of tools such as `editor()`, and sources of tools such as `mcp()`. */
export type ToolList = readonly (Tool | ToolSource | ToolList)[];

/**
 * Returns the tools of a list and of its nested lists, without those of sources. The same tool may occur more than once.
 *
 * @param builtIn Names of commands that every role has.
 * @throws RoleZeroError `invalid` for a value that is not a tool, for different tools with the same name, and for the name of a built-in
 * command.
 */
export function readTools(list: ToolList, builtIn: readonly string[] = []): Tool[] {
  if (!Array.isArray(list)) {
    const fix = typeof list === 'function' ? `tools: ${factoryName(list)}()` : 'tools: [ … ]';
    throw new RoleZeroError(
      'invalid',
      `\`tools\` must be a list of tools, but is ${describeValue(list)}. Write ${fix}.`,
      {},
    );
  }
  const tools = new Map<string, Tool>();
  for (const [index, tool] of list.flat(Infinity).entries()) {
    if (isToolSource(tool)) continue;
    checkTool(tool, `\`tools[${index}]\``);
    addTool(tools, tool as Tool, builtIn);
  }
  return [...tools.values()];
}

/**
 * Returns the sources of a list and of its nested lists.
 *
 * @param taken Names of the role's other tools.
 * @throws RoleZeroError `invalid` for a group that another source or another tool has.
 */
export function readSources(list: ToolList, taken: readonly string[]): ToolSource[] {
  const sources = new Map<string, ToolSource>();
  for (const source of (list as readonly unknown[]).flat(Infinity).filter(isToolSource)) {
    const { group } = source;
    const isTaken = taken.some((name) => name === group || name.startsWith(`${group}.`));
    if (isTaken || (sources.get(group) ?? source) !== source)
      throw new RoleZeroError(
        'invalid',
        `\`tools\` has a source of tools named ${group}, but other tools have this name. Give it another \`name\`.`,
        { name: group },
      );
    sources.set(group, source);
  }
  return [...sources.values()];
}

function factoryName(value: unknown): string {
  return (value as { name: string }).name || 'editor';
}

function addTool(tools: Map<string, Tool>, tool: Tool, builtIn: readonly string[]): void {
  const { name } = tool;
  if (builtIn.includes(name))
    throw new RoleZeroError(
      'invalid',
      `\`tools\` has a tool ${name}, but ${name} is a built-in command. Rename the tool.`,
      {
        name,
      },
    );
  const known = tools.get(name);
  if (known !== undefined && known !== tool)
    throw new RoleZeroError(
      'invalid',
      `\`tools\` has two different tools named ${name}. Rename one of them, or leave one out.`,
      { name },
    );
  tools.set(name, tool);
}

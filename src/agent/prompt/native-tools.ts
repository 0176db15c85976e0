import { fingerprint } from '../../core/fingerprint.js';
import type { ToolSpec } from '../../core/model.js';
import type { Tool } from '../../core/tool.js';
import { argumentSchema, firstSentence } from '../../tools/registry.js';
import { shortSchema } from '../../tools/short-schema.js';

/** The tools of a role in the native form: with names that servers accept. */
export interface NativeTools {
  specs: readonly ToolSpec[];
  /** Returns the command that a name means; the name itself for no command. */
  commandOf(name: string): string;
}

/** Leaves out the descriptions of all arguments. */
const ALL = { has: () => true, add: () => {} };

/** Maximum characters of a name at OpenAI, Anthropic, and others. */
const MAX_NAME = 64;

/**
 * Returns tools in the native form. `Editor.write` becomes `Editor_write`. When their JSON has more than `most` characters, only the first
 * sentence describes each tool. Arguments are described once, or not at all if `isBrief`.
 */
export function nativeTools(
  tools: readonly Tool[],
  { most, describe, isBrief }: { most: number; describe: (tool: Tool) => string; isBrief: boolean },
): NativeTools {
  const commands = new Map<string, string>();
  for (const { name } of tools) commands.set(freeName(name, commands), name);
  const names = [...commands.keys()];
  const specs = (about: (description: string) => string): ToolSpec[] => {
    const described = isBrief ? ALL : new Set<string>();
    return tools.map((tool, index) => ({
      name: names[index] ?? tool.name,
      description: about(describe(tool)),
      parameters: shortSchema(argumentSchema(tool), described),
    }));
  };
  const whole = specs((description) => description);
  return {
    specs: JSON.stringify(whole).length <= most ? whole : specs(firstSentence),
    commandOf: (name) => commands.get(name) ?? name,
  };
}

/** Returns the name of a tool as servers accept it, with a hash where it would be too long, or that of another tool. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  const plain = name.replace(/[^\w-]/g, '_');
  if (plain.length <= MAX_NAME && !taken.has(plain)) return plain;
  const hash = fingerprint(name);
  return `${plain.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}

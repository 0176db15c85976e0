import { isRecord, type JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';

/** Returns the tools that a small model is shown, as it is shown them, in their order for it. */
export function briefTools(tools: readonly Tool[]): Tool[] {
  const placeOf = ({ hints }: Tool): number => (hints?.small ? hints.small.place : Number.MAX_VALUE);
  return tools
    .filter(({ hints }) => hints?.small !== false)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(withFewerArguments);
}

/** The inputs without the arguments that a small model is not shown. */
const fewer = new WeakMap<Tool['input'], Tool['input']>();

function withFewerArguments(tool: Tool): Tool {
  const { small } = tool.hints ?? {};
  if (!small || small.without === undefined) return tool;
  const input = fewer.get(tool.input) ?? withoutArguments(tool.input, small.without);
  fewer.set(tool.input, input);
  return { ...tool, input };
}

function withoutArguments(input: Tool['input'], names: readonly string[]): Tool['input'] {
  const isShown = ([name]: [string, unknown]): boolean => !names.includes(name);
  return {
    safeParse: (value) => input.safeParse(value),
    toJSONSchema: (options) => {
      const schema = input.toJSONSchema(options) as JsonSchema;
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(isShown)) };
    },
  };
}

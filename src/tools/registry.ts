import { RoleZeroError } from '../base/error.js';
import type { Command } from '../base/human.js';
import { isRecord, type JsonSchema, type JsonValue } from '../base/json.js';
import type { InputIssue, Tool } from '../base/tool.js';

/** A command that may run: its tool and its checked input; or a text that tells the model how to do better. */
export type Resolved =
  { ok: true; tool: Tool; input: unknown } | { ok: false; reason: 'unknown' | 'input'; advice: string };

/**
 * The commands a role may give, each one object. What is not in here cannot run, whatever the model writes (R-111).
 * Names are `Group.method`; registering a name again keeps the first tool (spec 12).
 */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  readonly #aliases = new Map<string, string>();
  #description: string | null = null;
  #exclusive: readonly string[] = [];

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /** @throws RoleZeroError `invalid` when the name is not one, or `address` names no argument: what the tool reaches would go unseen. */
  register(tool: Tool): this {
    if (!/^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)?$/.test(tool.name)) {
      throw new RoleZeroError(
        'invalid',
        `"${tool.name}" is not a tool name; use Group.method, letters, digits and _.`,
        {
          name: tool.name,
        },
      );
    }
    if (this.#tools.has(tool.name)) return this;
    const { name, address } = tool;
    if (address !== undefined && !takesArgument(tool, address)) {
      const known = argumentNames(tool)?.join(', ') ?? '';
      throw new RoleZeroError(
        'invalid',
        `The address of ${name} is to be its argument "${address}", and there is none of that name. Its arguments are ${known || 'none'}.`,
        { name, address },
      );
    }
    this.#tools.set(tool.name, tool);
    this.#description = null;
    if (tool.exclusive) this.#exclusive = [...this.#exclusive, tool.name];
    return this;
  }

  /** Another name under which a model may call a tool. */
  alias(name: string, target: string): this {
    this.#aliases.set(name, target);
    return this;
  }

  /** The other names of a tool. */
  aliasesOf(name: string): string[] {
    return [...this.#aliases].flatMap(([alias, target]) => (target === name ? [alias] : []));
  }

  /** The tool of that name or alias. */
  get(name: string): Tool | undefined {
    return this.#tools.get(this.#aliases.get(name) ?? name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  /** Names of the tools of which a reply may hold only one; the same list until one is added. */
  get exclusive(): readonly string[] {
    return this.#exclusive;
  }

  /** Another number whenever a tool was added: what is derived from the tools is good for one version. */
  get version(): number {
    return this.#tools.size;
  }

  /** All tools, or those given, as JSON keyed by name, for the prompt; that of all is the same text until a tool is added. */
  describe(tools?: readonly Tool[]): string {
    if (tools !== undefined) return description(tools);
    this.#description ??= description(this.tools);
    return this.#description;
  }

  /**
   * The same in a line each: for windows that the schemas would fill. Where that takes more than `most` characters each is described by its
   * first sentence alone.
   */
  describeBriefly(tools: readonly Tool[] = this.tools, most = Infinity): string {
    const lines = (about: (description: string) => string): string =>
      tools.map((tool) => `${tool.name}(${parameters(tool)}): ${about(tool.description)}`).join('\n');
    const whole = lines((description) => description);
    return whole.length <= most ? whole : lines(firstSentence);
  }

  /** Checks name and arguments of a command before anything runs. */
  resolve(command: Command): Resolved {
    const tool = this.get(command.name);
    if (tool === undefined)
      return { ok: false, reason: 'unknown', advice: this.#unknownAdvice(command.name) };
    const args = tool.aliases === undefined ? command.args : renameArguments(command.args, tool.aliases);
    const parsed = tool.input.safeParse(args);
    if (!parsed.success) {
      return { ok: false, reason: 'input', advice: inputAdvice(tool, args, parsed.error.issues) };
    }
    const unknown = unknownArguments(tool, args);
    if (unknown.length > 0)
      return { ok: false, reason: 'input', advice: unknownArgumentAdvice(tool, unknown) };
    return { ok: true, tool, input: parsed.data };
  }

  #unknownAdvice(name: string): string {
    const group = name.split('.')[0] ?? '';
    const method = name.split('.').at(-1) ?? '';
    const near = this.names.filter(
      (known) => known.split('.')[0] === group || known.split('.').at(-1) === method,
    );
    const choice = near.length > 0 ? near : this.names;
    return `There is no command ${quote(name)}. Use one of: ${choice.join(', ')}.`;
  }
}

/** A point before a small letter belongs to an abbreviation. */
function firstSentence(text: string): string {
  return /^[^]*?(?:[.!?](?=\s+\P{Ll}|\s*$)|[。！？])/u.exec(text)?.[0] ?? text;
}

function description(tools: readonly Tool[]): string {
  const members = tools.map(
    (tool) =>
      `${JSON.stringify(tool.name)}:{"description":${JSON.stringify(tool.description)},"args":${argumentText(tool)}}`,
  );
  return `{${members.join(',')}}`;
}

/** `path: string, line_number?: integer = 1` */
function parameters(tool: Tool): string {
  const { properties: known, required } = argumentSchema(tool);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isRecord(known) ? known : {})
    .map(([name, schema]) => `${name}${isRequired(name) ? '' : '?'}: ${typeText(schema)}`)
    .join(', ');
}

function typeText(schema: unknown): string {
  if (!isRecord(schema)) return 'any';
  const { type, enum: choices, const: only, items, anyOf, default: value } = schema;
  const base = Array.isArray(choices)
    ? choices.map((choice) => JSON.stringify(choice)).join(' | ')
    : only !== undefined
      ? JSON.stringify(only)
      : Array.isArray(anyOf)
        ? anyOf.map(typeText).join(' | ')
        : type === 'array'
          ? `list of ${typeText(items)}`
          : typeof type === 'string'
            ? type
            : 'any';
  return value === undefined ? base : `${base} = ${JSON.stringify(value)}`;
}

/** Schemas do not change, every command given is held against one, and tools that are made anew for each role often share them. */
const schemas = new WeakMap<Tool['input'], JsonSchema>();
const texts = new WeakMap<JsonSchema, string>();

/** The JSON Schema of a tool's arguments, without what only costs tokens. */
export function argumentSchema(tool: Tool): JsonSchema {
  const known = schemas.get(tool.input);
  if (known !== undefined) return known;
  const schema = tool.input.toJSONSchema({
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as JsonSchema;
  const { $schema: _dialect, ...rest } = schema;
  schemas.set(tool.input, rest);
  return rest;
}

/** The same as JSON: each role that has the tool tells its model of it. */
function argumentText(tool: Tool): string {
  const schema = argumentSchema(tool);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}

function renameArguments(
  args: Record<string, JsonValue>,
  aliases: Record<string, string>,
): Record<string, JsonValue> {
  const renamed: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(args)) {
    const target = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    renamed[target === undefined || target in args ? name : target] = value;
  }
  return renamed;
}

/** Whether a tool may come to see an argument of that name. */
export function takesArgument(tool: Tool, name: string): boolean {
  return argumentNames(tool)?.includes(name) ?? true;
}

/** What the arguments of a tool are called once its schema has read them; null when anything may be among them. */
function argumentNames({ input }: Tool): string[] | null {
  const schema = input.toJSONSchema({
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as JsonSchema;
  const known = closedProperties(schema);
  return known && Object.keys(known);
}

function properties(tool: Tool): Record<string, unknown> | null {
  return closedProperties(argumentSchema(tool));
}

/** The properties of a schema that takes no others, by name; null when it takes any. */
export function closedProperties(schema: JsonSchema): Record<string, unknown> | null {
  const { properties: known, additionalProperties, type } = schema;
  if (type !== 'object' || (additionalProperties !== undefined && additionalProperties !== false))
    return null;
  return isRecord(known) ? known : {};
}

/** Arguments the schema does not know: zod drops them silently, but the model should hear of its mistake. */
function unknownArguments(tool: Tool, args: Record<string, JsonValue>): string[] {
  const known = properties(tool);
  return known === null ? [] : Object.keys(args).filter((name) => !Object.hasOwn(known, name));
}

function unknownArgumentAdvice(tool: Tool, unknown: string[]): string {
  return `${tool.name} has no argument ${unknown.map(quote).join(', ')}. ${signature(tool)}`;
}

function inputAdvice(tool: Tool, args: Record<string, JsonValue>, issues: readonly InputIssue[]): string {
  const lines = issues.slice(0, 5).map((issue) => {
    const place = issue.path.map(String).join('.');
    const missing = issue.path.length === 1 && !(String(issue.path[0]) in args);
    return missing
      ? `"${place}" is missing`
      : `${place === '' ? 'arguments' : `"${place}"`}: ${issue.message}`;
  });
  return `Invalid arguments for ${tool.name}: ${lines.join('; ')}. ${signature(tool)}`;
}

/** `Its arguments are path (string), content (string).` */
function signature(tool: Tool): string {
  const known = Object.entries(properties(tool) ?? {});
  if (known.length === 0) return 'It takes no arguments.';
  const required = argumentSchema(tool)['required'];
  const list = known.map(([name, schema]) => {
    const type = isRecord(schema) && typeof schema['type'] === 'string' ? schema['type'] : 'any';
    const optional = !Array.isArray(required) || !required.includes(name);
    return `${name} (${type}${optional ? ', optional' : ''})`;
  });
  return `Its arguments are ${list.join(', ')}.`;
}

function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

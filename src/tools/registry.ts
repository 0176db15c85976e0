import { RoleZeroError } from '../core/error.js';
import type { Command } from '../core/human.js';
import { isRecord, type JsonSchema, type JsonValue } from '../core/json.js';
import type { InputIssue } from '../core/input-schema.js';
import { groupOf, type FileUse, type Tool, type ToolView } from '../core/tool.js';
import { nearest } from './editor/nearest.js';
import { commandMeantBy, plainName, withMeantNames, withoutNeedless, withTextValues } from './meant-names.js';
import { shortSchema } from './short-schema.js';

/** Result of resolving a command: its tool and validated input, or advice for the model on how to correct the command. */
export type Resolved =
  | { ok: true; tool: Tool; input: unknown; note?: string }
  | { ok: false; reason: 'unknown' | 'input'; advice: string };

/**
 * Commands of a role, each defined by one object. A command that is not registered cannot run, whatever the model writes. Names have the
 * form `Group.method`. Registering a name again has no effect.
 */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  readonly #aliases = new Map<string, string>();
  readonly #sourced = new Map<string, readonly Tool[]>();
  #description: string | null = null;
  #version = 0;
  #plainNames: Map<string, string[]> | null = null;
  #exclusive: readonly string[] = [];
  readonly #views = new Map<string, ToolView>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /**
   * @throws RoleZeroError `invalid` if the name is malformed, or if `address` or the `argument` of `activity` is not an argument of the tool.
   * A wrong `address` would hide the addresses that the tool accesses.
   */
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
    const { name, address, activity } = tool;
    checkArgument(tool, 'address', address);
    checkArgument(tool, 'activity', activity?.argument);
    this.#tools.set(name, tool);
    this.#changed();
    if (tool.exclusive) this.#exclusive = [...this.#exclusive, name];
    if (tool.view !== undefined) this.#views.set(groupOf(name), tool.view);
    return this;
  }

  /**
   * Replaces the tools of a source. Tools whose names are not in its group, or are taken, are left out.
   *
   * @returns Whether anything has changed.
   */
  replace(group: string, tools: readonly Tool[]): boolean {
    const before = this.#sourced.get(group) ?? [];
    if (before === tools || before.length + tools.length === 0) return false;
    this.#sourced.set(group, tools);
    for (const tool of before) if (this.#tools.get(tool.name) === tool) this.#tools.delete(tool.name);
    this.#changed();
    for (const tool of tools)
      if (tool.name.startsWith(`${group}.`) && !this.#aliases.has(tool.name)) this.register(tool);
    return true;
  }

  #changed(): void {
    this.#description = null;
    this.#plainNames = null;
    this.#version += 1;
  }

  /** Adds another name under which a model may call a tool. */
  alias(name: string, target: string): this {
    this.#aliases.set(name, target);
    this.#plainNames = null;
    return this;
  }

  /** Returns the aliases of a tool. */
  aliasesOf(name: string): string[] {
    return [...this.#aliases].flatMap(([alias, target]) => (target === name ? [alias] : []));
  }

  /** Returns the tool with that name or alias. */
  get(name: string): Tool | undefined {
    return this.#tools.get(this.#aliases.get(name) ?? name);
  }

  /**
   * Returns the tool that a model means with a name: the tool with that name, or the only one whose name differs in case, separators, the
   * prefix of an interface, or a missing group (`editor.write`, `functions.Editor.write`, `write`).
   */
  meant(name: string): Tool | undefined {
    const exact = this.get(name);
    if (exact !== undefined) return exact;
    this.#plainNames ??= byPlainName([...this.#tools.keys(), ...this.#aliases.keys()]);
    const tools = new Set(this.#plainNames.get(plainName(name))?.map((each) => this.get(each)));
    return tools.size === 1 ? [...tools][0] : undefined;
  }

  /** Returns the name of the first tool for a use of files; see `ToolHints.file`. */
  forFile(use: FileUse): string | undefined {
    return this.tools.find(({ hints }) => hints?.file === use)?.name;
  }

  has(name: string): boolean {
    return this.#tools.has(this.#aliases.get(name) ?? name);
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  get tools(): Tool[] {
    return [...this.#tools.values()];
  }

  /** Names of the exclusive tools: a reply may use at most one of them. The array stays the same until a tool is added. */
  get exclusive(): readonly string[] {
    return this.#exclusive;
  }

  /** What the model sees of the states of the tools, by group. */
  get views(): ReadonlyMap<string, ToolView> {
    return this.#views;
  }

  /** Changes whenever the tools do. Data derived from the tools is valid for one version. */
  get version(): number {
    return this.#version;
  }

  /**
   * Returns all tools, or the given tools, as JSON keyed by name, for the prompt. The text for all tools is cached until a tool is added.
   */
  describe(tools?: readonly Tool[]): string {
    if (tools !== undefined) return description(tools);
    this.#description ??= description(this.tools);
    return this.#description;
  }

  /**
   * Returns the tools with one line each, for small context windows that the schemas would fill. If this exceeds `most` characters, only
   * the first sentence describes each tool. `describe` returns other descriptions.
   */
  describeBriefly(
    tools: readonly Tool[] = this.tools,
    {
      most = Infinity,
      describe = ({ description }) => description,
    }: { most?: number; describe?: (tool: Tool) => string } = {},
  ): string {
    const lines = (about: (description: string) => string): string =>
      tools.map((tool) => `${tool.name}(${parameters(tool)}): ${about(describe(tool))}`).join('\n');
    const whole = lines((description) => description);
    return whole.length <= most ? whole : lines(firstSentence);
  }

  /** Validates the name and arguments of a command before anything runs. */
  resolve(command: Command): Resolved {
    const tool = this.get(command.name);
    if (tool === undefined)
      return { ok: false, reason: 'unknown', advice: this.#unknownAdvice(command.name) };
    const schema = argumentSchema(tool);
    const known = closedProperties(schema);
    const { args, dropped } = meantArguments(tool, command.args, schema, known);
    const parsed = tool.input.safeParse(args);
    if (!parsed.success)
      return { ok: false, reason: 'input', advice: inputAdvice(tool, args, parsed.error.issues) };
    const unknown = unknownArguments(known, args);
    if (unknown.length > 0)
      return {
        ok: false,
        reason: 'input',
        advice: `${unknownAdvice(tool, args, unknown)} ${signature(tool)}`,
      };
    const note = `It has no argument ${dropped.map(quoteName).join(', ')}, which was ignored.`;
    return { ok: true, tool, input: parsed.data, ...(dropped.length > 0 && { note }) };
  }

  #unknownAdvice(name: string): string {
    const group = name.split('.')[0] ?? '';
    const method = name.split('.').at(-1) ?? '';
    const near = this.names.filter(
      (known) => known.split('.')[0] === group || known.split('.').at(-1) === method,
    );
    const meant = commandMeantBy(name, this.names) ?? nearest(name, this.names, String)[0];
    const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const choice = near.length > 0 ? near : this.names;
    return `There is no command ${quoteName(name)}.${guess} Use one of: ${choice.join(', ')}.`;
  }
}

/** @throws RoleZeroError `invalid` when a tool names an argument that it does not have. */
function checkArgument(tool: Tool, trait: 'address' | 'activity', argument: string | undefined): void {
  if (argument === undefined || takesArgument(tool, argument)) return;
  const { name } = tool;
  const known = argumentNames(tool)?.join(', ') ?? '';
  throw new RoleZeroError(
    'invalid',
    `The \`${trait}\` of ${name} names the argument "${argument}", which does not exist. Its arguments are ${known || 'none'}.`,
    { name, [trait]: argument },
  );
}

/** Names by what is left of them without case and separators, and by their methods alone. */
function byPlainName(names: readonly string[]): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const name of names)
    for (const plain of new Set([plainName(name), plainName(name.slice(name.indexOf('.') + 1))]))
      map.set(plain, [...(map.get(plain) ?? []), name]);
  return map;
}

/** Returns the arguments under the names and in the form that the tool knows, and those that were dropped. */
function meantArguments(
  tool: Tool,
  given: Record<string, JsonValue>,
  schema: JsonSchema,
  known: Record<string, unknown> | null,
): { args: Record<string, JsonValue>; dropped: string[] } {
  const named = withName(given, schema);
  const aliased = tool.aliases === undefined ? named : renameArguments(named, tool.aliases);
  if (known === null) return { args: aliased, dropped: [] };
  if (Object.keys(aliased).every((name) => Object.hasOwn(known, name)))
    return { args: withTextValues(aliased, schema), dropped: [] };
  const { args, dropped } = withoutNeedless(withMeantNames(aliased, known), known, tool.effect === 'pure');
  return { args: withTextValues(args, schema), dropped };
}

/** Names an argument without a name, as in `Editor.read("/a")`: it is the first that the command requires. */
function withName(given: Record<string, JsonValue>, { required }: JsonSchema): Record<string, JsonValue> {
  const { '': value, ...others } = given;
  const first: unknown = Array.isArray(required) ? required[0] : undefined;
  if (value === undefined || typeof first !== 'string') return given;
  return { [first]: value, ...others };
}

/** A period before a lowercase letter belongs to an abbreviation. */
export function firstSentence(text: string): string {
  return /^[^]*?(?:[.!?](?=\s+\P{Ll}|\s*$)|[。！？])/u.exec(text)?.[0] ?? text;
}

/** The JSON of tools for the prompt. An argument that was described before is not described again. */
function description(tools: readonly Tool[]): string {
  const described = new Set<string>();
  const members = tools.map((tool) => {
    const args = shortSchema(argumentSchema(tool), described);
    return [tool.name, { description: tool.description, args }] as const;
  });
  return JSON.stringify(Object.fromEntries(members));
}

/** Formats the arguments of a tool: `path: string, line_number?: integer = 1`. */
function parameters(tool: Tool): string {
  const { properties: known, required } = argumentSchema(tool);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isRecord(known) ? known : {})
    .map(([name, schema]) => `${name}${isRequired(name) ? '' : '?'}: ${typeInWords(schema)}`)
    .join(', ');
}

function typeInWords(schema: unknown): string {
  if (!isRecord(schema)) return 'any';
  const { type, enum: choices, const: only, items, anyOf, default: value } = schema;
  const base = Array.isArray(choices)
    ? choices.map((choice) => JSON.stringify(choice)).join(' | ')
    : only !== undefined
      ? JSON.stringify(only)
      : Array.isArray(anyOf)
        ? anyOf.map(typeInWords).join(' | ')
        : type === 'array'
          ? `list of ${typeInWords(items)}`
          : typeof type === 'string'
            ? type
            : 'any';
  return value === undefined ? base : `${base} = ${JSON.stringify(value)}`;
}

/**
 * Cache of schemas. Schemas do not change, every command is validated against one, and tools that are created per role often share them.
 */
const schemas = new WeakMap<Tool['input'], JsonSchema>();

/** Returns the JSON Schema of a tool's arguments, without parts that only cost tokens. */
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

/** Returns whether a tool can receive an argument with that name. */
export function takesArgument(tool: Tool, name: string): boolean {
  return argumentNames(tool)?.includes(name) ?? true;
}

/** Returns the names of a tool's arguments after its schema has parsed them; null if it accepts any arguments. */
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

/** Returns the properties of a schema that accepts no others, by name; null if it accepts any. */
export function closedProperties(schema: JsonSchema): Record<string, unknown> | null {
  const { properties: known, additionalProperties, type } = schema;
  if (type !== 'object' || (additionalProperties !== undefined && additionalProperties !== false))
    return null;
  return isRecord(known) ? known : {};
}

/** Returns arguments that the schema does not define. Zod drops them silently, but the model should receive an error. */
function unknownArguments(known: Record<string, unknown> | null, args: Record<string, JsonValue>): string[] {
  return known === null ? [] : Object.keys(args).filter((name) => !Object.hasOwn(known, name));
}

/** Names the arguments that a tool does not have, each with the most similar one that is not given. */
function unknownAdvice(tool: Tool, args: Record<string, JsonValue>, unknown: readonly string[]): string {
  const free = Object.keys(properties(tool) ?? {}).filter((name) => !Object.hasOwn(args, name));
  const names = unknown.map((name) => {
    const [meant] = nearest(name, free, String);
    return meant === undefined ? quoteName(name) : `${quoteName(name)} (did you mean ${quoteName(meant)}?)`;
  });
  return `${tool.name} has no argument ${names.join(', ')}.`;
}

function inputAdvice(tool: Tool, args: Record<string, JsonValue>, issues: readonly InputIssue[]): string {
  const unknown = unknownArguments(properties(tool), args);
  const isNamed = ({ path, code }: InputIssue): boolean =>
    path.length === 0 ? code === 'unrecognized_keys' : path.length === 1 && unknown.includes(String(path[0]));
  const others = unknown.length === 0 ? issues : issues.filter((issue) => !isNamed(issue));
  const lines = others.slice(0, 5).map((issue) => {
    const place = issue.path.map(String).join('.');
    const missing = issue.path.length === 1 && !(String(issue.path[0]) in args);
    return missing
      ? `"${place}" is missing`
      : `${place === '' ? 'arguments' : `"${place}"`}: ${issue.message}`;
  });
  const invalid = lines.length === 0 ? [] : [`Invalid arguments for ${tool.name}: ${lines.join('; ')}.`];
  const superfluous = unknown.length === 0 ? [] : [unknownAdvice(tool, args, unknown)];
  return [...invalid, ...superfluous, signature(tool)].join(' ');
}

/** Formats the signature of a tool: `Its arguments are path (string), content (string).` */
function signature(tool: Tool): string {
  const known = properties(tool) ?? {};
  const listed = propertyList(argumentSchema(tool), known);
  return listed === '' ? 'It takes no arguments.' : `Its arguments are ${listed}.`;
}

/** Lists properties of a schema with their types: `apiKey (string), baseURL (string, optional)`. */
export function propertyList({ required }: JsonSchema, known: Record<string, unknown>): string {
  const fields = Object.entries(known).map(([name, schema]) => {
    const type = isRecord(schema) && typeof schema['type'] === 'string' ? schema['type'] : 'any';
    const isOptional = !Array.isArray(required) || !required.includes(name);
    return `${name} (${type}${isOptional ? ', optional' : ''})`;
  });
  return fields.join(', ');
}

function quoteName(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

import { jsonSchemaInput } from './json-schema.js';
import { withInput, isInputSchema } from './input-schema.js';
import type { Tool, ToolDefinition, ToolHints } from './tool.js';
import { checkOptions, type OptionKind } from './check-options.js';
import { describeValue, isPromise } from './describe-value.js';
import { RoleZeroError } from './error.js';
import { isRecord, isJsonSchema } from './json.js';

/**
 * Declares a tool. The input type is inferred from its schema. With a plain JSON Schema it is a record, or what the parameter of `run` says.
 *
 * @example defineTool({ name: 'Clock.now', description: 'The local time.', input: z.object({}), run: () => new Date().toString() })
 * @throws RoleZeroError `invalid` for a missing field, or an `input` that is no schema of zod 4, Standard Schema or JSON Schema.
 */
export function defineTool<Input = Record<string, unknown>>(tool: ToolDefinition<Input>): Tool<Input> {
  const read = withInput(tool, jsonSchemaInput);
  checkTool(read, 'The argument of defineTool()');
  return read as Tool<Input>;
}

/**
 * Checks that a value is a tool, for untyped callers.
 *
 * @param place Where the caller passed it, as the subject of a sentence: `` `tools[0]` ``.
 * @throws RoleZeroError `invalid` with the value and the fix.
 */
export function checkTool(tool: unknown, place: string): void {
  if (!isRecord(tool) || isPromise(tool)) throw notATool(tool, place);
  const { name, description, input, run, activity, hints, trusted, untrusted } = tool;
  if (typeof name !== 'string' || name === '') throw notATool(tool, place);
  if (typeof description !== 'string')
    throw invalid(name, `has no \`description\`, from which the model learns what it is for`);
  const problem = inputProblem(input);
  if (problem !== null) throw invalid(name, problem);
  if (typeof run !== 'function') throw invalid(name, 'has no `run` function');
  if (activity !== undefined && !isActivity(activity))
    throw invalid(
      name,
      `has as \`activity\` ${describeValue(activity)}. Write { verb: 'Writing', argument: 'path' }`,
    );
  if (hints !== undefined) checkHints(name, hints);
  if (trusted === true && untrusted === true)
    throw invalid(name, 'is `trusted` and `untrusted`. Remove one of them');
}

/** @throws RoleZeroError `invalid` naming a hint that does not exist, or whose value cannot be used. */
function checkHints(name: string, hints: unknown): void {
  checkOptions(`\`hints\` of the tool ${name}`, hints, {
    small: true,
    changes: ['always', 'visible'],
    neededFor: ['work', 'search'],
    file: ['read', 'write', 'replace', 'append'],
    opensPages: 'flag',
    readFirst: 'flag',
    tests: 'flag',
    rawResult: 'flag',
  } satisfies Record<keyof ToolHints, OptionKind>);
  const { small } = hints as ToolHints;
  if (small === undefined || small === false) return;
  if (!isRecord(small) || typeof small['description'] !== 'string' || typeof small['place'] !== 'number')
    throw invalid(
      name,
      `has as \`hints.small\` ${describeValue(small)}. Write { description: 'Show a file.', place: 1 }, or false`,
    );
}

function isActivity(value: unknown): boolean {
  return isRecord(value) && typeof value['verb'] === 'string' && value['verb'].trim() !== '';
}

function notATool(value: unknown, place: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `${place} must be a tool, but is ${describeValue(value)}.${fixOfTool(value)}`,
    { place },
  );
}

function fixOfTool(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? ' Call it.' : ` Call it: ${value.name}().`;
  if (isPromise(value)) return ' Await it first.';
  if (!isRecord(value)) return '';
  if (isRecord(value['descriptor']) && typeof value['call'] === 'function')
    return ' It is a page tool: give it to connect({ tools }) on the page.';
  return " A tool has `name`, `description`, `input` and `run`: use defineTool({ name: 'Group.method', … }).";
}

function invalid(name: string, problem: string): RoleZeroError {
  return new RoleZeroError('invalid', `The tool ${name} ${problem}.`, { name });
}

/** Describes what is wrong with the schema of a tool's arguments, as the end of a sentence. Returns null for a schema with its methods. */
function inputProblem(input: unknown): string | null {
  if (input === undefined) return 'has no `input`. Give it a zod schema; without arguments z.object({})';
  if (isInputSchema(input)) return null;
  const { '~standard': standard } = (input ?? {}) as { '~standard'?: unknown };
  if (isRecord(standard) && standard['vendor'] !== 'zod') return withoutJsonSchema(standard['vendor']);
  if (!isRecord(input))
    return `has as \`input\` ${describeValue(input)}. Give it a zod schema: z.object({ … })`;
  if (isRecord(standard) || typeof input['safeParse'] === 'function' || typeof input['parse'] === 'function')
    return "has as `input` a schema of zod 3 or zod/mini. Use zod 4: import * as z from 'zod'";
  if (isJsonSchema(input))
    return input['type'] === 'object'
      ? 'has a JSON Schema as `input`. Declare the tool with defineTool({ … })'
      : 'has as `input` a JSON Schema of another type than "object". Arguments are an object: { type: "object", properties: { … } }';
  return `has as \`input\` ${describeValue(input)}. Wrap its fields: z.object({ … })`;
}

/** A schema that implements Standard Schema only: it cannot be described to a model. */
function withoutJsonSchema(vendor: unknown): string {
  const fix =
    vendor === 'valibot'
      ? 'Wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema'
      : 'Use a release that implements Standard JSON Schema, or convert the schema to a JSON Schema';
  return `has as \`input\` a ${String(vendor)} schema without JSON Schema. ${fix}`;
}

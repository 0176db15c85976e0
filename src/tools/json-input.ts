import { isRecord, type JsonSchema } from '../core/json.js';
import type { InputIssue, InputSchema } from '../core/input-schema.js';

/**
 * Builds the argument schema of a tool from a JSON Schema. Checks required arguments, and the type and choices of each; whoever runs the
 * tool checks the rest. Patterns and references of the schema are not evaluated: a hostile one could take forever.
 */
export function jsonInput(schema: JsonSchema): InputSchema<Record<string, unknown>> {
  return {
    safeParse(value) {
      if (!isRecord(value)) return failedParse([{ path: [], message: 'must be an object' }]);
      const issues = inputIssues(schema, value);
      return issues.length > 0 ? failedParse(issues) : { success: true, data: value };
    },
    toJSONSchema: () => schema,
  };
}

function failedParse(issues: InputIssue[]): { success: false; error: { issues: InputIssue[] } } {
  return { success: false, error: { issues } };
}

function inputIssues({ properties, required }: JsonSchema, value: Record<string, unknown>): InputIssue[] {
  const missing = (Array.isArray(required) ? required : [])
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
    .map((name): InputIssue => ({ path: [name], message: 'is required' }));
  const wrong = Object.entries(value).flatMap(([name, each]): InputIssue[] => {
    const known = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const message = isRecord(known) ? valueProblem(known, each) : null;
    return message === null ? [] : [{ path: [name], message }];
  });
  return [...missing, ...wrong];
}

function valueProblem(
  { type, enum: choices, nullable }: Record<string, unknown>,
  value: unknown,
): string | null {
  if (nullable === true && value === null) return null; // of OpenAPI
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length > 0 && !types.some((each) => matchesType(value, each)))
    return `must be ${types.join(' or ')}`;
  if (Array.isArray(choices) && typeof value !== 'object' && !choices.includes(value))
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  return null;
}

/** An unknown type fits every value. */
function matchesType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return true;
  }
}

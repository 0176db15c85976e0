import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { JsonSchema, JsonValue } from '../core/json.js';
import { jsonSchemaIssues } from '../core/json-schema.js';
import { OUTPUT_CHECK, type WantedOutput } from '../core/output.js';
import { jsonCandidates } from './parse/reply.js';
import { withoutThinking } from './parse/thinking.js';
import { fill } from './prompt/template.js';
import type { Agent } from './runtime/agent.js';
import { converse } from './runtime/converse.js';
import type { Ending } from './runtime/turn.js';

/** Number of times the model is asked for the typed answer: once, and again after each one that does not fit. */
const ATTEMPTS = 3;
/** Maximum number of parts of a reply that are tried as the answer. */
const CANDIDATES = 4;
/** Maximum number of problems that the model receives, and characters of each. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM = 300;

/** The typed answer of a turn, or why there is none. */
export type TypedOutput = { value: JsonValue } | { error: RoleZeroError };

/**
 * Asks the model for the typed answer that the request of the user wants. An answer that does not fit goes back to the model with the
 * reasons. The replies are stored, so that after a crash none is paid twice.
 *
 * @returns null when no typed answer is wanted, and while the work is not done
 */
export async function typedOutput(agent: Agent, ending: Ending): Promise<TypedOutput | null> {
  const { output } = agent.state;
  if (output === undefined || !agent.isMetered) return null;
  if (ending.kind !== 'ended' && ending.kind !== 'answered') return null;
  let problems: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await ask(agent, output.schema, attempt, problems);
    const read = await readOutput(agent, output, reply, attempt);
    if ('value' in read) return read;
    problems = read.problems;
  }
  return { error: doesNotFit(problems) };
}

/** Returns advice for the model at the start of the work: what to find out for the typed answer. */
export function outputAdvice({ settings, state }: Agent): string[] {
  if (state.output === undefined) return [];
  return [fill(settings.prompts.outputWanted, { schema: JSON.stringify(state.output.schema) })];
}

function ask(
  agent: Agent,
  schema: JsonSchema,
  attempt: number,
  problems: readonly string[],
): Promise<string> {
  const { prompts } = agent.settings;
  return converse(agent, {
    purpose: 'output',
    key: `output:${attempt}`,
    request: () =>
      attempt === 0
        ? fill(prompts.output, { schema: JSON.stringify(schema) })
        : fill(prompts.outputAgain, { problems: problems.join('\n'), schema: JSON.stringify(schema) }),
    // Servers accept only schemas of objects for a reply.
    ...defined({ responseSchema: schema['type'] === 'object' ? schema : undefined }),
  });
}

/** Returns the first part of a reply that fits, or the problems of the likeliest one. */
async function readOutput(
  agent: Agent,
  { schema, id }: WantedOutput,
  reply: string,
  attempt: number,
): Promise<{ value: JsonValue } | { problems: string[] }> {
  let problems: string[] | null = null;
  for (const value of candidates(reply, schema)) {
    const found = jsonSchemaIssues(schema, value).map(
      ({ path, message }) => `${path.map(String).join('.') || 'the value'}: ${message}`,
    );
    const wrong = found.length > 0 ? found : await issuesOfPage(agent, id, value, attempt);
    if (wrong.length === 0) return { value };
    problems ??= wrong;
  }
  const shown = (problems ?? ['The reply contains no JSON.']).slice(0, MAX_PROBLEMS);
  return { problems: shown.map((problem) => problem.slice(0, MAX_PROBLEM)) };
}

/** The values that a reply may mean: all of it, else the JSON in it, and its words where the answer is a text. */
function candidates(reply: string, schema: JsonSchema): JsonValue[] {
  const text = withoutThinking(reply).trim();
  const values = strictly(text);
  if (values.length > 0) return values;
  for (const { read } of jsonCandidates(text)) {
    if (values.length >= CANDIDATES) break;
    const result = read();
    if (result.ok) values.push(result.value);
  }
  return schema['type'] === 'string' && text !== '' ? [...values, text] : values;
}

function strictly(text: string): JsonValue[] {
  try {
    return [JSON.parse(text) as JsonValue];
  } catch {
    return [];
  }
}

/** Asks the page whether the value fits the schema of the application, which may require more than its JSON Schema can say. */
async function issuesOfPage(agent: Agent, id: string, value: JsonValue, attempt: number): Promise<string[]> {
  const { callPage } = agent.context;
  if (callPage === undefined) return [];
  const callId = `${agent.turn().id}.output:${attempt}`;
  const issues = await callPage(callId, OUTPUT_CHECK, { id, value }, agent.run.signal);
  return Array.isArray(issues) ? issues.map(String) : [];
}

function doesNotFit(problems: readonly string[]): RoleZeroError {
  return new RoleZeroError(
    'output-invalid',
    `The model gave ${ATTEMPTS} answers that do not fit the schema of \`output\`. The last one: ${problems.join('; ')}. Use a simpler schema, or a larger model.`,
    { problems: [...problems] },
  );
}

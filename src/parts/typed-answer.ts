import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { JsonSchema, JsonValue } from '../core/json.js';
import { jsonSchemaIssues } from '../core/json-schema.js';
import { OUTPUT_CHECK, wantedOutput, type WantedOutput } from '../core/output.js';
import { jsonCandidates } from '../agent/parse/reply.js';
import { withoutThinking } from '../agent/parse/thinking.js';
import { fill } from '../agent/prompt/template.js';
import type { AgentPart, Closing, PartAgent, TypedAnswer } from '../agent/runtime/part.js';

/** Number of times the model is asked for the typed answer: once, and again after each one that does not fit. */
const MAX_ANSWER_ATTEMPTS = 3;
/** Maximum number of parts of a reply that are tried as the answer. */
const MAX_CANDIDATES = 4;
/** Maximum number of problems that the model receives, and characters of each. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM = 300;

/** Asks for the typed answer that a request of the user wants: the option `output` of `send`. */
export function typedAnswer(agent: PartAgent): AgentPart {
  return {
    name: 'typed-answer',
    onRequest({ metadata }) {
      const output = wantedOutput(metadata);
      if (output === null) delete agent.state.output;
      else agent.state.output = output;
    },
    advice() {
      const { output } = agent.state;
      if (output === undefined) return [];
      return [fill(agent.settings.prompts.outputWanted, { schema: JSON.stringify(output.schema) })];
    },
    async answer(closing) {
      const { output } = agent.state;
      return output === undefined || !agent.isMetered ? null : requestAnswer(agent, closing, output);
    },
  };
}

/**
 * Asks the model for the typed answer. One that does not fit goes back to the model with the reasons. The replies are stored, so that after
 * a crash none is paid twice.
 */
async function requestAnswer(agent: PartAgent, closing: Closing, output: WantedOutput): Promise<TypedAnswer> {
  let problems: string[] = [];
  for (let attempt = 0; attempt < MAX_ANSWER_ATTEMPTS; attempt++) {
    const reply = await closing.ask({
      purpose: 'output',
      key: `output:${attempt}`,
      text: questionOf(agent, output.schema, problems),
      // Servers accept only schemas of objects for a reply.
      ...defined({ responseSchema: output.schema['type'] === 'object' ? output.schema : undefined }),
    });
    const read = await readOutput(reply, output.schema, (value) =>
      issuesOfPage(agent, closing.signal, { id: output.id, value }, attempt),
    );
    if ('value' in read) return read;
    problems = read.problems;
  }
  return { error: doesNotFit(problems) };
}

/** Returns the request for an answer, or for another one after these problems. */
function questionOf({ settings }: PartAgent, answer: JsonSchema, problems: readonly string[]): string {
  const { output, outputAgain } = settings.prompts;
  const schema = JSON.stringify(answer);
  return problems.length === 0
    ? fill(output, { schema })
    : fill(outputAgain, { problems: problems.join('\n'), schema });
}

/** Returns the first part of a reply that fits, or the problems of the likeliest one. */
async function readOutput(
  reply: string,
  schema: JsonSchema,
  issuesOf: (value: JsonValue) => Promise<string[]>,
): Promise<{ value: JsonValue } | { problems: string[] }> {
  let problems: string[] | null = null;
  for (const value of candidates(reply, schema)) {
    const found = jsonSchemaIssues(schema, value).map(
      ({ path, message }) => `${path.map(String).join('.') || 'the value'}: ${message}`,
    );
    const wrong = found.length > 0 ? found : await issuesOf(value);
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
    if (values.length >= MAX_CANDIDATES) break;
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
async function issuesOfPage(
  agent: PartAgent,
  signal: AbortSignal,
  answer: { id: string; value: JsonValue },
  attempt: number,
): Promise<string[]> {
  const { callPage } = agent.context;
  if (callPage === undefined) return [];
  const callId = `${agent.turn().id}.output:${attempt}`;
  const issues = await callPage(callId, OUTPUT_CHECK, answer, signal);
  return Array.isArray(issues) ? issues.map(String) : [];
}

function doesNotFit(problems: readonly string[]): RoleZeroError {
  return new RoleZeroError(
    'output-invalid',
    `The model gave ${MAX_ANSWER_ATTEMPTS} answers that do not fit the schema of \`output\`. The last one: ${problems.join('; ')}. Use a simpler schema, or a larger model.`,
    { problems: [...problems] },
  );
}

import { parseArgs } from 'node:util';
import type { ReplyFormat } from '../try/page/bridge.js';
import { remoteModel, UsageError, type Environment, type ModelChoice } from '../try/arguments.js';
import type { Loop } from './report.js';
import { CODE, KINDS, kindOf, SMALL, type Task } from './task.js';
import { ALL_TASKS, TASKS } from './tasks/index.js';

/** The parsed command line. */
export interface EvalOptions {
  model: Extract<ModelChoice, { kind: 'remote' | 'web-llm' }>;
  tasks: readonly Task[];
  loops: readonly Loop[];
  /** How often each task is run. */
  repeat: number;
  /** How many tasks run at the same time. */
  concurrency: number;
  /** Time limit of one task; null: the limit of the task. */
  minutes: number | null;
  /** Form of the replies; null: what suits model and server. */
  replyFormat: ReplyFormat | null;
  /** Preset of the agent; null: by the size of the model. */
  preset: 'full' | 'small' | null;
  /** Null: that of the agent. */
  temperature: number | null;
  /** Directory for a transcript of each attempt; null for none. */
  transcripts: string | null;
  /** Directory for the replies of each attempt as JSON; null for none. */
  record: string | null;
  /** File for the report as JSON; null for none. */
  out: string | null;
  /** Profile directory of the browser; null for a temporary one. */
  profile: string | null;
}

export const HELP = `npm run eval -- --base-url URL --model NAME
npm run eval -- --web-llm MODEL

Runs 30 tasks, or others, with a model, each in a new session of the agent in a headless Chromium, and checks the results. Reports how many were
solved, what they took, and why the others failed. It spends tokens: about 30 times a short piece of work.

The model, from any server with the OpenAI protocol:
  --base-url URL        up to and including /v1; or ROLEZERO_BASE_URL
  --model NAME          its name on the server; or ROLEZERO_MODEL
  --key KEY             prefer ROLEZERO_API_KEY or OPENAI_API_KEY: npm prints command lines. Local servers need none
  --context-window N    tokens of prompt and reply together; default: known for hosted models, otherwise as reported by the server
Or in the browser, on a machine with a GPU:
  --web-llm MODEL       a model of WebLLM, such as Qwen2.5-7B-Instruct-q4f16_1-MLC; it is downloaded once

The tasks:
  --only KIND|TASK      only these, such as fix or fix/discount; may be given several times
                        kinds: ${KINDS.join(', ')};
                        ${SMALL}: 10 tasks for models with 1 to 4 billion parameters, not among the 30
                        ${CODE}: 10 tasks that need running programs, in JavaScript, Python, SQL and git, not among the 30
  --sample              the first task of each kind
  --repeat N            runs each task N times; default 1
  --concurrency N       tasks at the same time; default 1, which local servers need
  --minutes N           time limit of each task; default: that of the task, 10 to 20
  --compare ai-sdk      runs the tasks in a plain loop of tool calls of the AI SDK as well, with the same model

The agent:
  --reply-format FORMAT text, schema, tools (native calls), or tools-required (one in each reply); default: what suits the server
  --preset PRESET       full or small; default: small for models below 4 billion parameters and windows below 16,000 tokens
  --temperature N       0 to 2; default: 0.2 for small models and local servers, otherwise that of the server

The report:
  --transcripts DIR     writes a readable file with all requests and replies of each task
  --record DIR          writes the replies of each task as JSON, to be replayed: see test/corpus/real/README.md
  --out FILE            writes the report as JSON, after each task
  --profile DIR         the browser profile; default with --web-llm: ~/.rolezero-try, which stores the model
  --help

Ctrl+C ends the evaluation with a report of what was done; twice quits at once.
Exit codes: 0 all tasks were run, solved or not; 1 the model cannot be used; 3 interrupted; 64 invalid usage.
`;

const OPTIONS = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  key: { type: 'string' },
  'context-window': { type: 'string' },
  'web-llm': { type: 'string' },
  only: { type: 'string', multiple: true },
  sample: { type: 'boolean' },
  repeat: { type: 'string' },
  concurrency: { type: 'string' },
  minutes: { type: 'string' },
  compare: { type: 'string' },
  'reply-format': { type: 'string' },
  preset: { type: 'string' },
  temperature: { type: 'string' },
  transcripts: { type: 'string' },
  record: { type: 'string' },
  out: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Parses a command line, with defaults from the environment; null when help is requested.
 *
 * @param home the user's home directory
 * @throws UsageError
 */
export function readArguments(
  line: readonly string[],
  environment: Environment,
  home: string,
): EvalOptions | null {
  const values = parsed(line);
  if (values.help) return null;
  for (const name of ['base-url', 'model', 'web-llm', 'out', 'profile', 'transcripts', 'record'] as const)
    if (values[name] === '') throw new UsageError(`--${name} is empty.`);
  const model = modelOf(values, environment);
  const { compare, out = null } = values;
  if (compare !== undefined && compare !== 'ai-sdk')
    throw new UsageError(`--compare must be ai-sdk, got "${compare}".`);
  if (compare !== undefined && model.kind !== 'remote')
    throw new UsageError('--compare needs a server: pass --base-url URL and --model NAME.');
  const tasks = selected(values.only ?? []);
  if (compare !== undefined && tasks.some((task) => kindOf(task) === CODE))
    throw new UsageError(`--compare has no terminal: leave out --only ${CODE}.`);
  return {
    model,
    tasks: values.sample === true ? sampleOf(tasks) : tasks,
    loops: compare === undefined ? ['rolezero'] : ['rolezero', 'ai-sdk'],
    repeat: count('repeat', values.repeat) ?? 1,
    concurrency: count('concurrency', values.concurrency) ?? 1,
    minutes: minutesOf(values.minutes),
    replyFormat: oneOf('reply-format', values['reply-format'], ['text', 'schema', 'tools', 'tools-required']),
    preset: oneOf('preset', values.preset, ['full', 'small']),
    temperature: temperatureOf(values.temperature),
    transcripts: values.transcripts ?? null,
    record: values.record ?? null,
    out,
    profile: values.profile ?? (model.kind === 'web-llm' ? `${home}/.rolezero-try` : null),
  };
}

type Values = ReturnType<typeof parsed>;

function parsed(line: readonly string[]) {
  try {
    return parseArgs({ args: [...line], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function modelOf(values: Values, environment: Environment): EvalOptions['model'] {
  const name = values['web-llm'];
  if (name !== undefined) {
    if (values['base-url'] !== undefined || values.model !== undefined)
      throw new UsageError('Pass either --web-llm MODEL, or --base-url URL and --model NAME.');
    return { kind: 'web-llm', model: name };
  }
  const remote = remoteModel(values, environment);
  if (remote === null)
    throw new UsageError('No model: pass --base-url URL and --model NAME, or --web-llm MODEL.');
  return remote;
}

/** Returns the tasks of some kinds or ids; without any, all tasks. */
function selected(only: readonly string[]): readonly Task[] {
  const isNamed = (task: Task, name: string) => task.id === name || kindOf(task) === name;
  const unknown = only.find((name) => !ALL_TASKS.some((task) => isNamed(task, name)));
  if (unknown !== undefined) {
    const [kind] = unknown.split('/');
    const near = ALL_TASKS.filter((task) => kindOf(task) === kind).map(({ id }) => id);
    const known = near.length > 0 ? near : [...KINDS, SMALL, CODE];
    throw new UsageError(`--only "${unknown}" is no kind and no task. Use one of ${known.join(', ')}.`);
  }
  return only.length === 0 ? TASKS : ALL_TASKS.filter((task) => only.some((name) => isNamed(task, name)));
}

/** Returns the first task of each kind. */
function sampleOf(tasks: readonly Task[]): readonly Task[] {
  return tasks.filter((task, at) => tasks.findIndex((other) => kindOf(other) === kindOf(task)) === at);
}

function count(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,2}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a whole number from 1 to 999, got "${text}".`);
}

function oneOf<Value extends string>(
  name: string,
  text: string | undefined,
  known: readonly Value[],
): Value | null {
  const value = known.find((each) => each === text);
  if (text === undefined || value !== undefined) return value ?? null;
  throw new UsageError(`--${name} must be ${known.join(' or ')}, got "${text}".`);
}

function temperatureOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/u.test(text)) return Number(text);
  throw new UsageError(`--temperature must be a number from 0 to 2, got "${text}".`);
}

function minutesOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const minutes = /^\d{1,4}(?:\.\d+)?$/u.test(text) ? Number(text) : 0;
  if (minutes > 0) return minutes;
  throw new UsageError(`--minutes must be a number of minutes above 0, got "${text}".`);
}

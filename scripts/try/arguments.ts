import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { CpuModel } from 'rolezero/providers/detect';
import { isTourName, TOUR_NAMES, type TourName } from '../../demo/tour/index.js';

/** Which model thinks. */
export type ModelChoice =
  | { kind: 'tour'; tour: TourName }
  | { kind: 'web-llm'; model: string }
  | { kind: 'chrome' }
  | { kind: 'wllama'; model: CpuModel }
  | {
      kind: 'remote';
      baseURL: string;
      model: string;
      apiKey: string | undefined;
      contextWindow: number | undefined;
    };

/** What the command line asks for. */
export interface TryOptions {
  /** Null to continue with what was interrupted. */
  request: string | null;
  /** `auto`: whatever this machine has; `mayDownload` agrees to a download for the processor. */
  model: ModelChoice | { kind: 'auto'; mayDownload: boolean };
  session: string;
  /** Where sessions are stored; null for a place of this call's own. */
  profile: string | null;
  /** Where the session's files go; null for nowhere. */
  out: string | null;
  answers: string[];
  json: boolean;
}

/** The command line cannot be followed; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `npm run try -- "a request"
npm run try -- --tour [NAME]

Runs the agent in a headless Chromium, in the same worker as on a page, and prints what happens.

The model, when none is named, is what this machine has, and why is said: a GPU, the browser's own model, a server on its usual port, or
one for the processor:
  --download            agrees to download that one (1.1 GB); without it you are asked
  --gguf URL            runs this file on the processor, whatever else there is
Or one from any server that speaks the OpenAI protocol:
  --base-url URL        up to and including /v1; or ROLEZERO_BASE_URL
  --model NAME          as the server knows it; or ROLEZERO_MODEL
  --key KEY             better ROLEZERO_API_KEY, else OPENAI_API_KEY: npm prints command lines. Local servers need none
  --context-window N    tokens that prompt and reply share; default: known for hosted models, else as the server says
  --tour [NAME]         no model, no network: plays a recorded run. ${TOUR_NAMES.slice(0, 3).join(', ')},
                        ${TOUR_NAMES.slice(3).join(', ')}

The work:
  --out DIR             writes the session's files below DIR when the run ends
  --answer TEXT         answers a question, in order, instead of the keyboard; may be given several times
  --session NAME        keeps the session under this name, and goes on with it
  --profile DIR         the browser's profile sessions are kept in; default with --session: ~/.rolezero-try
  --json                prints one event per line, and everything else on standard error
  --help

Without a request the session goes on where it was interrupted. Ctrl+C stops the run and keeps what was done; twice quits at once.
Exit codes: 0 done, 1 failed, 2 waiting for an answer, 3 stopped or at a limit, 64 wrong usage or no model.
`;

const OPTIONS = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  key: { type: 'string' },
  'context-window': { type: 'string' },
  download: { type: 'boolean' },
  gguf: { type: 'string' },
  tour: { type: 'string' },
  out: { type: 'string' },
  answer: { type: 'string', multiple: true },
  session: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a command line, and from the environment what it leaves out; null when it asks for help.
 * @param home the user's home directory
 * @throws UsageError
 */
export function readArguments(
  line: readonly string[],
  environment: Environment,
  home: string,
): TryOptions | null {
  const { values, positionals } = parsed(line);
  if (values.help) return null;
  for (const name of ['out', 'session', 'profile', 'model', 'base-url', 'gguf'] as const) {
    if (values[name] === '') throw new UsageError(`--${name} is empty.`);
  }
  const request = positionals.join(' ').trim() || null;
  const tour = values.tour === undefined ? null : tourNamed(values.tour);
  if (tour !== null && request !== null) {
    throw new UsageError('The tour is a recording and has a request of its own: leave yours out, or --tour.');
  }
  const model = tour === null ? modelOf(values, environment) : { kind: 'tour' as const, tour };
  // What was downloaded is stored for the next call.
  const mayLoad = model.kind === 'auto' || model.kind === 'wllama';
  const keeps = values.session !== undefined || (mayLoad && request !== null);
  const profile = values.profile ?? (keeps ? `${home}/.rolezero-try` : null);
  if (request === null && profile === null && tour === null) {
    throw new UsageError('Say what is to be done: npm run try -- "a request".');
  }
  return {
    request,
    model,
    session: values.session ?? (mayLoad && values.profile === undefined ? `try-${randomUUID()}` : 'default'),
    profile,
    out: values.out ?? null,
    answers: values.answer ?? [],
    json: values.json ?? false,
  };
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(line: readonly string[]) {
  try {
    return parseArgs({ args: withTourName(line), options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** `--tour` alone means the first one. */
function withTourName(line: readonly string[]): string[] {
  return line.flatMap((word, index) => {
    const next = line[index + 1];
    return word === '--tour' && (next === undefined || next.startsWith('-'))
      ? [`--tour=${TOUR_NAMES[0]}`]
      : [word];
  });
}

function tourNamed(name: string): TourName {
  if (isTourName(name)) return name;
  throw new UsageError(`There is no tour "${name}". There are ${TOUR_NAMES.join(', ')}.`);
}

function modelOf(values: Values, environment: Environment): TryOptions['model'] {
  if (values.gguf !== undefined) {
    if (!/^https?:.*\.gguf$/.test(values.gguf))
      throw new UsageError(`--gguf takes the address of a GGUF file, not "${values.gguf}".`);
    return { kind: 'wllama', model: { name: values.gguf.replace(/^.*\//, ''), url: values.gguf, bytes: 0 } };
  }
  const baseURL = values['base-url'] ?? environment['ROLEZERO_BASE_URL'];
  const model = values.model ?? environment['ROLEZERO_MODEL'];
  if (!baseURL && !model) return { kind: 'auto', mayDownload: values.download ?? false };
  if (!baseURL || !model) {
    const missing = baseURL ? '--model NAME' : '--base-url URL';
    throw new UsageError(`No model: give ${missing} as well, or --tour to see a recorded run.`);
  }
  if (!/^https?:/.test(baseURL) || !URL.canParse(baseURL)) {
    throw new UsageError(`--base-url must be a URL such as http://localhost:11434/v1, not "${baseURL}".`);
  }
  const apiKey = values.key ?? environment['ROLEZERO_API_KEY'] ?? environment['OPENAI_API_KEY'];
  const contextWindow = tokens(values['context-window']);
  return { kind: 'remote', baseURL, model, apiKey: apiKey === '' ? undefined : apiKey, contextWindow };
}

function tokens(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{2,8}$/.test(text)) return Number(text);
  throw new UsageError(`--context-window takes a number of tokens, such as 32768, not "${text}".`);
}

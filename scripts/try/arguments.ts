import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { CpuModel } from 'rolezero/providers/detect';
import { isTourName, TOUR_NAMES, type TourName } from '../../demo/tour/names.js';

/** The selected model. */
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

/** The parsed command line. */
export interface TryOptions {
  /** Null to continue an interrupted run. */
  request: string | null;
  /** `auto`: a model of this machine; `mayDownload` consents to a download for the processor. */
  model: ModelChoice | { kind: 'auto'; mayDownload: boolean };
  session: string;
  /** Profile directory for sessions; null for a temporary one. */
  profile: string | null;
  /** Output directory for the session's files; null for none. */
  out: string | null;
  answers: string[];
  json: boolean;
}

/** The command line is invalid; the message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `npm run try -- "a request"
npm run try -- --tour [NAME]

Runs the agent in a headless Chromium, in the same worker as on a page, and prints what happens.

Without a model, it uses what this machine has and prints the reason: a GPU, the browser's own model, a server on its usual port, or a
small model on the processor:
  --download            downloads the small model (1.1 GB) without asking
  --gguf URL            runs this file on the processor, whatever else is available
Or a model from any server with the OpenAI protocol:
  --base-url URL        up to and including /v1; or ROLEZERO_BASE_URL
  --model NAME          its name on the server; or ROLEZERO_MODEL
  --key KEY             prefer ROLEZERO_API_KEY or OPENAI_API_KEY: npm prints command lines. Local servers need none
  --context-window N    tokens of prompt and reply together; default: known for hosted models, otherwise as reported by the server
  --tour [NAME]         no model, no network: plays a recorded run. ${TOUR_NAMES.slice(0, 3).join(', ')},
                        ${TOUR_NAMES.slice(3).join(', ')}

The run:
  --out DIR             writes the session's files below DIR when the run ends
  --answer TEXT         answers a question, in order, instead of the keyboard; may be given several times
  --session NAME        stores the session under this name, and continues it
  --profile DIR         the browser profile with the sessions; default with --session: ~/.rolezero-try
  --json                prints one event per line, and everything else on standard error
  --help

Without a request, the session continues where it was interrupted. Ctrl+C stops the run and saves its results; twice quits at once.
Exit codes: 0 done, 1 failed, 2 waiting for an answer, 3 stopped or at a limit, 64 invalid usage or no model.
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

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses a command line, with defaults from the environment; null when help is requested.
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
    throw new UsageError('The tour is a recording with its own request: omit yours, or --tour.');
  }
  const model = tour === null ? modelOf(values, environment) : { kind: 'tour' as const, tour };
  // The next call uses the download.
  const mayLoad = model.kind === 'auto' || model.kind === 'wllama';
  const keeps = values.session !== undefined || (mayLoad && request !== null);
  const profile = values.profile ?? (keeps ? `${home}/.rolezero-try` : null);
  if (request === null && profile === null && tour === null) {
    throw new UsageError('Pass a request: npm run try -- "a request".');
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
  throw new UsageError(`There is no tour "${name}". The tours are ${TOUR_NAMES.join(', ')}.`);
}

function modelOf(values: Values, environment: Environment): TryOptions['model'] {
  if (values.gguf !== undefined) {
    if (!/^https?:.*\.gguf$/.test(values.gguf))
      throw new UsageError(`--gguf must be the URL of a GGUF file, got "${values.gguf}".`);
    return { kind: 'wllama', model: { name: values.gguf.replace(/^.*\//, ''), url: values.gguf, bytes: 0 } };
  }
  return (
    remoteModel(values, environment, ', or --tour to see a recorded run') ?? {
      kind: 'auto',
      mayDownload: values.download ?? false,
    }
  );
}

/** The options that name a server and its model. */
type RemoteValues = Pick<Values, 'base-url' | 'model' | 'key' | 'context-window'>;

/**
 * Returns the model of a server, from options and environment; null when neither names one.
 *
 * @param otherwise what else the user can do where only a part of the options is given
 * @throws UsageError
 */
export function remoteModel(
  values: RemoteValues,
  environment: Environment,
  otherwise = '',
): Extract<ModelChoice, { kind: 'remote' }> | null {
  const baseURL = values['base-url'] ?? environment['ROLEZERO_BASE_URL'];
  const model = values.model ?? environment['ROLEZERO_MODEL'];
  if (!baseURL && !model) return null;
  if (!baseURL || !model) {
    const missing = baseURL ? '--model NAME' : '--base-url URL';
    throw new UsageError(`No model: pass ${missing} as well${otherwise}.`);
  }
  if (!/^https?:/.test(baseURL) || !URL.canParse(baseURL)) {
    throw new UsageError(`--base-url must be a URL such as http://localhost:11434/v1, got "${baseURL}".`);
  }
  const apiKey = values.key ?? environment['ROLEZERO_API_KEY'] ?? environment['OPENAI_API_KEY'];
  const contextWindow = tokens(values['context-window']);
  return { kind: 'remote', baseURL, model, apiKey: apiKey === '' ? undefined : apiKey, contextWindow };
}

function tokens(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{2,8}$/.test(text)) return Number(text);
  throw new UsageError(`--context-window must be a number of tokens such as 32768, got "${text}".`);
}

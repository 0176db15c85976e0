import type { PageTool } from '../core/page-tool.js';
import type { ConnectOptions } from '../client/connect-options.js';

/** A model of the page, given to `spawn` in `models`: Chrome's built-in one, one that a human plays, or your own. */
export interface PageModelSettings {
  provider: 'page';
  /** Its name in `models`. */
  name: string;
}

/** A model behind the OpenAI protocol: what `openai` of `rolezero/providers/openai` takes, as far as it is plain data. */
export interface ModelSettings {
  /** Up to and including `/v1`. */
  baseURL: string;
  /** The model's name as the server knows it. */
  model: string;
  /** Local servers need none. */
  apiKey?: string;
  /**
   * Tokens that prompt and reply share. Default: the catalogue's value for known models, otherwise what the server says. Set it to open sessions
   * while the server is away, and for servers that do not say it.
   */
  contextWindow?: number;
  /** Maximum tokens of a reply. Default: the catalogue's value for known models, at most 32,768. */
  maxOutputTokens?: number;
  /** Number of weights. Default: what the server or the name says. */
  parameters?: number;
  headers?: Record<string, string>;
  /** The server holds replies to a JSON schema. Default: see `openai`. */
  jsonSchema?: boolean;
  /** The model calls tools in the native form of the server; `required`: one in each reply. Default: see `openai`. */
  toolCalls?: boolean | 'required';
  /** The model reads images. Default: the catalogue's value for known models, otherwise false. */
  images?: boolean;
  /** The server takes a `seed`; default false. */
  seed?: boolean;
  /** Merged into each request body. */
  extraBody?: Record<string, unknown>;
  /** How often a failed request is repeated; default 5. */
  retries?: number;
  /** Milliseconds; `Infinity` for no limit. */
  timeouts?: { firstByteMs?: number; idleMs?: number; totalMs?: number };
  /** Characters of one reply; default 262,144. */
  maxReplyLength?: number;
  /** US dollars. Default: the catalogue's list price for known models. */
  price?: { promptPerMillion: number; completionPerMillion: number };
}

/** What the agent is: the options of `RoleZero` that are plain data. */
export interface RoleSettings {
  name?: string;
  profile?: string;
  goal?: string;
  constraints?: string;
  description?: string;
  /** How to work. */
  instruction?: string;
  taskTypes?: string;
  example?: string;
  /** Maximum number of steps for one request before the user is asked whether to continue. Default: 50. */
  maxSteps?: number;
  /** Share of the window at which the conversation is compacted. Default: 0.8. */
  compactAt?: number;
  /** Maximum number of conversation messages in the prompt. Default: no limit. */
  maxMessages?: number;
  summarize?: boolean;
  /** Milliseconds that a question of the model waits for its answer; default: for as long as it takes. */
  answerWithinMs?: number;
  /** The model has to ask whether it understood before it plans; default false. */
  confirmUnderstanding?: boolean;
  /** Default: found out for each requirement. */
  language?: string;
  /** Which commands and prompts the model gets. Default: by its size and window; see `RoleZero`. */
  preset?: 'full' | 'small';
  /** Randomness of replies, from 0 to 2, or by purpose. Default: see `RoleZero`. */
  temperature?: number | Record<string, number>;
  /** Which commands are asked about or refused: `{ tool: 'Editor.*', path: '/secrets/**', do: 'deny' }`. */
  policy?: readonly {
    tool: string;
    role?: string;
    path?: string;
    origin?: string;
    args?: Record<string, string>;
    do: 'allow' | 'ask' | 'deny';
    lifetime?: 'once' | 'run' | 'session';
  }[];
  /** Bounds of what it may do outside of the session: commands, origins, and files it may write. */
  capabilities?: { outside?: string[]; origins?: string[]; write?: string[] };
  /** Limits of one requirement. */
  budget?: { usd?: number; tokens?: number; calls?: number; ms?: number };
}

/** The configuration that the page sends to the ready-made worker. */
export interface SpawnConfig {
  model: ModelSettings | PageModelSettings;
  role: RoleSettings;
  /** The page shows pages for the Browser's commands. */
  browser?: boolean;
  /** Where the shell's worker is; without it there is no terminal. */
  shell?: string;
}

/** `connect`'s options, and what a worker file would say otherwise. */
export interface SpawnOptions extends Omit<ConnectOptions, 'config'> {
  /** Behind the OpenAI protocol, or one of `models`, which is asked on the page: `{ provider: 'page', name: 'chrome' }`. */
  model: ModelSettings | PageModelSettings;
  role?: RoleSettings;
  /** Commands beside the Editor's, run on this page. With `frame()` of `rolezero/tools/frame` among them, the Browser's too. */
  tools?: readonly PageTool[];
  /**
   * Gives the agent a shell over the session's files, without a network (`Terminal.run_command` and background jobs); default false. Its
   * worker is loaded with the session, as text (1.3 MB), which a Content-Security-Policy must allow with `worker-src blob:`; where the
   * application serves the package's `dist/tools/terminal/shell-worker.js`, with `just-bash.js` beside it, `{ workerUrl }` says so, and it is loaded with the first command.
   */
  terminal?: boolean | { workerUrl: string | URL };
  /** A ready-made worker that is made by other means, such as a bundler's own import; nothing else is tried then. */
  worker?: Worker | (() => Worker);
  /** Where the ready-made worker (`dist/spawn/worker.js`) is served, also on another origin; nothing else is tried then. */
  workerUrl?: string | URL;
}

import { checkTool } from './check-tool.js';
import type { Files } from './files.js';
import type { JsonSchema, JsonValue } from './json.js';
import type { Purpose } from './model.js';

/** What a schema must be able to do; every zod 4 schema can (`import * as z from 'zod'`). */
export interface InputSchema<Input = unknown> {
  safeParse(
    value: unknown,
  ): { success: true; data: Input } | { success: false; error: { issues: readonly InputIssue[] } };
  /** Draft 7. Method syntax on purpose: zod's own parameter type is narrower. */
  toJSONSchema(options?: {
    io?: 'input' | 'output';
    target?: 'draft-7';
    unrepresentable?: 'any' | 'throw';
  }): object;
}

export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
}

/** Where a tool's effect lands. `pure` and `session` stay inside the session and are committed with the result. */
export type Effect = 'pure' | 'session' | 'egress-read' | 'egress-write' | 'ui';

/**
 * What happens when a crash leaves it open whether an effect outside the session took place.
 * `atomic` effects are part of the session and happen exactly once. `idempotent` ones are run again; `keyed` ones too, with the same
 * `callId` to let the other side drop the second; `reconcile` asks the other side first; `unsafe` follows `onAmbiguous`.
 */
export type Replay = 'atomic' | 'idempotent' | 'keyed' | 'reconcile' | 'unsafe';
export type OnAmbiguous = 'ask' | 'skip' | 'retry' | 'fail';

type OnFailure = 'stop' | 'continue';

/** What a tool asks the model of the role that runs it. */
export interface ToolQuestion {
  /** All the model is told. Too long for its window, it loses its middle. */
  text: string;
  /** For traces, budgets and tests; default `other`. What is said to a `search-answer` and `other` is shown while it comes. */
  purpose?: Purpose;
  /** Tokens. */
  maxOutputTokens?: number;
}

/** What a running tool may use. */
export interface ToolContext {
  /** Aborts on stop and on the tool's time limit. */
  signal: AbortSignal;
  /** Staged: kept with the result, dropped when the tool throws. */
  files: Files;
  session: { name: string; role: string };
  /** The same for the same command, also when it is run again after a crash. */
  callId: string;
  /** Plain data the tools of one group (`Editor`) share and find again after a reload; dropped with a failed call like file changes. */
  state: Record<string, JsonValue>;
  /** Shows part of the output before the tool is done. */
  output(text: string): void;
  /** Characters of a text it gives; of a longer one the middle is left out. This and what follows with a `?` is absent where no role is. */
  outputLimit?: number;
  /**
   * Tells that what it gives comes from outside of the session: a page, a search result. From then on commands whose effect leaves the
   * session are asked about, unless a rule decides; what the role says and writes is labelled with the source.
   */
  untrusted?(source: string): void;
  /** Tells that what it gives is the person's and nobody else's business: their mail, their clipboard. See `Capabilities`. */
  private?(): void;
  /** Tells that a page is now shown; as `page-changed`, once the result is kept, and not at all when the tool throws. */
  pageChanged(url: string, title: string): void;
  /**
   * Asks the role's model, apart from the role's conversation; without what it thought aloud. The reply is kept before it is given: a
   * command that is run again after a crash gets it for the same question at no cost, so ask nothing that changes from run to run. The
   * time counts to the tool's limit. Absent where there is no role, on the page for example.
   *
   * Rejects with the model's error, `budget` or `aborted`; a tool that can do without an answer still must let those two pass.
   */
  ask?(question: ToolQuestion): Promise<string>;
  /**
   * Calls the part of a tool that stands on the page, by the name of its `PageTool`. Rejects with what it throws, `not-found` when the
   * page has none of that name. Absent where there is no page.
   */
  callPage?(name: string, input: unknown): Promise<unknown>;
}

interface ToolBase<Input> {
  /** `Group.method`, unique in a role. */
  name: string;
  /** For the model: what it does, when to use it. */
  description: string;
  input: InputSchema<Input>;
  /** Words that stand for this tool and others like it where tools are listed by name (`web`), and that a search for tools finds. */
  tags?: readonly string[];
  /** Other names a model may use for an argument, mapped silently: `{ file_path: 'path' }`. */
  aliases?: Record<string, string>;
  /** A text, or any JSON value; nothing, or a falsy value, shows as bare success. What it throws goes back to the model. */
  run(input: Input, context: ToolContext): unknown;
  /** Default `session`. */
  effect?: Effect;
  /**
   * Name of the argument with the address that the command reaches, or with a list of them: each is held to rules and `Capabilities`. One
   * that nobody but the model gave is asked about.
   */
  address?: string;
  /** That address where no argument is it; null when the command stays in the session. `state` is the group's. */
  reaches?(input: NoInfer<Input>, state: Record<string, JsonValue>): string | null;
  /** Whether all that it gives was written outside of the session; see `ToolContext.untrusted`. */
  untrusted?: boolean;
  /** What it gives is put together as the model wrote it, as by a shell: an address in it counts as one of the model's. */
  composes?: boolean;
  /** Milliseconds; default 60,000. Time spent waiting for a person does not count. */
  timeoutMs?: number;
  /** At most one exclusive command a reply: what follows the first is dropped (spec 8.9). */
  exclusive?: boolean;
  /**
   * It only looks and may run at the same time as its neighbours in a reply that are marked so, too; changes of files or state
   * are not kept then. Counts only for effects that may be repeated.
   */
  parallel?: boolean;
  /**
   * All it does is change files of the session, and nobody sees that before it is kept: where a person must be asked they are asked after it
   * ran, with what it would change, and a no drops that. Default false: they are asked before it runs, with its arguments.
   */
  staged?: boolean;
  /** Whether the commands after it still run when it fails; default `stop`: they were written in the belief that it would not. */
  onFailure?: OnFailure;
  /** For `replay: 'reconcile'`: what became of the call; null when it never happened. */
  reconcile?(callId: string, input: Input): Promise<{ output: unknown } | null>;
}

/** A command the model can give. `unsafe` tools must say what to do after a crash: the type asks for it. */
export type Tool<Input = unknown> = ToolBase<Input> &
  ({ replay?: Exclude<Replay, 'unsafe'> } | { replay: 'unsafe'; onAmbiguous: OnAmbiguous });

/**
 * Declares a tool; the input type follows from its schema.
 *
 * @example defineTool({ name: 'Clock.now', description: 'The local time.', input: z.object({}), run: () => new Date().toString() })
 * @throws RoleZeroError `invalid` for a missing field, or an `input` that is no zod 4 schema.
 */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  checkTool(tool, 'The argument of defineTool()');
  return tool;
}

const TRAITS = [
  'tags',
  'aliases',
  'timeoutMs',
  'exclusive',
  'parallel',
  'onFailure',
  'address',
  'untrusted',
] as const;

/** What is optional about a tool and plain data. */
export type ToolTraits = Pick<ToolBase<unknown>, (typeof TRAITS)[number]>;

/** The traits that a tool has; nothing for those it does not mention. */
export function traitsOf(tool: ToolTraits): ToolTraits {
  return Object.fromEntries(TRAITS.flatMap((name) => (tool[name] === undefined ? [] : [[name, tool[name]]])));
}

/** A tool without its code, for the other side of a thread. */
export interface ToolDescriptor extends ToolTraits {
  name: string;
  description: string;
  schema: JsonSchema;
  effect: Effect;
  replay: Replay;
  onAmbiguous: OnAmbiguous;
  /** No command but the part of one that stands on the page: the model is not told of it. See `ToolContext.callPage`. */
  part?: boolean;
}

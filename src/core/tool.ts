import type { ToolFiles } from './files.js';
import type { InputSchema, ToolInput } from './input-schema.js';
import type { JsonSchema, JsonValue } from './json.js';
import type { Purpose } from './model.js';

/** The scope of a tool's effect. `pure` and `session` effects stay inside the session and are committed with the result. */
export type Effect = 'pure' | 'session' | 'egress-read' | 'egress-write' | 'ui';

/**
 * Recovery from a crash that leaves it unknown whether an effect outside the session took place. `atomic`: the effect is part of the
 * session and happens exactly once. `idempotent`: the tool runs again. `keyed`: it runs again with the same `callId`, so that the other
 * side can drop the duplicate. `reconcile`: the other side is asked first. `unsafe`: `onAmbiguous` decides.
 */
export type Replay = 'atomic' | 'idempotent' | 'keyed' | 'reconcile' | 'unsafe';
export type OnAmbiguous = 'ask' | 'skip' | 'retry' | 'fail';

type OnFailure = 'stop' | 'continue';

/** A question from a tool to the model of the role that runs it. */
export interface ToolQuestion {
  /** The whole prompt. If it is too long for the context window, its middle is removed. */
  text: string;
  /** Used for traces, budgets and tests; default `other`. Replies for `search-answer` and `other` are shown while they stream. */
  purpose?: Purpose;
  /** Tokens. */
  maxOutputTokens?: number;
}

/** Private data of the user: the service that all of it came from, else true. See `Tool.service`. */
export type Private = true | string;

/** The API available to a running tool. */
export interface ToolContext {
  /** Aborts when the run is stopped and when the tool's time limit is reached. */
  signal: AbortSignal;
  /** Staged files: stored with the result, dropped when the tool throws. */
  files: ToolFiles;
  session: { name: string; role: string };
  /** Stays the same for one command, even when it runs again after a crash. */
  callId: string;
  /**
   * Plain data shared by the tools of one group (`Editor`), restored after a reload. A failed call drops its changes, like file changes.
   */
  state: Record<string, JsonValue>;
  /** Shows part of the output before the tool has finished. */
  output(text: string): void;
  /**
   * Maximum length of a text result in characters. The middle of a longer text is removed. This member and the optional ones below are
   * absent when no role runs the tool.
   */
  outputLimit?: number;
  /**
   * Reports that the result comes from outside the session, such as a web page or a search result. From then on, commands whose effect
   * leaves the session need approval, unless a rule decides. Everything the role says and writes is labeled with the source. When the model
   * wrote the result, as with the answer to a search, `addresses` lists the addresses in it that the source named. Default: all of them.
   */
  untrusted?(source: string, addresses?: readonly string[]): void;
  /**
   * Reports that the result is private data, such as mail or the clipboard. Private data is what the user typed, answered, attached, or gave
   * as a constraint, the user's files, notes, and memories, and what a tool reports as private.
   */
  private?(): void;
  /**
   * Present for a tool with `asksForNetwork` while the user has not allowed requests. Call it in place of the first request, with a
   * description of it. It throws; the user is asked, and after a yes the tool runs again without this member.
   */
  needsNetwork?(request: string): never;
  /**
   * Paths of the files that the user was shown when allowing the requests of this command. Send no request after reading another file: the
   * yes does not cover it. Absent without such an approval.
   */
  shownFiles?: readonly string[];
  /**
   * True when the role has read both untrusted content and private data. What it then writes or opens may be made to send that data out.
   */
  exposed?: boolean;
  /** What `target` returned when the user approved the command. Throw when the target is another one now. Absent without an approval. */
  approvedTarget?: string;
  /**
   * Returns whether the role could run another command now without a question. A tool that follows links or redirects to an address that
   * its arguments do not name asks this first, for the command that reads that address.
   */
  mayRun?(name: string, args: Record<string, JsonValue>): boolean;
  /** Reports that a page is now shown. Emits `page-changed` after the result is stored, and nothing when the tool throws. */
  pageChanged(url: string, title: string): void;
  /**
   * Asks the role's model outside the role's conversation. Returns the reply without the reasoning. The reply is stored before it is
   * returned. A command that runs again after a crash gets the stored reply for the same question at no cost. The question must therefore
   * not differ between runs. The time counts toward the tool's time limit. Absent when there is no role, for example on the page.
   *
   * Rejects with the model's error, `budget` or `aborted`. A tool that works without an answer must still rethrow the last two.
   */
  ask?(question: ToolQuestion): Promise<string>;
  /**
   * Calls the page side of a tool, by the name of its `PageTool`. Rejects with the error that the page tool throws, or with `not-found`
   * when the page has no tool of that name. Absent when there is no page.
   */
  callPage?(name: string, input: unknown): Promise<unknown>;
}

/** What users see while a tool runs. */
export interface ToolActivity {
  /** What the tool does, such as `Searching the files for`. Without a value after it, a last `for`, `to`, `of` or `:` is left out. */
  verb: string;
  /**
   * Name of the argument whose value is shown after the verb: a text or a list of texts, of which the first 80 characters are shown. Name no
   * argument that may contain a secret.
   */
  argument?: string;
}

/** What the model sees of the state of a group of tools, besides their results. The tools of the group share one view. */
export interface ToolView {
  /** Returns a line for the status block, which is sent when it changes: `Open file: a.ts`. Empty for none. */
  line?(state: Readonly<Record<string, JsonValue>>): string;
  /** Returns what is shown now, as a section of the next message; null for nothing. `sent` is the serial that the model has received; 0 for none. */
  shown?(state: Readonly<Record<string, JsonValue>>, sent: number): ShownView | null;
  /** Returns what a reply could see that no command shows. The same commands in another view are no repetition. */
  seen?(state: Readonly<Record<string, JsonValue>>, sent: number): { page?: number; window?: string };
}

/** What tools show, such as a page. */
export interface ShownView {
  /** Identifies it; stored when the model has received it. */
  serial: number;
  /** Returns the text; empty when the model has it. `fresh`: a compaction has removed the earlier one. */
  text(fresh: boolean): string;
}

/** What a tool does to a file that an argument names. */
export type FileUse = 'read' | 'write' | 'replace' | 'append';

/** What an agent knows of a tool besides its effect. Plain data. Each default suits a tool of which it knows nothing. */
export interface ToolHints {
  /**
   * What the preset `small` shows of the tool: a shorter description, and its place in the list, lowest first. Small models tend to use the
   * first ones: `editor()` has the places 1 to 6, the commands of every role 11 to 13, `browser()` 21 to 24, `terminal()` 31. `without`: names of
   * optional arguments that are not shown. False: the tool is not shown, but can be used. Default: its own description, after the tools with
   * a place.
   */
  small?: { description: string; place: number; without?: readonly string[] } | false;
  /**
   * What a call that succeeds changes. `always`: something that other commands show, such as the open page. `visible`: nothing but files of
   * the session, and pages that it reports; see `ToolContext.pageChanged`. The same command again without a change is a repetition, and
   * claims of the model are checked while all changes are visible. Default: it may also change what only it knows, unless it only reads.
   */
  changes?: 'always' | 'visible';
  /**
   * Which requests need it. `work`: only those that ask for work. `search`: questions whose answer may have changed. Default: any, so the
   * model decides about a question, not a rule.
   */
  neededFor?: 'work' | 'search';
  /** What it does to a file. Advice for the model names the first tool for each use. Default: nothing that advice is about. */
  file?: FileUse;
  /** True when it opens the page at a URL. Advice for a small model names the first such tool. Default false. */
  opensPages?: true;
  /** True when later commands depend on its result. A small model writes them without it, so they are not run. Default false. */
  readFirst?: boolean;
  /** True when its result shows whether something works, such as a program or a page: the model may then say so. Default false. */
  tests?: boolean;
  /** True when its result is the observation as it is, also when it is empty, as the output of a shell. Default false. */
  rawResult?: boolean;
}

interface ToolBase<Input, Schema = InputSchema<Input>> {
  /** `Group.method`, unique in a role. */
  name: string;
  /** Description for the model: what the tool does and when to use it. */
  description: string;
  input: Schema;
  /**
   * What users see while the tool runs; see `activityOf`. The default is made from the name: `Using Money: convert currency` for
   * `Money.convert_currency`.
   *
   * @example activity: { verb: 'Converting', argument: 'currency' } // "Converting EUR"
   */
  activity?: ToolActivity;
  /** What the model sees of the state of its group in each step. */
  view?: ToolView;
  /**
   * What an agent knows of the tool besides its effect.
   *
   * @example hints: { file: 'read', readFirst: true, changes: 'visible' } // another tool that shows a file
   */
  hints?: ToolHints;
  /** Group words (`web`) that select this tool where tools are listed by name. A search for tools matches them, too. */
  tags?: readonly string[];
  /** Alternative argument names that a model may use, mapped silently: `{ file_path: 'path' }`. */
  aliases?: Record<string, string>;
  /** Returns a text or any JSON value. Nothing, or a falsy value, is shown as plain success. A thrown error is returned to the model. */
  run(input: Input, context: ToolContext): unknown;
  /** Default `session`. */
  effect?: Effect;
  /**
   * Name of the argument that contains the address the command reaches, or a list of addresses. Each address is checked against rules and
   * `Capabilities`. An address that only the model supplied needs approval. Without it, all requests go to a service that the tool chose.
   */
  address?: string;
  /** Returns the address when no argument contains it; null when the command stays in the session. `state` is the group's. */
  reaches?(input: NoInfer<Input>, state: Record<string, JsonValue>): string | null;
  /**
   * Returns how a command that reaches no address can still send data out of the session, as a clause: "it opens a page, which …"; null if
   * it cannot. The user is asked before, with this reason, once the role has read both untrusted content and private data.
   */
  leaks?(input: NoInfer<Input>, state: Record<string, JsonValue>): string | null;
  /**
   * Returns what the command does, in words that complete "May Zero …?": `send a mail to Ada`. An approval request asks that. The default is
   * `use “Mail: send”`, also when this fails or is empty.
   */
  approval?(input: NoInfer<Input>): string | Promise<string>;
  /**
   * Returns what the arguments refer to, if they do not say it themselves: `button 'Buy now'` for `{ element_id: 7 }`. An approval request
   * shows it, and an approval covers only commands with the same target. `run` then gets it as `ToolContext.approvedTarget`.
   */
  target?(input: NoInfer<Input>, state: Record<string, JsonValue>): string | null;
  /**
   * True when the result was written outside the session, although the effect of the tool stays inside; see `ToolContext.untrusted`. The
   * results of tools of the page, and of tools whose effect leaves the session, are untrusted in any case.
   */
  untrusted?: boolean;
  /** True for a tool of the page: its private results are data of the application. Set by the library. */
  ofApplication?: boolean;
  /** True when the application vouches for the result of a tool of the page, or of a tool whose effect leaves the session. */
  trusted?: boolean;
  /**
   * The service that gets the requests of this tool and of others, such as the address of an MCP server. Private data that came from it is
   * not disclosed by a request to it that only reads: while a role knows no other private data, the user is asked once per run, for all
   * tools of the service that only read.
   */
  service?: string;
  /**
   * True when calls often need no request, as with a shell. Where the user would be asked about each call, the tool then runs without one
   * first; see `ToolContext.needsNetwork`.
   */
  asksForNetwork?: boolean;
  /** True when the result is composed by the model, as with a shell: an address in it counts as supplied by the model. */
  composes?: boolean;
  /**
   * Returns whether the model composed the arguments of a request to a service, so that they can say anything: false for a name that the
   * service has listed. Default: the arguments count as a query. `state` is the group's.
   */
  isComposed?(input: NoInfer<Input>, state: Record<string, JsonValue>): boolean;
  /** Time limit in milliseconds; default 60,000. Time spent waiting for the user does not count. */
  timeoutMs?: number;
  /** Allows at most one exclusive command per reply: the commands after the first one are dropped. */
  exclusive?: boolean;
  /**
   * Marks a read-only tool that may run at the same time as adjacent commands in a reply that are also marked. Its changes of files or
   * state are not stored then. Ignored for effects that must not be repeated.
   */
  parallel?: boolean;
  /**
   * Marks a tool that only changes files of the session, which are not visible before they are stored. Approval is then requested after the
   * tool ran, with the changes it would make, and a denial drops them. Default false: approval is requested before it runs, with its
   * arguments.
   */
  staged?: boolean;
  /** Decides whether later commands of the reply still run when this one fails. Default `stop`: the model wrote them assuming success. */
  onFailure?: OnFailure;
  /** For `replay: 'reconcile'`: returns the outcome of the call; null when it never took place. */
  reconcile?(callId: string, input: Input): Promise<{ output: unknown } | null>;
}

/** A tool says how it recovers. The type requires `unsafe` tools to state what to do after a crash. */
type Recovery = { replay?: Exclude<Replay, 'unsafe'> } | { replay: 'unsafe'; onAmbiguous: OnAmbiguous };

/** A command available to the model. */
export type Tool<Input = unknown> = ToolBase<Input> & Recovery;

/** A tool as it is declared; see `defineTool`. */
export type ToolDefinition<Input = unknown> = ToolBase<Input, ToolInput<Input>> & Recovery;

/** Returns the group of a tool by its name: `Editor` for `Editor.write`, and the whole name without a point. */
export function groupOf(name: string): string {
  const point = name.indexOf('.');
  return point < 0 ? name : name.slice(0, point);
}

/** Returns tools with hints that all of them have, in addition to their own. */
export function withHints(tools: readonly Tool[], hints: ToolHints): Tool[] {
  return tools.map((tool) => ({ ...tool, hints: { ...hints, ...tool.hints } }));
}

/** Returns a tool of the library. Its input type is inferred from its schema. Applications use `defineTool`, which checks what it is given. */
export function builtInTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

const TRAITS = [
  'activity',
  'hints',
  'tags',
  'aliases',
  'timeoutMs',
  'exclusive',
  'parallel',
  'onFailure',
  'address',
  'untrusted',
  'trusted',
] as const;

/** The optional properties of a tool that are plain data. */
export type ToolTraits = Pick<ToolBase<unknown>, (typeof TRAITS)[number]>;

/** Returns the traits that a tool defines, and omits the others. */
export function traitsOf(tool: ToolTraits): ToolTraits {
  return Object.fromEntries(TRAITS.flatMap((name) => (tool[name] === undefined ? [] : [[name, tool[name]]])));
}

/** A tool without its code, to send to another thread. */
export interface ToolDescriptor extends ToolTraits {
  name: string;
  description: string;
  schema: JsonSchema;
  effect: Effect;
  replay: Replay;
  onAmbiguous: OnAmbiguous;
  /** Set when the page has no more than `schema`: the worker then checks the arguments. Otherwise the page does. */
  hasPlainSchema?: boolean;
  /** Set when the page has words for approval requests. */
  hasApproval?: boolean;
  /** Marks the page side of a command, which is not a command itself and is not listed for the model. See `ToolContext.callPage`. */
  part?: boolean;
}

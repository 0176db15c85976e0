import { RoleZeroError } from '../../core/error.js';
import type { Permission } from '../../core/events.js';
import type { Command } from '../../core/human.js';
import type { FileDifference, StagedFiles } from '../../core/files.js';
import { isRecord } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { isUrl } from '../../core/is-url.js';
import { sha256 } from '../../core/sha256.js';
import { resolvePath } from '../../files/path.js';
import type { ToolRegistry } from '../../tools/registry.js';
import type { AgentRuntime } from './agent-runtime.js';
import { isGiven, isWhole, originOf, originsOf, unfit } from '../policy/addresses.js';
import type { Capabilities } from '../policy/capabilities.js';
import { askPermission, isYes } from './ask-user.js';
import { canonical } from './repetitions.js';
import type { Run } from './outcome.js';
import {
  LIFETIMES,
  matches,
  names,
  ruling,
  STRENGTH,
  type Decision,
  type Lifetime,
  type PolicyRule,
} from '../policy/policy.js';
import { ruleOfTwo, type Reach } from '../policy/rule-of-two.js';
import { shownCommand, visible } from '../policy/shown-command.js';
import type { RoleState } from './state.js';

/** After this many approval requests within this many steps, the user is asked whether to continue: users stop reading them. */
const MANY = 5;
const AMONG_STEPS = 10;
/** Maximum characters of an approval request. Nothing is left out of it, so a longer one is refused. */
const MAX_DETAILS = 1_000_000;

/** What the gate decides by, besides its agent. */
export interface GateRules {
  rules: readonly PolicyRule[];
  capabilities: Capabilities | null;
  registry: ToolRegistry;
  /** Texts of the application: addresses in them are trusted. */
  application: readonly string[];
}

/** A command whose arguments fit the schema of its tool. */
export interface Checked {
  tool: Tool;
  command: Command;
  input: unknown;
}

/** The path and the addresses that a command names. */
interface Place {
  path: string | null;
  /** Addresses outside of the session. */
  addresses: readonly string[];
}

/** A decision about a command, with its reason. */
interface Judgement {
  decision: Decision;
  why: string;
  lifetime: Lifetime;
  origin: string | null;
  path: string | null;
}

/**
 * Decides which commands run: by the rules of the application, by the capabilities of the role, else by the rule of two. It trusts nothing
 * that the model writes or reads, so its decisions hold for a model that obeys every page.
 */
export class Gate {
  readonly #agent: AgentRuntime;
  readonly #rules: readonly PolicyRule[];
  readonly #capabilities: Capabilities | null;
  readonly #registry: ToolRegistry;
  readonly #application: readonly string[];

  constructor(agent: AgentRuntime, { rules, capabilities, registry, application }: GateRules) {
    this.#agent = agent;
    this.#rules = rules;
    this.#capabilities = capabilities;
    this.#registry = registry;
    this.#application = application;
  }

  /** Returns whether a command runs without a question, whatever files it touches. */
  allows(checked: Checked): boolean {
    return this.#judge(checked).decision === 'allow' && !this.#rules.some(({ path }) => path !== undefined);
  }

  /** Returns whether the output of a command is untrusted content. The tool may state it; otherwise its reach decides. */
  bringsUntrusted({ tool, input }: Checked): boolean {
    if (tool.untrusted !== undefined) return tool.untrusted;
    const [address = null] = addressesOf(tool, input, this.#agent.state);
    return this.#capabilities !== null && reachOf(tool, address, () => false) !== 'inside';
  }

  /**
   * Returns a guard that throws when a command reads a file that a rule denies. For a command whose effect leaves the session, it also
   * throws for files that need an approval, because afterwards is too late.
   */
  guard(checked: Checked): (path: string) => void {
    const { path: named, addresses } = this.#placeOf(checked);
    const [address = null] = addresses;
    const leaves = reachOf(checked.tool, address, () => false) !== 'inside';
    return (path) => {
      if (path === named) return; // decided before the command ran
      const rule = this.#ruling(checked, { path, addresses: [] });
      if (rule?.path === undefined || rule.do === 'allow') return;
      if (rule.do === 'deny')
        throw new RoleZeroError('permission', `A rule of this application forbids ${path}.`);
      if (leaves)
        throw new RoleZeroError(
          'permission',
          `${path} is read only when the person allows it: name it in "path".`,
        );
    };
  }

  /** Authorizes a command before it runs. A command whose changes are staged is authorized afterwards instead. */
  async authorize(checked: Checked, callId: string, run: Run): Promise<Authorization> {
    const judgement = this.#judge(checked);
    if (judgement.decision === 'ask' && isStaged(checked.tool)) return GRANTED; // the user is asked when the changes can be shown
    return this.#settle(checked, judgement, callId, run, []);
  }

  /** Authorizes, before they are committed, the files that a command read or changed without naming them. */
  async authorizeChanges(
    checked: Checked,
    callId: string,
    run: Run,
    files: StagedFiles,
    { keeps, before }: { keeps: boolean; before: Authorization },
  ): Promise<Authorization> {
    if (this.#capabilities === null && this.#rules.length === 0) return before;
    const { read, ...rest } = files.touched();
    const changed = keeps ? rest.changed : [];
    const overwritten = keeps ? rest.overwritten : [];
    const place = this.#placeOf(checked);
    const { path: named } = place;
    // An approval of the command covers its files, except under a rule about paths: that one asks for each file.
    const answered = before.asked ? this.#ruling(checked, place) : null;
    const isAnswered = (rule: PolicyRule): boolean => rule === answered && rule.path === undefined;
    const touched = new Set([...read, ...changed]);
    const open = isStaged(checked.tool) && !(named !== null && touched.has(named));
    const judged = [...touched].flatMap((path): Judgement[] => {
      const { write } = this.#capabilities ?? {};
      if (write !== undefined && changed.includes(path) && !write.some((glob) => matches(glob, path, '/')))
        return [{ ...refusal(`${path} is not among what it may write`), path }];
      if (path === named && before.asked) return []; // the user saw it in the first question
      const rule = this.#ruling(checked, path === named ? place : { path, addresses: [] });
      if (rule !== null && !isAnswered(rule)) return [judgementOf(rule, path, null)];
      return this.#capabilities !== null && overwritten.includes(path)
        ? [this.#byTable('overwrite', path, null)]
        : [];
    });
    if (open) judged.unshift(this.#judge(checked)); // the question that was postponed
    const denied = judged.find(({ decision }) => decision === 'deny');
    if (denied !== undefined) return this.#settle(checked, denied, callId, run, []);
    const asking = judged.filter(({ decision }) => decision === 'ask');
    const lifetime = shortestOf(asking);
    const first = asking.find((each) => each.lifetime === lifetime);
    if (first === undefined) return before;
    const paths = [...new Set(asking.flatMap(({ path }) => path ?? []))];
    const [only = null] = paths;
    const where = paths.length > 1 ? JSON.stringify(paths) : only; // no path looks like a list
    return this.#settle(
      checked,
      { ...first, path: where },
      callId,
      run,
      files.differences(paths, describeBytes),
    );
  }

  #judge(checked: Checked): Judgement {
    const { path, addresses } = this.#placeOf(checked);
    if (addresses.length <= 1) return this.#judgeAt(checked, path, addresses[0] ?? null);
    return together(addresses.map((address) => this.#judgeAt(checked, path, address)));
  }

  #judgeAt(checked: Checked, path: string | null, address: string | null): Judgement {
    const { tool } = checked;
    // An incomplete address is its own origin, so its approval covers nothing else.
    const origin = address !== null && isWhole(address) && isUrl(address) ? originOf(address) : address;
    const rule = this.#ruling(checked, { path, addresses: address === null ? [] : [address] });
    const reach = reachOf(tool, address, () => this.#isGiven(address ?? ''));
    if (rule?.do === 'deny') return judgementOf(rule, path, origin);
    const beyond = reach === 'inside' ? null : this.#beyondCapabilities(tool, address, origin, rule);
    if (beyond !== null) return { ...refusal(beyond), origin };
    return rule === null ? this.#byTable(reach, path, origin) : judgementOf(rule, path, origin);
  }

  #placeOf({ tool, input }: Checked): Place {
    return { path: pathOf(input), addresses: addressesOf(tool, input, this.#agent.state) };
  }

  /** Returns the rule that decides. For several origins it is the strictest; no rule counts as stricter than "allow". */
  #ruling({ tool, input }: Checked, { path, addresses }: Place): PolicyRule | null {
    if (this.#rules.length === 0) return null;
    const { name, aliases: argumentNames } = tool;
    const asked = {
      role: this.#agent.name,
      tool: name,
      aliases: this.#registry.aliasesOf(name),
      args: isRecord(input) ? input : {}, // parsed, so aliases and other forms that the model used are resolved
      argumentNames,
      path,
    };
    const origins = addresses.length === 0 ? [null] : addresses.flatMap(originsOf);
    const rules = origins.map((origin) => ruling({ ...asked, origin }, this.#rules));
    const strength = (rule: PolicyRule | null): number => (rule === null ? 0.5 : STRENGTH[rule.do]);
    return rules.reduce((strictest, rule) => (strength(rule) > strength(strictest) ? rule : strictest));
  }

  /** Returns why an outside effect exceeds the capabilities; null when it is covered, or there are no capabilities. */
  #beyondCapabilities(
    tool: Tool,
    address: string | null,
    origin: string | null,
    rule: PolicyRule | null,
  ): string | null {
    if (this.#capabilities === null) return null;
    const { outside = [], origins = [] } = this.#capabilities;
    if (!outside.some((pattern) => names(pattern, tool.name, this.#registry.aliasesOf(tool.name))))
      return `${tool.name} is not among what it may do outside of the session`;
    if (address === null || origin === null) return null;
    const isNamed = origins.includes(origin) || rule?.origin === origin;
    const fault = unfit(address, isNamed);
    if (fault !== null) return `${origin} cannot be reached: ${fault}`;
    return isNamed || origins.some((glob) => matches(glob, origin))
      ? null
      : `${origin} is not among the origins it may reach`;
  }

  /** Decides by the rule of two. Without capabilities, only effects after untrusted content need an approval. */
  #byTable(reach: Reach, path: string | null, origin: string | null): Judgement {
    const { untrusted, private: secret } = this.#agent.state;
    const exposure = { untrusted: untrusted !== undefined, private: secret === true };
    const counts = this.#capabilities !== null || exposure.untrusted;
    const verdict = counts ? ruleOfTwo(reach, exposure) : 'allow';
    const place = { path, origin };
    if (verdict === 'allow') return { decision: 'allow', why: '', lifetime: 'once', ...place };
    const read = untrusted === undefined ? '' : `it has read ${untrusted.slice(0, 3).join(', ')}`;
    const knows = exposure.private ? 'it knows what is private' : '';
    const why = [WHAT[reach], read, knows].filter((part) => part !== '').join('; ');
    return { decision: 'ask', why, lifetime: verdict, ...place };
  }

  #isGiven(address: string): boolean {
    return isGiven(address, this.#agent.memory.get(), this.#application);
  }

  async #settle(
    { tool, command }: Checked,
    { decision, why, lifetime, origin, path }: Judgement,
    callId: string,
    run: Run,
    changes: readonly FileDifference[],
  ): Promise<Authorization> {
    if (decision === 'allow') return GRANTED;
    const authorization = (answer: Permission['answer'], refusal: string | null): Authorization => ({
      refusal,
      asked: answer === 'yes',
      permission: { decision, why, answer, lifetime },
    });
    if (decision === 'deny') {
      const reason = why === '' ? `a rule of this application forbids ${tool.name} here` : why;
      return authorization(null, `Refused: ${reason}. Find another way.`);
    }
    const { name } = this.#agent;
    const exact = sha256(canonical([{ name: tool.name, args: command.args }]) + JSON.stringify(changes));
    const isExact = lifetime === 'once' || (path ?? origin) === null;
    const grant = JSON.stringify([name, tool.name, ...(isExact ? [exact] : [path, origin])]);
    const known = this.#agent.approvals.decisionOn(grant, lifetime);
    if (known !== null) return authorization(known ? 'yes' : 'no', known ? null : refusedBy(tool));
    const details = [
      ...(why === '' ? [] : [`Asked because ${why}.`]),
      ...(lifetime === 'once'
        ? []
        : [
            `A yes holds for the ${lifetime === 'run' ? 'rest of this work' : 'whole session'}.`,
            ...(isExact
              ? []
              : [
                  `It covers every ${tool.name} at ${[path, origin].filter(isText).map(visible).join(' and ')}.`,
                ]),
          ]),
      shownCommand(command.args, { origin, changes }),
    ].join('\n');
    if (details.length > MAX_DETAILS)
      return authorization(
        null,
        `Refused: the person must allow ${tool.name} here, and it would take ${details.length} characters to show them all of it, more than ${MAX_DETAILS}. Do it in smaller steps.`,
      );
    await this.#pauseWhenMany(run, tool, callId);
    const key = `approve:${callId}:${exact}`;
    const answer = await askPermission(this.#agent, run, key, {
      kind: 'approval',
      text: `May ${name} run ${tool.name}?`,
      options: ['yes', 'no'],
      command,
      details,
    });
    if (answer === null)
      return authorization(
        'nobody',
        `Refused: ${tool.name} needs the person's approval and nobody is there to give it.`,
      );
    const yes = isYes(answer);
    this.#agent.approvals.decide(grant, lifetime, yes);
    return authorization(yes ? 'yes' : 'no', yes ? null : refusedBy(tool));
  }

  /** @throws RoleZeroError `aborted` when the user does not want to answer more requests. */
  async #pauseWhenMany(run: Run, tool: Tool, callId: string): Promise<void> {
    const { approvals } = this.#agent;
    const { step } = this.#agent.turn();
    const recent = Object.entries(approvals.asked).filter(
      ([id, at]) => id !== callId && at > step - AMONG_STEPS,
    );
    if (recent.length >= MANY) {
      const answer = await askPermission(this.#agent, run, `many:${step}:${recent.length}`, {
        kind: 'question',
        text: `${this.#agent.name} has asked for permission ${recent.length} times in its last steps, and now wants to run ${tool.name}. Look at what it does before you go on. Go on?`,
        options: ['yes', 'no'],
      });
      if (answer !== null && !isYes(answer))
        throw new RoleZeroError('aborted', 'The person has stopped it for its many questions.');
      recent.length = 0;
    }
    approvals.setAsked(Object.fromEntries([...recent, [callId, step]]));
  }
}

/** Permission to run a command, or the reason for its refusal. */
export interface Authorization {
  refusal: string | null;
  /** The user has approved it. */
  asked: boolean;
  /** Recorded in the trace; null when no decision was needed. */
  permission: Permission | null;
}

/** Allowed without a question. */
const GRANTED: Authorization = { refusal: null, asked: false, permission: null };

const WHAT: Record<Reach, string> = {
  inside: '',
  read: '',
  compose: 'it asks for something outside that nobody but the model named',
  write: 'it changes something outside of the session',
  overwrite: 'it changes a file that you brought',
};

function refusal(why: string): Judgement {
  return { decision: 'deny', why, lifetime: 'once', origin: null, path: null };
}

function judgementOf(rule: PolicyRule, path: string | null, origin: string | null): Judgement {
  return { decision: rule.do, why: '', lifetime: rule.lifetime ?? 'once', path, origin };
}

/** Returns whether a command may run before the user is asked: its changes are only staged. */
function isStaged({ staged, effect = 'session' }: Tool): boolean {
  return staged === true && effect === 'session';
}

/** Describes a binary file to the user. */
function describeBytes(bytes: Uint8Array): string {
  return `(no text: ${bytes.length} bytes, SHA-256 ${sha256(bytes)})`;
}

function refusedBy(tool: Tool): string {
  return `Refused by the person: ${tool.name} was not run. Ask what they want instead.`;
}

function reachOf(tool: Tool, at: string | null, given: () => boolean): Reach {
  const { effect = 'session' } = tool;
  if (effect === 'pure' || effect === 'session') return 'inside';
  if (at === null && 'reaches' in tool) return 'inside'; // the session's own page
  if (effect !== 'egress-read') return 'write';
  return at !== null && given() ? 'read' : 'compose';
}

/** Returns the addresses outside of the session that a command names. */
function addressesOf(tool: Tool, input: unknown, { tools }: RoleState): string[] {
  if (tool.reaches !== undefined)
    return textsOf(tool.reaches(input, tools[tool.name.split('.')[0] ?? tool.name] ?? {}));
  const { address } = tool;
  return address !== undefined && isRecord(input) ? textsOf(input[address]) : [];
}

/** Returns the strings of an address argument. Other values are stringified, so the user still sees them. */
function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value instanceof URL) return [value.href];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** Returns the shortest lifetime, because one answer covers all of them. */
function shortestOf(judged: readonly Judgement[]): Lifetime {
  return LIFETIMES.find((lifetime) => judged.some((each) => each.lifetime === lifetime)) ?? 'once';
}

/** Combines the verdicts for several addresses: the strictest decision, the shortest lifetime, all origins. */
function together(judged: readonly Judgement[]): Judgement {
  const strictest = Math.max(...judged.map(({ decision }) => STRENGTH[decision]));
  const decisive = judged.filter(({ decision }) => STRENGTH[decision] === strictest);
  const [first] = decisive as [Judgement];
  return {
    ...first,
    lifetime: shortestOf(decisive),
    origin: [...new Set(judged.map(({ origin }) => origin))].join(', '),
  };
}

function isText(value: string | null): value is string {
  return value !== null;
}

/** Returns the path argument of a command as rules see it: absolute and normalized; null without one. */
function pathOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('path' in input) || typeof input.path !== 'string')
    return null;
  try {
    return resolvePath(input.path);
  } catch {
    return null; // outside the workspace: the tool rejects it
  }
}

import { RoleZeroError } from '../../core/error.js';
import type { JsonSchema } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Tool } from '../../core/tool.js';
import type { ToolList } from '../../tools/read-tools.js';
import { ToolRegistry } from '../../tools/registry.js';
import type { AgentBehavior } from './agent-behavior.js';
import { AgentRuntime, type AgentSettings } from './agent-runtime.js';
import type { MemorySnapshot } from './role-snapshot.js';
import { Goals } from './goals.js';
import type { Hooks } from './hooks.js';
import { matchingRules, type GivenRule } from '../policy/matching-rules.js';
import type { Run } from './outcome.js';
import { isForbidden } from '../policy/policy.js';
import type { ReadCounts } from '../policy/reads.js';
import { nativeTools, type NativeTools } from '../prompt/native-tools.js';
import { smallDescription, smallTools } from '../prompt/preset.js';
import { replySchema, smallReplySchema, type CallPlan } from '../prompt/reply-schema.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';
import { replyFormOf, type ReplyForm } from '../prompt/reply-form.js';
import type { Recommender } from './role-zero-options.js';
import { checkParts } from './part-rows.js';
import type { RoleZeroSettings } from './role-zero-settings.js';
import type { Stage } from './turn.js';

/** Share of the window for the description of the commands. */
const COMMANDS_SHARE = 0.3;

/** An agent that runs commands: a runtime with the parts of a `RoleZero`. The stages of its turn are functions over it. */
export class Agent extends AgentRuntime {
  readonly settings: RoleZeroSettings;
  readonly hooks: Hooks;
  /** The commands it may run. */
  readonly registry = new ToolRegistry();
  /** The tools that the application gave it: those in the registry, without the commands of its class. */
  given: ToolList = [];
  /** The agent that it works for, if it is a sub-agent. */
  caller: Agent | null = null;
  /** The work of its sub-agent; the end of the command waits for it. */
  delegated: Promise<unknown> | null = null;
  /** The last question of a command to the model; the next one waits for it. */
  toolQuestion: Promise<unknown> = Promise.resolve();
  readonly goals: Goals;
  recommender: Recommender | undefined;
  /** Names of the tools that the model is shown in this step; null for those of the request. */
  shown: readonly string[] | null = null;
  #run: Run | null = null;
  #schema: { version: number; schema: JsonSchema } | null = null;
  #native: { key: string; tools: NativeTools } | null = null;

  constructor(runtime: AgentSettings, settings: RoleZeroSettings, behavior: AgentBehavior, hooks: Hooks) {
    super(runtime, behavior);
    this.settings = settings;
    this.hooks = hooks;
    this.goals = new Goals(this, hooks);
    this.parts = settings.parts.map((create) => create(this));
    checkParts(this.name, this.parts);
    this.memory = this.newMemory(); // of a part, if one has a memory
  }

  /** The current run. Commands ask questions through it. */
  get run(): Run {
    if (this.#run !== null) return this.#run;
    throw new RoleZeroError('internal', 'A command ran outside a run.', { role: this.name });
  }

  /** Name of the role whose rules apply: a sub-agent has those of its caller. */
  get ruleName(): string {
    return this.caller?.ruleName ?? this.name;
  }

  /** Messages that show who named an address: those of the callers come first. */
  get witnesses(): readonly Message[] {
    const own = this.memory.get();
    return this.caller === null ? own : [...this.caller.witnesses, ...own];
  }

  /** The reads that count like its own: its callers share them. */
  get reads(): readonly ReadCounts[] {
    return [this.state.reads ?? {}, ...(this.caller?.reads ?? [])];
  }

  /** Adds commands. Called once, before the first turn. */
  addTools(tools: readonly Tool[]): void {
    for (const tool of tools) this.registry.register(tool);
    this.recommender = this.settings.toolRecommender?.(this.registry);
  }

  enterRun(run: Run): void {
    const { preset, isPresetAutomatic } = this.settings;
    const isFirst = this.#run === null;
    this.#run = run;
    if (!isFirst || preset === 'full' || !isPresetAutomatic) return;
    const text = `${this.model.id} is small: it gets short prompts and few commands. The option preset of the role changes this.`;
    this.emit({ type: 'model-progress', phase: 'waiting', loaded: 0, total: 0, text });
  }

  enterStage(stage: Stage): void {
    this.turn().stage = stage;
  }

  override async restoreMemory(snapshot: MemorySnapshot): Promise<void> {
    await super.restoreMemory(snapshot);
    this.goals.restart();
  }

  override givenRules(): GivenRule[] {
    const groups = this.parts.flatMap((part) => part.groups ?? []);
    return matchingRules(this.name, this.registry, groups, this.settings);
  }

  /** The call plan of a request. */
  get callPlan(): CallPlan {
    return this.settings.callPlan;
  }

  /** The form in which its model writes commands. It changes when a server rejects one. */
  get form(): ReplyForm {
    return replyFormOf(this.model);
  }

  /** Language of replies, in words for a prompt. */
  get language(): string {
    return this.state.respondLanguage || 'the language of the requirement';
  }

  /** Returns the schema of replies in that form, cached until the tools change: an engine takes seconds to compile a new one. */
  responseSchema(): JsonSchema | undefined {
    const { registry, settings } = this;
    if (!this.form.hasSchema) return undefined;
    if (this.#schema?.version !== registry.version) {
      const tools = this.#shownTools(registry.tools);
      const schema =
        settings.preset === 'small' ? smallReplySchema(tools) : replySchema(tools, this.callPlan);
      this.#schema = { version: registry.version, schema };
    }
    return this.#schema.schema;
  }

  /** Returns the schema of one reply of a small model with these commands only; that of all replies in other cases. */
  smallSchemaOf(isAllowed: (name: string) => boolean): JsonSchema | undefined {
    if (!this.form.hasSchema || this.settings.preset !== 'small') return this.responseSchema();
    return smallReplySchema(this.#shownTools(this.registry.tools).filter(({ name }) => isAllowed(name)));
  }

  /** Returns the tools in the native form, cached until they change: prompts begin with them. */
  nativeTools(): NativeTools {
    const { registry, settings, offered } = this;
    const key = `${registry.version} ${this.model.id} ${offered?.join(' ') ?? ''}`;
    if (this.#native?.key !== key) {
      const all = offered ? registry.tools.filter(({ name }) => offered.includes(name)) : registry.tools;
      const isBrief = settings.preset === 'small';
      const describe = isBrief ? smallDescription : ({ description }: Tool) => description;
      const tools = nativeTools(this.#shownTools(all), { most: this.mostOfCommands, describe, isBrief });
      this.#native = { key, tools };
    }
    return this.#native.tools;
  }

  /** Names of the tools that the model is shown; undefined for all. */
  get offered(): readonly string[] | undefined {
    return this.shown ?? this.state.turn?.offered;
  }

  /** Maximum characters of the description of commands. Decided by length alone, so that the choice stays the same while the window does. */
  get mostOfCommands(): number {
    return this.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
  }

  /** Returns tools without those that are forbidden, and without those that a small model does not see. */
  #shownTools(tools: readonly Tool[]): Tool[] {
    const { ruleName, registry, settings } = this;
    const allowed = tools.filter(
      ({ name }) => !isForbidden(ruleName, name, settings.rules, registry.aliasesOf(name)),
    );
    return settings.preset === 'small' ? smallTools(allowed) : allowed;
  }
}

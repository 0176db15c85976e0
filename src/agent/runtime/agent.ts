import { RoleZeroError } from '../../core/error.js';
import type { ToolList } from '../../tools/read-tools.js';
import { ToolRegistry } from '../../tools/registry.js';
import { AgentRuntime, type AgentSettings } from './agent-runtime.js';
import type { MemorySnapshot } from './state.js';
import { Goals } from './goals.js';
import type { AgentBehavior, Hooks } from './hooks.js';
import { matchingRules, type GivenRule } from '../policy/matching-rules.js';
import type { Run } from './outcome.js';
import { replyFormOf, type ReplyForm } from '../prompt/reply-form.js';
import { checkParts } from './part-rows.js';
import type { RoleZeroSettings } from './role-zero-options.js';
import { ShownTools } from './shown-tools.js';
import type { Stage } from './turn.js';

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
  readonly shownTools = new ShownTools(this);
  #run: Run | null = null;

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

  /** The form in which its model writes commands. It changes when a server rejects one. */
  get form(): ReplyForm {
    return replyFormOf(this.model);
  }
}

import { RoleZeroError } from '../../core/error.js';
import type { ToolList } from '../../tools/read-tools.js';
import { ToolRegistry } from '../../tools/registry.js';
import { AgentRuntime, type AgentSettings } from './agent-runtime.js';
import type { MemorySnapshot } from './state.js';
import type { AgentBehavior, Hooks } from './hooks.js';
import { matchingRules, type GivenRule } from '../policy/policy.js';
import type { Run } from './outcome.js';
import { replyFormOf, type ReplyForm } from '../prompt/reply-form.js';
import { checkParts } from './rows.js';
import type { RoleZeroSettings } from './role-zero-options.js';
import { ShownTools } from './shown-tools.js';
import type { TaskData } from '../../core/events.js';
import { Plan } from '../../plan/plan.js';
import { withoutEnvelope } from '../../core/envelope.js';

/** Maximum number of earlier goals that are remembered; the oldest is dropped. */
const MAX_EARLIER_GOALS = 8;

/** The plan of an agent and the goals that wait for it. Both are part of its state. */
class Goals {
  readonly #agent: AgentRuntime;
  readonly #hooks: Pick<Hooks, 'onTaskFinished' | 'onPlanFinished'>;
  #plan: Plan;

  constructor(agent: AgentRuntime, hooks: Pick<Hooks, 'onTaskFinished' | 'onPlanFinished'>) {
    this.#agent = agent;
    this.#hooks = hooks;
    this.#plan = this.#newPlan('');
  }

  /** The current plan. */
  get plan(): Plan {
    return this.#plan;
  }

  /** Reads the plan from restored state. */
  restart(): void {
    this.#plan = Plan.fromData(this.#agent.state.plan, { onChange: () => this.#planChanged() });
  }

  /** Makes the request the goal of the plan. Open tasks of the previous goal stay, and that goal is remembered. */
  enter(): void {
    const { state } = this.#agent;
    const goal = withoutEnvelope(this.#agent.turn().request?.content ?? '');
    if (this.#plan.isPlanFinished()) {
      this.#plan = this.#newPlan(goal);
      state.earlierGoals = [];
    } else if (this.#plan.goal !== goal) {
      const before = { goal: this.#plan.goal, language: state.respondLanguage };
      if (before.goal !== '') state.earlierGoals = [...state.earlierGoals, before].slice(-MAX_EARLIER_GOALS);
      this.#plan.goal = goal;
    }
    this.#planChanged();
  }

  /** Restores the previous goal when its tasks are still open. */
  returnToEarlier(): void {
    const { state } = this.#agent;
    if (this.#plan.isPlanFinished()) state.earlierGoals = [];
    const before = state.earlierGoals.pop();
    if (before === undefined) return;
    this.#plan.goal = before.goal;
    state.respondLanguage = before.language;
    this.#planChanged();
  }

  #newPlan(goal: string): Plan {
    return new Plan(goal, { onChange: () => this.#planChanged() });
  }

  #planChanged(): void {
    const { name: role, state, journal } = this.#agent;
    const before = new Set(state.plan.tasks.filter(({ isFinished }) => isFinished).map(taskKey));
    state.plan = this.#plan.toData();
    journal.tell({ type: 'plan-changed', role, plan: structuredClone(state.plan) });
    const { tasks } = state.plan;
    const finished = tasks.filter((task) => task.isFinished && !before.has(taskKey(task)));
    for (const task of finished) this.#hooks.onTaskFinished(structuredClone(task));
    if (finished.length > 0 && tasks.every(({ isFinished }) => isFinished)) this.#hooks.onPlanFinished();
  }
}

/** Identifies a task by id and instruction, because another task may reuse the id. */
function taskKey({ taskId, instruction }: TaskData): string {
  return JSON.stringify([taskId, instruction]);
}

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

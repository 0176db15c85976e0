import type { TaskData } from '../../core/events.js';
import { Plan } from '../../plan/plan.js';
import type { AgentRuntime } from './agent-runtime.js';
import { withoutEnvelope } from '../../core/envelope.js';
import type { Hooks } from './hooks.js';

/** Maximum number of earlier goals that are remembered; the oldest is dropped. */
const MAX_EARLIER_GOALS = 8;

/** The plan of an agent and the goals that wait for it. Both are part of its state. */
export class Goals {
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

import { askModel } from '../agent/runtime/ask-model.js';
import { askUser } from '../agent/runtime/ask-user.js';
import { Action, AIMessage, Message } from '../core/message.js';
import { Plan } from '../plan/plan.js';
import { Planner } from './planner.js';
import type { Task, TaskResult } from '../plan/task.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { readJsonReply } from '../agent/parse/reply.js';
import { Role, type RoleOptions } from './role.js';
import type { Stage } from '../agent/runtime/turn.js';

export interface PlanningRoleOptions extends Omit<RoleOptions, 'reactMode' | 'actions' | 'maxReactLoop'> {
  /** Accepts plans and results without asking the user. @default true */
  autoRun?: boolean;
}

/**
 * A role that makes a plan for a request and works on its tasks in order: react mode `plan_and_act`.
 * Subclasses implement `actOnTask`.
 */
export abstract class PlanningRole extends Role {
  static override readonly id: string = 'PlanningRole';
  protected static override readonly plans = true;
  readonly autoRun: boolean;

  constructor({ autoRun = true, ...options }: PlanningRoleOptions = {}) {
    super({ ...options, reactMode: 'plan_and_act' });
    this.autoRun = autoRun;
  }

  /** Works on one task of the plan and returns its result. It is called again after an interruption before the result is stored. */
  protected abstract actOnTask(task: Task, run: Run): Promise<TaskResult>;

  protected override async react(run: Run): Promise<Outcome> {
    const stage = this.#planStage();
    const planner = this.#newPlanner(run);
    this.agent.enter('thinking');
    if (!stage.hasPlan && planner.plan.isPlanFinished()) {
      await planner.updatePlan(this.agent.turn().request?.content ?? '');
    }
    stage.hasPlan = true;
    await this.#keepPlan(planner);
    for (let task = planner.plan.currentTask; task !== null; task = planner.plan.currentTask) {
      this.agent.enter('acting');
      const result = await this.actOnTask(task, run);
      this.agent.enter('thinking');
      await planner.processTaskResult(result);
      this.agent.turn().step += 1;
      await this.#keepPlan(planner);
    }
    this.agent.enter('ended');
    const content = planner.getUsefulMemories()[0]?.content ?? '';
    const sentFrom = `${this.name}(${this.profile})`;
    const message = this.agent.remember(
      this.agent.newMessage(AIMessage, { content, sentFrom, causeBy: Action }),
      true,
    );
    return { status: 'done', summary: content, message, error: null };
  }

  protected override firstStage(): Stage {
    return { name: 'plan', hasPlan: false };
  }

  #planStage(): Extract<Stage, { name: 'plan' }> {
    const turn = this.agent.turn();
    if (turn.stage.name === 'plan') return turn.stage;
    const stage = { name: 'plan' as const, hasPlan: turn.stage.name === 'think' }; // of an upgraded session
    turn.stage = stage;
    return stage;
  }

  #newPlanner(run: Run): Planner {
    let asked = 0;
    const nextKey = (what: string): string => `${what}:${this.agent.turn().step}:${asked++}`;
    const planner = new Planner(
      {
        ask: async (text) => {
          const reply = await askModel(this.agent, run, {
            purpose: 'plan',
            key: nextKey('plan'),
            text,
            apart: true,
          });
          return reply.text;
        },
        review: (text) => askUser(this.agent, run, nextKey('review'), { kind: 'question', text }),
        readJson: readJsonReply,
        newId: () => this.agent.context.runtime.newId(),
        warn: (message) =>
          this.agent.emit({ type: 'warning', code: 'plan', message, detail: { role: this.name } }),
      },
      { plan: Plan.fromData(this.agent.state.plan), autoRun: this.autoRun },
    );
    planner.workingMemory = this.agent.state.workingMemory.map((message) => Message.fromData(message));
    return planner;
  }

  async #keepPlan(planner: Planner): Promise<void> {
    const turn = this.agent.turn();
    this.agent.state.plan = planner.plan.toData();
    this.agent.state.workingMemory = planner.workingMemory.map((message) => message.toData());
    turn.replies = {};
    turn.answers = {};
    this.agent.journal.tell({
      type: 'plan-changed',
      role: this.name,
      plan: structuredClone(this.agent.state.plan),
    });
    await this.agent.commit();
  }
}

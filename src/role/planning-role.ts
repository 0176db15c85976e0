import { Action, AIMessage, Message } from '../base/message.js';
import { Plan } from '../plan/plan.js';
import { Planner } from '../plan/planner.js';
import type { Task, TaskResult } from '../plan/task.js';
import type { Outcome, Run } from './outcome.js';
import { readJsonReply } from '../agent/parse/reply.js';
import type { RoleOptions } from './role-options.js';
import { Role } from './role.js';

export interface PlanningRoleOptions extends Omit<RoleOptions, 'reactMode' | 'actions' | 'maxReactLoop'> {
  /** Plans and results are accepted without asking the person; default true. */
  autoRun?: boolean;
}

/**
 * A role that makes a plan for what it is asked and works on its tasks one after the other: react mode `plan_and_act` (spec 5.8).
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

  /** Works on one task of the plan and says what came of it. Interrupted before its result is stored it is called again. */
  protected abstract actOnTask(task: Task, run: Run): Promise<TaskResult>;

  protected override async react(run: Run): Promise<Outcome> {
    const reaction = this.reaction();
    const planner = this.newPlanner(run);
    this.enter('thinking');
    if (!reaction.prepared && planner.plan.isPlanFinished()) {
      await planner.updatePlan(reaction.trigger?.content ?? '');
    }
    reaction.prepared = true;
    await this.keepPlan(planner);
    for (let task = planner.plan.currentTask; task !== null; task = planner.plan.currentTask) {
      this.enter('acting');
      const result = await this.actOnTask(task, run);
      this.enter('thinking');
      await planner.processTaskResult(result);
      reaction.totalSteps += 1;
      await this.keepPlan(planner);
    }
    this.enter('ended');
    const content = planner.getUsefulMemories()[0]?.content ?? '';
    const sentFrom = `${this.name}(${this.profile})`;
    const message = this.remember(this.newMessage(AIMessage, { content, sentFrom, causeBy: Action }), true);
    return { status: 'done', summary: content, message, error: null };
  }

  private newPlanner(run: Run): Planner {
    let asked = 0;
    const nextKey = (what: string): string => `${what}:${this.reaction().totalSteps}:${asked++}`;
    const planner = new Planner(
      {
        ask: (text) => this.ask(run, { purpose: 'plan', key: nextKey('plan'), text, apart: true }),
        review: (text) => this.dialogue.ask(run, nextKey('review'), { kind: 'question', text }),
        readJson: readJsonReply,
        newId: () => this.context.runtime.newId(),
        warn: (message) => this.emit({ type: 'warning', code: 'plan', message, detail: { role: this.name } }),
      },
      { plan: Plan.fromData(this.state.plan), autoRun: this.autoRun },
    );
    planner.workingMemory = this.state.workingMemory.map((message) => Message.fromData(message));
    return planner;
  }

  private async keepPlan(planner: Planner): Promise<void> {
    const reaction = this.reaction();
    this.state.plan = planner.plan.toData();
    this.state.workingMemory = planner.workingMemory.map((message) => message.toData());
    reaction.replies = {};
    reaction.answers = {};
    this.journal.tell({ type: 'plan-changed', role: this.name, plan: structuredClone(this.state.plan) });
    await this.commit();
  }
}

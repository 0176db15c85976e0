import { Action, type Message } from '../core/message.js';
import { classify } from '../agent/loop.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { chooseAction, runAction, runProcedure } from './procedure.js';
import type { RoleOptions } from './role.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { RoleZero } from '../agent/role-zero.js';

export interface FixedSopRoleOptions extends RoleZeroOptions {
  actions: NonNullable<RoleOptions['actions']>;
}

/**
 * A RoleZero that works in a fixed procedure (MetaGPT's `use_fixed_sop`): it answers simple requests at once, and otherwise runs its
 * actions as `Role` does. Its call plan is `classic` by default.
 *
 * @example new FixedSopRole({ model, actions: [WriteDraft, Review], maxSteps: 2 })
 */
export class FixedSopRole extends RoleZero {
  static override readonly id: string = 'FixedSopRole';
  readonly actions: readonly Action[];

  constructor({ actions, ...options }: FixedSopRoleOptions) {
    super({ callPlan: 'classic', preset: 'full', ...options });
    this.actions = actions.map((action) => (action instanceof Action ? action : new action()));
  }

  protected override async react(run: Run): Promise<Outcome> {
    const { agent, actions } = this;
    agent.enterRun(run);
    if (agent.turn().stage.name === 'classify') await classify(agent);
    if (agent.turn().stage.name === 'finish') return super.react(run);
    const think = (): Promise<boolean> => chooseAction(agent, actions, 'react', run);
    const act = (): Promise<Message> => runAction(agent, actions[agent.state.actionIndex] ?? null, run);
    return runProcedure(agent, { limit: this.maxSteps, think, act }, run);
  }
}

import { classify } from './loop.js';
import type { Outcome, Run } from './outcome.js';
import type { RoleOptions } from './role-options.js';
import type { RoleZeroOptions } from './role-zero-options.js';
import { RoleZero } from './role-zero.js';

export interface FixedSopRoleOptions extends RoleZeroOptions {
  actions: NonNullable<RoleOptions['actions']>;
}

/**
 * A RoleZero that works in a fixed procedure (MetaGPT's `use_fixed_sop`): it answers simple requests at once, and otherwise runs its
 * actions as `Role` does.
 *
 * @example new FixedSopRole({ model, actions: [WriteDraft, Review], maxReactLoop: 2 })
 */
export class FixedSopRole extends RoleZero {
  static override readonly id: string = 'FixedSopRole';

  constructor({ actions, ...options }: FixedSopRoleOptions) {
    super(options);
    this.setActions(actions);
  }

  protected override async react(run: Run): Promise<Outcome> {
    this.agent.enterRun(run);
    if (this.agent.turn().stage.name === 'classify') await classify(this.agent);
    return this.agent.turn().stage.name === 'finish' ? super.react(run) : this.runProcedure(run);
  }
}

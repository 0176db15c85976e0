import type { SessionApprovals } from '../core/human.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import type { SessionState } from './session-state.js';

/** Creates the approvals API of a session for the user. */
export function sessionApprovals(state: SessionState): SessionApprovals {
  return {
    list: async () => {
      await state.ready();
      return state.environment.roles.flatMap(({ name: role, agent }) =>
        agent.approvals.granted().map((each) => ({ ...each, role })),
      );
    },
    revoke: async (ids) => {
      await state.ready();
      const wanted = new Set([ids].flat());
      const writes = state.environment.roles.flatMap(({ name, agent }) =>
        agent.approvals.revoke(wanted)
          ? [{ table: 'approvals', key: approvalsKey(name), value: agent.approvals.snapshot() } as const]
          : [],
      );
      if (writes.length > 0) await state.commitApart(writes);
      return writes.length > 0;
    },
  };
}

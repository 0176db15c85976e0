import type { Account, Budget, Grant } from '../agent/policy/budget.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { totalUsage } from './session-queries.js';

/** Returns the budget of a session with what its roles have spent. `decide` stores what the user allows beyond it. */
export function sessionAccount(
  budget: Budget,
  grant: Grant,
  roles: readonly TeamRole[],
  decide: (grant: Grant) => void,
): Account {
  const { calls, promptTokens, completionTokens, costUsd } = totalUsage(roles);
  const ms = roles.reduce((sum, role) => sum + role.agent.state.modelMs, 0);
  return {
    whose: 'session',
    budget,
    spent: { calls, tokens: promptTokens + completionTokens, usd: costUsd, ms },
    grant,
    advice: 'Raise the budget of the team, then resume.',
    decide,
  };
}

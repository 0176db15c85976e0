import type { Chat } from '../environment/routing.js';
import type { Role } from '../role/role.js';
import type { Budget } from '../role/role-zero-options.js';

/** The roles of a session, and how they live together. */
export interface Team {
  /** Whom a person speaks to, and through whom messages go. Without one it is the first role, and messages go to their addresses. */
  leader?: Role;
  roles: readonly Role[];
  /** `public`: everybody hears everything (default). `private`: only who is named, and the leader. Of use with a leader only. */
  chat?: Chat;
  /** For all roles together and the whole session; what is left out is not limited. */
  budget?: Budget;
}

/** All roles, the leader first. */
export function everybody({ leader, roles }: Pick<Team, 'leader' | 'roles'>): Role[] {
  return leader === undefined ? [...roles] : [leader, ...roles.filter((role) => role !== leader)];
}

import type { Chat } from '../environment/routing.js';
import type { FileLimits } from '../files/file-tree.js';
import type { HistoryLimits } from '../files/history.js';
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
  /** What the files of the session may come to; what is left out is as usual. */
  limits?: Partial<SessionLimits>;
}

/** Bytes of one file (default 8 MiB), of all (256 MiB), how many files and directories (10,000), bytes of earlier contents (64 MiB). */
export type SessionLimits = FileLimits & HistoryLimits;

/** All roles, the leader first. */
export function everybody({ leader, roles }: Pick<Team, 'leader' | 'roles'>): Role[] {
  return leader === undefined ? [...roles] : [leader, ...roles.filter((role) => role !== leader)];
}

import type { AgentEvent } from '../core/events.js';
import type { OwnedPart } from '../agent/runtime/part.js';
import type { Budget } from '../agent/runtime/role-zero-options.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { FileLimits } from '../files/file-tree.js';
import type { HistoryLimits } from '../files/history.js';
import type { Chat } from '../team/routing.js';

/** The roles of a session, with their communication and limits. */
export interface Team {
  /**
   * The role that receives the user's messages and routes those of the other roles. Without a leader, the first role receives the user's
   * messages, and other messages go to their addresses.
   */
  leader?: TeamRole;
  roles: readonly TeamRole[];
  /**
   * `public`: all roles receive every message (default). `private`: only the named roles and the leader. Has an effect with a leader only.
   */
  chat?: Chat;
  /** Budget of all roles together for the whole session; an absent value is not limited. */
  budget?: Budget;
  /** Limits of the files of the session; an absent value uses the default. */
  limits?: Partial<SessionLimits>;
}

/**
 * Bytes of one file (default 8 MiB), bytes of all files (256 MiB), number of files and directories (10,000), bytes of earlier contents (64
 * MiB).
 */
export type SessionLimits = FileLimits & HistoryLimits;

/** Returns all roles, the leader first. */
export function rolesOf({ leader, roles }: Pick<Team, 'leader' | 'roles'>): TeamRole[] {
  return leader === undefined ? [...roles] : [leader, ...roles.filter((role) => role !== leader)];
}

/** Returns the part of this name of all roles that have it. */
export function ownedParts(roles: readonly TeamRole[], name: string): OwnedPart[] {
  return roles.flatMap(({ name: role, agent }) =>
    agent.parts.filter((part) => part.name === name).map((part) => ({ role, part })),
  );
}

/**
 * Returns a warning about rules that match no command of their roles: a misspelled name protects nothing. Returns null when every rule
 * matches. A rule shared by several roles need only match for one of them.
 */
export function idleRules(roles: readonly TeamRole[]): AgentEvent<'warning'> | null {
  const given = roles.flatMap((role) => role.agent.givenRules());
  const live = new Set(given.filter(({ matches }) => matches).map(({ text }) => text));
  const idle = given
    .filter(({ text }) => !live.has(text))
    .map(({ text, like }) => (like === undefined ? text : `${text} (did you mean ${like}?)`));
  if (idle.length === 0) return null;
  const rules = [...new Set(idle)];
  return {
    type: 'warning',
    code: 'invalid',
    message: `These rules match no command of the roles that have them, so they have no effect: ${rules.join('; ')}. Check the names of commands, roles and arguments; only commands with an address have an origin.`,
    detail: { rules },
  };
}

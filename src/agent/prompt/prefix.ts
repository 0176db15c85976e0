/** What a role is described by. */
export interface RoleDescription {
  name: string;
  profile: string;
  goal: string;
  constraints: string;
  /** Replaces the other parts. */
  description: string;
}

/** The team that a role works in. */
interface Team {
  description: string;
  members: readonly { name: string }[];
}

/** Returns one line that describes a role; the same in every step. */
export function rolePrefix(role: RoleDescription, team: Team | null): string {
  if (role.description !== '') return role.description;
  const constraints = role.constraints === '' ? '' : ` Your constraint is: ${role.constraints}.`;
  const others = (team?.members ?? []).map(({ name }) => name).filter((name) => name !== role.name);
  const among = others.length === 0 ? '' : ` together with the roles (${others.join(', ')})`;
  const environment = team?.description ?? '';
  const place = environment === '' ? '' : ` You are in ${environment}${among}.`;
  return `You are a ${role.profile || 'role'}, named ${role.name}, your goal is ${role.goal || 'to do what is asked of you'}.${constraints}${place}`;
}

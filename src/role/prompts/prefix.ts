import type { MessageBus } from '../context.js';

/** What a role is described by. */
export interface RoleDescription {
  name: string;
  profile: string;
  goal: string;
  constraints: string;
  /** Replaces the other parts. */
  desc: string;
}

/** Returns one line that describes a role; the same in every step. */
export function rolePrefix(role: RoleDescription, bus: MessageBus | null): string {
  if (role.desc !== '') return role.desc;
  const constraints = role.constraints === '' ? '' : ` Your constraint is: ${role.constraints}.`;
  const others = (bus?.members ?? []).map(({ name }) => name).filter((name) => name !== role.name);
  const among = others.length === 0 ? '' : ` together with the roles (${others.join(', ')})`;
  const description = bus?.description ?? '';
  const place = description === '' ? '' : ` You are in ${description}${among}.`;
  return `You are a ${role.profile || 'role'}, named ${role.name}, your goal is ${role.goal || 'to do what is asked of you'}.${constraints}${place}`;
}

/** Returns whether a command does work: not those that only plan, talk to the user, or end the turn. */
export function doesWork(name: string): boolean {
  return name !== 'end' && !/^(RoleZero|Plan)\./.test(name);
}

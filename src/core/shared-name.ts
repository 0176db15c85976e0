import { RoleZeroError } from './error.js';

/** Maximum length of a name under which sessions share something. */
const MAX_SHARED_NAME = 200;

/** Checks the option `shared` of a function. @throws RoleZeroError `invalid` when the name is empty or too long. */
export function checkSharedName(of: string, shared: string): void {
  if (shared !== '' && shared.length <= MAX_SHARED_NAME) return;
  throw new RoleZeroError(
    'invalid',
    `\`shared\` of ${of} must have 1 to ${MAX_SHARED_NAME} characters, but has ${shared.length}.`,
    { length: shared.length },
  );
}

/** Creates the error for a storage that cannot share the records of an option. */
export function cannotShare(of: string, shared: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The storage of this session has no \`loadShared\` and \`sharedKeys\`, so it cannot share '${shared}'. Leave out \`shared\` of ${of}, or use indexedDbStorage().`,
    { shared },
  );
}

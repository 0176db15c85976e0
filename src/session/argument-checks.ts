import { RoleZeroError } from '../core/error.js';
import type { MessageQuery } from '../core/message.js';

/** Maximum number of characters of one message to a session. */
const MAX_REQUEST = 1_000_000;

/** Returns the query as an object. @throws RoleZeroError `invalid` when `last` is not a non-negative integer. */
export function checkQuery(query: string | MessageQuery, what: string): MessageQuery {
  const wanted = typeof query === 'string' ? { role: query } : query;
  const { last } = wanted;
  if (last === undefined || (Number.isInteger(last) && last >= 0)) return wanted;
  throw new RoleZeroError(
    'invalid',
    `Cannot return the newest ${what}: \`last\` must be a non-negative integer, got ${last}.`,
    {
      last,
    },
  );
}

/** @throws RoleZeroError `invalid` when the text of a request is empty or longer than a million characters. */
export function checkRequest(text: string): void {
  if (text.trim() === '')
    throw new RoleZeroError('invalid', 'The message is empty. Describe what to do.', {});
  if (text.length <= MAX_REQUEST) return;
  throw new RoleZeroError(
    'invalid',
    `The message has ${text.length} characters, at most ${MAX_REQUEST} are accepted. Put long text into a file and name the file.`,
    { length: text.length },
  );
}

import { RoleZeroError } from '../core/error.js';
import { checkJsonSchema } from '../core/json-schema.js';
import type { MessageQuery } from '../core/message.js';
import type { WantedOutput } from '../core/output.js';

/** Maximum number of characters of one message to a session. */
const MAX_REQUEST = 1_000_000;
/** Maximum number of characters of the schema of a typed answer, as JSON: the model receives it. */
const MAX_SCHEMA = 50_000;

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

/** @throws RoleZeroError `invalid` when a typed answer is wanted during a run, or its schema is too long or cannot be used. */
export function checkOutput({ schema }: WantedOutput, isRunning: boolean): void {
  if (isRunning)
    throw new RoleZeroError(
      'invalid',
      'A request with `output` starts a run of its own, and one is in progress. Await its result, or stop it, then send the request.',
      {},
    );
  const { length } = JSON.stringify(schema);
  if (length > MAX_SCHEMA)
    throw new RoleZeroError(
      'invalid',
      `The schema of \`output\` has ${length} characters as JSON, at most ${MAX_SCHEMA} are accepted. Ask for less at once.`,
      { length },
    );
  checkJsonSchema(schema, 'The schema of `output`');
}

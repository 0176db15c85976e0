import { checkApiKey } from '../../core/api-key.js';
import { RoleZeroError, describe } from '../../core/error.js';
import { secretsIn } from '../../core/secrets.js';
import type { OpenAIOptions } from './options.js';
import type { Patience } from './patience.js';

/**
 * Returns the headers of a request to `baseURL`. Adds the key to `secrets`.
 *
 * @throws RoleZeroError `invalid` for a key or a header that cannot be sent; any error of the `apiKey` function.
 */
export async function requestHeaders(
  options: Pick<OpenAIOptions, 'apiKey' | 'headers'>,
  patience: Patience,
  secrets: Set<string>,
): Promise<Headers> {
  const given: unknown = await keyOf(options, patience);
  if (typeof given !== 'string')
    throw new RoleZeroError(
      'invalid',
      `The apiKey function must return a string, but returned ${given === null ? 'null' : `a value of type ${typeof given}`}.`,
    );
  const key = given.trim(); // pasted keys may end in a line break
  checkApiKey(key);
  for (const secret of secretsIn([key])) secrets.add(secret);
  try {
    const headers = new Headers(options.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    if (key !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return headers;
  } catch {
    // the platform's error contains the value
    throw new RoleZeroError('invalid', 'A name in `headers` is not a valid header name.');
  }
}

async function keyOf({ apiKey = '' }: Pick<OpenAIOptions, 'apiKey'>, patience: Patience): Promise<string> {
  if (typeof apiKey === 'string') return apiKey;
  try {
    return await patience.during(Promise.resolve().then(apiKey));
  } catch (error) {
    if (error instanceof RoleZeroError) throw error;
    throw new RoleZeroError('model-request', `The apiKey function failed: ${describe(error)}`, {}, error);
  }
}

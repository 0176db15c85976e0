import { ATTACHED, attachedMetadata, type AttachedFiles } from '../core/attached-files.js';
import {
  Message,
  MESSAGE_TO_ALL,
  SENDER,
  UserMessage,
  UserRequirement,
  type MessageQuery,
} from '../core/message.js';
import { defined } from '../core/defined.js';
import { outputMetadata, type WantedOutput } from '../core/output.js';
import { settingsMetadata, type RequestSettings, temperatureMetadata } from '../core/request-settings.js';
import { addressedTo } from '../agent/runtime/publish.js';
import type { Delivery } from '../agent/runtime/context.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { Environment } from '../team/environment.js';
import { USER } from '../team/routing.js';
import { RoleZeroError } from '../core/error.js';
import { checkJsonSchema } from '../core/json-schema.js';

interface AddressOptions extends RequestSettings {
  isDirect: boolean;
  /** It joins a run in progress. */
  isQueued: boolean;
  output?: WantedOutput;
  untrusted?: string;
  attached?: AttachedFiles;
  id?: string;
}

/**
 * Addresses a message of the user: through the leader if there is one, else directly to the role that was asked. With it goes the typed
 * answer it wants, and its files. A text of somebody else is labeled with its source, and names of untrusted files with theirs.
 */
export function addressUserMessage(
  environment: Environment,
  input: string | Message,
  asked: TeamRole,
  { isDirect: direct, isQueued, output, untrusted, temperature, attached, id, ...rest }: AddressOptions,
): { delivery: Delivery; message: Message } {
  const { leader, roles } = environment;
  const overLeader = leader !== null && !direct;
  const message =
    input instanceof Message
      ? input
      : new UserMessage({
          ...defined({ id }),
          content: attached === undefined ? input : `${input}\n\n${attached.note}`,
          causeBy: UserRequirement,
          sentFrom: USER,
          sendTo: overLeader ? [] : [asked.name],
        });
  const sources = [...(untrusted === undefined ? [] : [untrusted]), ...(attached?.untrusted ?? [])];
  if (sources.length > 0) message.addMetadata('untrusted', sources);
  if (untrusted !== undefined) message.addMetadata(SENDER, untrusted);
  if (attached !== undefined)
    message.addMetadata(ATTACHED, attachedMetadata(attached, untrusted === undefined));
  if (output !== undefined) message.addMetadata(...outputMetadata(output));
  if (temperature !== undefined) message.addMetadata(...temperatureMetadata(temperature));
  const settings = settingsMetadata(rest);
  if (settings !== null) message.addMetadata(...settings);
  const byAddress = leader !== null || (input instanceof Message && !direct && roles.length > 1);
  const isForAll = message.sendTo.size === 1 && message.sendTo.has(MESSAGE_TO_ALL);
  const delivery = byAddress
    ? environment.route(message, { direct, isQueued })
    : environment.hand(isForAll ? addressedTo(asked.agent, message) : message, asked, { isQueued });
  return { delivery, message };
}

/** Maximum number of characters of one message to a session. */
const MAX_REQUEST_LENGTH = 1_000_000;
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
  if (text.length <= MAX_REQUEST_LENGTH) return;
  throw new RoleZeroError(
    'invalid',
    `The message has ${text.length} characters, at most ${MAX_REQUEST_LENGTH} are accepted. Put long text into a file and name the file.`,
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

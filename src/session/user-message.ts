import { ATTACHED, attachedMetadata, type AttachedFiles } from '../core/attached-files.js';
import { Message, MESSAGE_TO_ALL, SENDER, UserMessage, UserRequirement } from '../core/message.js';
import { defined } from '../core/defined.js';
import { outputMetadata, type WantedOutput } from '../core/output.js';
import { settingsMetadata, type RequestSettings, temperatureMetadata } from '../core/request-settings.js';
import { addressedTo } from '../agent/runtime/publish.js';
import type { Delivery } from '../agent/runtime/context.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { Environment } from '../team/environment.js';
import { USER } from '../team/routing.js';

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

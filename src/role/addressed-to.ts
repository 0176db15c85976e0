import type { Message } from '../base/message.js';

/**
 * A message that is given to this very role: one that hears everything takes it for its own, whoever it names. A plain role still
 * goes by what it watches for and whom the message names (spec 5.9).
 */
export function addressedTo(
  role: { readonly name: string; readonly observeAllMessages: boolean },
  message: Message,
): Message {
  if (role.observeAllMessages && !message.sendTo.has(role.name))
    message.sendTo = [...message.sendTo, role.name];
  return message;
}

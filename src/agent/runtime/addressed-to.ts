import type { Message } from '../../core/message.js';

/**
 * Addresses a message to this role, if the role observes all messages. Other roles still decide by what they watch for and by the
 * recipients.
 */
export function addressedTo(
  role: { readonly name: string; readonly observeAllMessages: boolean },
  message: Message,
): Message {
  if (role.observeAllMessages && !message.sendTo.has(role.name))
    message.sendTo = [...message.sendTo, role.name];
  return message;
}

import type { MessageReaction } from '../core/inspection.js';
import type { Message } from '../core/message.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { Route } from './routing.js';

/** Returns whether each role reacts to a message that is about to be delivered, and the reason in words for users. */
export function reactionsTo(message: Message, route: Route, roles: readonly TeamRole[]): MessageReaction[] {
  return roles.map((role) => ({ role: role.name, ...reactionOf(role, message, route) }));
}

function reactionOf(role: TeamRole, message: Message, route: Route): Omit<MessageReaction, 'role'> {
  const { copy, recipients } = route;
  if (!recipients.includes(role.name)) return { reacts: false, why: whyNotReceived(role, message, route) };
  if (role.concerns(copy)) {
    const reason = copy.sendTo.has(role.name)
      ? 'is addressed by name'
      : `watches for messages caused by ${copy.causeBy}`;
    return { reacts: true, why: `${reason}${whenBusy(role, message, route)}` };
  }
  const keeps = role.agent.fixed.observeAllMessages ? 'only stores it' : 'ignores it';
  return {
    reacts: false,
    why: `${keeps}: it is not addressed by name and does not watch for messages caused by ${copy.causeBy}`,
  };
}

function whyNotReceived(role: TeamRole, message: Message, { recipients, undeliverable }: Route): string {
  if (role.name === message.sentFrom) return 'sent it, and roles do not receive their own messages';
  if (undeliverable.includes(role.name)) return 'does not receive it: too many messages wait for it already';
  if (recipients.length > 0) return `does not receive it: it is for ${recipients.join(', ')} only`;
  return undeliverable.length > 0
    ? `does not receive it: it is for ${undeliverable.join(', ')}, and no role has that name`
    : 'does not receive it: it is an answer to the user only';
}

function whenBusy(role: TeamRole, message: Message, { marked }: Route): string {
  if (marked.includes(role.name)) return ', and answers the user directly';
  return role.agent.isBusy ? ', but is busy and processes it next' : '';
}

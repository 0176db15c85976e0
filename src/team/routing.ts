import { envelope } from '../core/envelope.js';
import type { MessageReaction } from '../core/inspection.js';
import { Message, MESSAGE_TO_ALL, MESSAGE_TO_NONE } from '../core/message.js';
import type { Write } from '../core/store.js';
import type { TeamRole } from '../agent/runtime/work.js';

/** Address of a leader's result: it goes to no role. */
export const NO_ONE = 'no one';
/** Name of the user as the sender of a message. */
export const USER = 'User';

/**
 * In `public` chat, all roles receive every message. In `private` chat, only the named roles and the leader do; the leader does not receive
 * direct messages of the user and the answers to them.
 */
export type Chat = 'public' | 'private';

/** The properties of a role that routing needs. */
interface Participant {
  readonly name: string;
  readonly addresses: ReadonlySet<string>;
  readonly isBusy: boolean;
}

/** The state of the environment when a message is published. */
export interface RoutingState {
  participants: readonly Participant[];
  /** Name of the leader; null for plain routing by address. */
  leader: string | null;
  chat: Chat;
  /** Roles that the user addressed directly and that have not answered yet. */
  direct: ReadonlySet<string>;
}

/** Result of routing a message. */
export interface Route {
  /** The message as its recipients receive it. */
  copy: Message;
  recipients: string[];
  undeliverable: string[];
  /** Roles that will answer the user directly, and roles that no longer do so. */
  marked: string[];
  unmarked: string[];
}

/**
 * Finds the recipients of a message. Without a leader: the addressed roles. With a leader, every message also goes to the leader, except
 * direct messages of the user and the answers to them. Copies state sender and recipients. A role does not receive its own broadcast.
 *
 * @param isDirect the user has chosen the recipient
 * @returns null for a message that is meant for no one
 */
export function findRoute(message: Message, situation: RoutingState, isDirect: boolean): Route | null {
  const { participants, leader } = situation;
  const named = [...message.sendTo].filter((address) => address !== MESSAGE_TO_ALL);
  const meant = named.filter((address) => address !== NO_ONE && address !== MESSAGE_TO_NONE);
  if (meant.length === 0 && named.length > 0) return null;
  const undeliverable = meant.filter((address) => !participants.some((each) => each.addresses.has(address)));
  const route: Route = { copy: message, recipients: [], undeliverable, marked: [], unmarked: [] };
  if (named.length === message.sendTo.size && undeliverable.length === meant.length) return route;
  if (leader !== null) withLeader(message, { ...situation, leader }, isDirect, route);
  const heard = participants.filter(
    (each) =>
      route.copy.isSendTo(each.addresses) &&
      (each.name !== message.sentFrom || message.sendTo.has(each.name)),
  );
  route.recipients = heard.map(({ name }) => name);
  return route;
}

/** Routes a message in an environment with a leader. */
function withLeader(
  message: Message,
  { participants, leader, chat, direct }: RoutingState & { leader: string },
  isDirect: boolean,
  route: Route,
): void {
  const sendTo = new Set(message.sendTo);
  const sender = message.sentFrom;
  if (isDirect && !sendTo.has(leader)) {
    const spokenTo = participants.filter(
      ({ name, addresses }) => name !== leader && message.isSendTo(addresses),
    );
    route.marked = spokenTo.filter(({ isBusy }) => !isBusy).map(({ name }) => name);
  } else {
    // A role that receives work meanwhile answers to the leader again.
    route.unmarked = [...direct].filter((name) => name === sender || sendTo.has(name));
    if (sender !== leader && !direct.has(sender)) sendTo.add(leader);
  }

  if (chat === 'public') sendTo.add(MESSAGE_TO_ALL);
  else sendTo.delete(MESSAGE_TO_ALL);
  route.copy = decorated(message, sendTo);
}

/** Returns a copy that states sender and recipients. A message to all without a named recipient is an answer to the user. */
function decorated(message: Message, sendTo: Set<string>): Message {
  const { instructContent: _structured, ...data } = message.toData();
  const from = message.agent || message.sentFrom || USER;
  const to = [...sendTo].filter((address) => address !== MESSAGE_TO_ALL);
  const copy = Message.fromData({
    ...data,
    role: ['system', 'user', 'assistant'].includes(message.role) ? message.role : 'assistant',
    content: envelope(from, to.length === 0 ? [USER] : to, message.content),
    sendTo: to.length === sendTo.size ? (to.length === 0 ? [NO_ONE] : to) : [...sendTo],
  });
  copy.instructContent = message.instructContent;
  return copy;
}

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

/*
 * Roles that the user addressed directly, and that have not answered yet, are stored in the table `team`, each with a row of its own.
 */

const DIRECT_CHAT_PREFIX = 'direct/';

/** Returns the names of the stored roles. */
export function readDirectChats(rows: readonly { key: string }[]): Set<string> {
  const keys = rows.map(({ key }) => key).filter((key) => key.startsWith(DIRECT_CHAT_PREFIX));
  return new Set(keys.map((key) => key.slice(DIRECT_CHAT_PREFIX.length)));
}

export function startOfDirectChat(role: string): Write {
  return { table: 'team', key: `${DIRECT_CHAT_PREFIX}${role}`, value: true };
}

export function endOfDirectChat(role: string): Write {
  return { table: 'team', key: `${DIRECT_CHAT_PREFIX}${role}`, value: undefined };
}

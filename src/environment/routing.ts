import { Message, MESSAGE_TO_ALL, MESSAGE_TO_NONE } from '../base/message.js';
import { envelope } from '../role/envelope.js';

/** Whom a leader's result is for: nobody (spec 22). */
export const NO_ONE = 'no one';
/** The person, as the sender of a message. */
export const USER = 'User';

/** In `public` everybody hears everything; in `private` only who is named, and the leader what is for nobody in particular. */
export type Chat = 'public' | 'private';

/** A role, as far as messages are concerned. */
interface Participant {
  readonly name: string;
  readonly addresses: ReadonlySet<string>;
  readonly isBusy: boolean;
}

/** How things stand when a message is published. */
export interface Situation {
  participants: readonly Participant[];
  /** Name of the leader; null for plain routing by address. */
  leader: string | null;
  chat: Chat;
  /** Roles a person has spoken to directly and whose answer is still to come. */
  direct: ReadonlySet<string>;
}

/** Where a message goes. */
export interface Route {
  /** The message as its recipients get it. */
  copy: Message;
  recipients: string[];
  undeliverable: string[];
  /** Who will answer a person directly, and who does so no longer. */
  marked: string[];
  unmarked: string[];
}

/**
 * Finds who gets a message (spec 21). Without a leader: whoever is addressed. With one, everything goes to the leader, too, but for what a
 * person says to a role directly and what that role answers; copies say who speaks to whom. A role does not hear its own broadcast.
 *
 * @param isDirect a person has chosen the recipient
 * @returns null for a message that is meant for nobody
 */
export function findRoute(message: Message, situation: Situation, isDirect: boolean): Route | null {
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

/** The four cases of spec 21.2. */
function withLeader(
  message: Message,
  { participants, leader, chat, direct }: Situation & { leader: string },
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
    // Whoever gets work meanwhile answers to the leader again.
    route.unmarked = [...direct].filter((name) => name === sender || sendTo.has(name));
    if (sender !== leader && !direct.has(sender)) sendTo.add(leader);
  }

  if (chat === 'public') sendTo.add(MESSAGE_TO_ALL);
  else sendTo.delete(MESSAGE_TO_ALL);
  route.copy = decorated(message, sendTo);
}

/** What is said to all and to nobody in particular is an answer to the person. */
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

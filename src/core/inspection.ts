import type { MessageData } from './message.js';

/** The decision of one role to react to a message or not, with the reason in words for users. */
export interface MessageReaction {
  role: string;
  reacts: boolean;
  /** Completes the sentence that begins with the role's name: `is addressed by name`. */
  why: string;
}

/** The result of publishing one message. */
export interface MessageTrace {
  message: MessageData;
  /** Names of the roles that received it. */
  recipients: string[];
  /** One for each role at that time, in the order in which the roles were added. */
  reactions: MessageReaction[];
}

/** A message whose recipients do not exist, or already have too many messages waiting. */
export interface DeadLetter {
  message: MessageData;
  /** The names it did not reach; other recipients may have received it. */
  undeliverable: string[];
}

/** Which roles received each message, and why they react to it. Contains the newest messages only, oldest first. */
export interface Inspection {
  messages: MessageTrace[];
  deadLetters: DeadLetter[];
}

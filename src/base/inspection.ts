import type { MessageData } from './message.js';

/** Whether one role reacts to a message, and why or why not, in words for people. */
export interface MessageReaction {
  role: string;
  reacts: boolean;
  /** Completes the sentence that begins with the role's name: `is addressed by name`. */
  why: string;
}

/** What became of one published message when it was published. */
export interface MessageTrace {
  message: MessageData;
  /** Names of the roles that received it. */
  recipients: string[];
  /** One for each role there was, in the order they were taken in. */
  reactions: MessageReaction[];
}

/** A message with recipients nobody here has the name of, or for whom too many messages wait already. */
export interface DeadLetter {
  message: MessageData;
  /** The names it did not reach; others it was sent to may have received it. */
  undeliverable: string[];
}

/** Who received what, and why which role goes to work on it. The newest messages only, oldest first. */
export interface Inspection {
  messages: MessageTrace[];
  deadLetters: DeadLetter[];
}

import { commandWords } from '../core/activity.js';

/** The texts of `<rolezero-chat>`, for other languages. */
export interface ChatWords {
  /** Name of the user's messages for screen readers. */
  you: string;
  /** Heading of a thought. */
  thought: string;
  /** Placeholder and name of the field for requests. */
  placeholder: string;
  send: string;
  stop: string;
  /** Continues interrupted work. */
  resume: string;
  /** Explains `resume`. */
  interrupted: string;
  attach: string;
  /** Removes a file before it is sent. */
  remove: (name: string) => string;
  /** Adds earlier messages above. */
  showOlder: string;
  /** Heading of a question. */
  asks: (role: string) => string;
  /** Heading of an approval request. */
  asksApproval: (role: string) => string;
  approve: string;
  deny: string;
  answer: string;
  yourAnswer: string;
  files: string;
  download: (path: string) => string;
  input: string;
  output: string;
  /** What a command does, such as "Writing /index.html". */
  command: (name: string, args: Record<string, unknown>) => string;
  /** States of a command, for screen readers. */
  states: Record<'running' | 'done' | 'failed' | 'denied', string>;
  /** Shown while there is no session. */
  opening: string;
}

export const ENGLISH: ChatWords = {
  you: 'You',
  thought: 'Thought',
  placeholder: 'What should be done?',
  send: 'Send',
  stop: 'Stop',
  resume: 'Continue',
  interrupted: 'The work was interrupted.',
  attach: 'Attach files',
  remove: (name) => `Remove ${name}`,
  showOlder: 'Show earlier messages',
  asks: (role) => `${role} asks`,
  asksApproval: (role) => `${role} asks for approval`,
  approve: 'Approve',
  deny: 'Deny',
  answer: 'Answer',
  yourAnswer: 'Your answer',
  files: 'Files',
  download: (path) => `Download ${path}`,
  input: 'Input',
  output: 'Output',
  command: commandWords,
  states: { running: 'running', done: 'done', failed: 'failed', denied: 'denied' },
  opening: 'Opening the session…',
};

import type { RunFacts } from '../core/events.js';
import type { Question } from '../core/human.js';
import type { Purpose } from '../core/model.js';

/** The texts of `<rolezero-chat>`, for other languages. */
export interface ChatWords {
  /** Name of the conversation for screen readers. */
  conversation: string;
  /** Name of the user's messages for screen readers. */
  you: string;
  /** Name of a step for screen readers, after that of the role. */
  step: string;
  /** Heading of a thought. */
  thought: string;
  /** Heading of a thought that streams in. */
  thinking: string;
  /** Name of the part that streams in, for screen readers. */
  beingWritten: string;
  /** Work of the model that is not part of the conversation. */
  asides: Partial<Record<Purpose, string>>;
  /** Name of the buttons at a request, for screen readers. */
  requestActions: string;
  /** Changes a request. */
  edit: string;
  /** Says what changing a request does. */
  editHint: string;
  cancel: string;
  /** Says that the agent has not read a request yet. */
  waiting: (isRunning: boolean) => string;
  /** Takes such a request back. */
  withdraw: string;
  /** Stores the changed words of such a request. */
  save: string;
  /** Says that the agent has read it while the user changed it. */
  readMeanwhile: string;
  /** Sends a request again. */
  regenerate: string;
  copy: string;
  copied: string;
  /** In place of a diagram that cannot be seen. */
  diagramAlt: string;
  /** Which version of a request is shown, for screen readers. */
  version: (shown: number, count: number) => string;
  versionBefore: string;
  versionAfter: string;
  search: string;
  /** Which match of a search is shown, of how many. */
  found: (shown: number, count: number) => string;
  searchOlder: string;
  searchNewer: string;
  searchClose: string;
  /** Heading of the changes of a run. */
  changedFiles: (count: number) => string;
  /** Number of changed lines, for screen readers. */
  changedLines: (added: number, removed: number) => string;
  /** Changed lines that are not shown. */
  moreLines: (count: number) => string;
  /** Says that the lines of a file cannot be compared. */
  noLines: string;
  undo: string;
  redo: string;
  undone: string;
  /** What Undo is about, for screen readers, when it is a whole run. */
  allFiles: string;
  /** Says that the user has changed the same since. */
  conflict: (paths: readonly string[]) => string;
  /** Three ways out of it. */
  keepNow: string;
  takeRestored: string;
  keepBoth: string;
  /** Effects outside the session that going back does not take back. */
  effectsRemain: (commands: readonly string[]) => string;
  /** Name of the field for requests, for screen readers. */
  request: string;
  /** Placeholder of that field. */
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
  /** What an approval is about; `question.facts` has it as data. */
  approval: (question: Question) => string;
  /** Why the user is asked, and who may have asked for it. */
  reason: (question: Question) => string | undefined;
  /** What could be disclosed, and to whom. */
  disclosure: (question: Question) => string | undefined;
  /** What a yes covers that lasts longer than once. */
  coverage: (question: Question) => string | undefined;
  /** Name of the whole command of an approval, for screen readers. */
  details: string;
  /** Says that the whole command has more lines than are visible at once. */
  linesToRead: (count: number) => string;
  approve: string;
  /** A yes for this command alone, where it could hold longer. */
  approveOnce: string;
  /** A yes for the rest of the run, and of the session. */
  approveRun: string;
  approveSession: string;
  deny: string;
  /** Placeholder of the field for the reason of a denial, which the model reads. */
  denyReason: string;
  /** Unfolds the fields with the arguments of a command. */
  changeArguments: string;
  /** A yes for the command with the changed arguments, once. */
  approveChanged: string;
  /** Says that the text of an argument is not JSON of the same kind as before. */
  notJson: string;
  /** Unfolds the list of what the user has allowed. */
  allowed: (count: number) => string;
  /** An entry of that list, such as "Zero may open evil.test". */
  allowedTo: (approval: { role: string; text: string }) => string;
  /** How long an entry holds. */
  untilRunEnds: string;
  untilSessionEnds: string;
  /** Takes an entry back. */
  revoke: string;
  answer: string;
  yourAnswer: string;
  /** Placeholder of the field for an answer beside options. */
  ownAnswer: string;
  /** Placeholder of the field for an answer that may be empty. */
  ifEmpty: (answer: string) => string;
  /** Heading of an answered question. */
  asked: (role: string) => string;
  /** Heading of an answer. */
  answered: string;
  /** Heading of the end of the work. */
  finished: string;
  /** The same when the last step that worked has failed commands. */
  finishedWithFailures: (commands: number) => string;
  /** The end of the work of a role that does not report to the user. */
  roleDone: (role: string) => string;
  /** The closing words are being written. */
  summingUp: string;
  /** Heading of a message between roles. */
  to: (from: string, to: string) => string;
  files: string;
  download: (path: string) => string;
  output: string;
  /** What a command does, such as "Writing"; its path or command line follows. Undefined: the verb of the tool, in English. */
  action: (name: string, isDone: boolean) => string | undefined;
  /** States of a command, for screen readers. */
  states: Record<'waiting' | 'running' | 'ok' | 'failed', string>;
  /** Number of lines that are being written. */
  lines: (count: number) => string;
  /** End of a text that is not shown whole. */
  moreCharacters: (count: number) => string;
  /** A reply that could not be read. */
  noCommands: string;
  /** What happened in a run, in a line below its end. */
  facts: (facts: RunFacts) => string;
  /** The number of recalled memories. */
  recalled: (count: number) => string;
  /** A warning. Its text is empty for `exhausted`: the run has reached its limit. */
  warning: (notice: { code: string; text: string }) => string;
  /**
   * The cause of an error in one sentence, and what to do, by its code; for errors of a model's server also by `rate-limit` (429), `model-key`
   * (401, 403), `model-path` (404), `model-broken`, `content-filter` and `another-model`, which the user has asked for. Without a cause the
   * message of the error is shown.
   */
  error: (code: string) => { cause?: string | undefined; advice?: string | undefined };
  /** Unfolds the message of the error below its cause. */
  errorDetails: string;
  /** Shown while there is no session. */
  opening: string;
}

/** Maximum number of files that the facts name. */
const MAX_FACTS = 8;
const CHANGE_WORDS = { created: 'Created', changed: 'Changed', removed: 'Removed' };

export const ENGLISH_CHAT: ChatWords = {
  conversation: 'Conversation',
  you: 'You',
  step: 'Step',
  thought: 'Thought',
  thinking: 'Thinking…',
  beingWritten: 'Being written',
  asides: {
    classify: 'Classifying the request…',
    language: 'Detecting the language…',
    summary: 'Summarizing…',
    report: 'Writing the final message…',
    repair: 'Repairing the reply…',
  },
  requestActions: 'Change this request',
  edit: 'Edit',
  editHint:
    'Files and the plan go back to how they were before this request. You can return to what is here now.',
  cancel: 'Cancel',
  waiting: (isRunning) =>
    isRunning ? 'Waiting: it is read after the current step' : 'Waiting: it is read when the run continues',
  withdraw: 'Withdraw',
  save: 'Save',
  readMeanwhile: 'The agent has read it meanwhile: what you send now is another request.',
  regenerate: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  diagramAlt: 'Diagram',
  version: (shown, count) => `Version ${shown} of ${count}`,
  versionBefore: 'Version before',
  versionAfter: 'Version after',
  search: 'Search in the conversation',
  found: (shown, count) => (count === 0 ? 'Not found' : `${shown} of ${count}`),
  searchOlder: 'Older match',
  searchNewer: 'Newer match',
  searchClose: 'Close the search',
  changedFiles: (count) => (count === 1 ? '1 file changed' : `${count} files changed`),
  changedLines: (added, removed) => `${added} lines added, ${removed} removed`,
  moreLines: (count) => `… ${count} more lines`,
  noLines: 'The lines of this file cannot be compared.',
  undo: 'Undo',
  redo: 'Redo',
  undone: 'Undone',
  allFiles: 'all files of this request',
  conflict: (paths) => `You have changed this since then: ${paths.join(', ')}`,
  keepNow: 'Keep my version',
  takeRestored: 'Discard my changes',
  keepBoth: 'Keep both, marked',
  effectsRemain: (commands) => `Not taken back, because it happened outside: ${commands.join(', ')}.`,
  request: 'Your request',
  placeholder: 'What should be done?',
  send: 'Send',
  stop: 'Stop',
  resume: 'Continue',
  interrupted: 'The run was interrupted.',
  attach: 'Attach files',
  remove: (name) => `Remove ${name}`,
  showOlder: 'Show older',
  asks: (role) => `${role} asks`,
  asksApproval: (role) => `${role} needs your approval`,
  approval: ({ text }) => text,
  reason: ({ reason }) => reason,
  disclosure: ({ disclosure }) => disclosure,
  coverage: ({ coverage }) => coverage,
  details: 'What it would do',
  linesToRead: (count) => `All ${count} lines are shown; scroll to read them.`,
  approve: 'Approve',
  approveOnce: 'Approve once',
  approveRun: 'Approve until your request is done',
  approveSession: 'Approve for the whole conversation',
  deny: 'Deny',
  denyReason: 'If you deny: what to do instead',
  changeArguments: 'Change it before you approve',
  approveChanged: 'Approve as changed, once',
  notJson: 'Write the value in the same form as before: a number, true or false, or JSON.',
  allowed: (count) => (count === 1 ? 'You have allowed 1 thing' : `You have allowed ${count} things`),
  allowedTo: ({ role, text }) => `${role} may ${text}`,
  untilRunEnds: 'until your request is done',
  untilSessionEnds: 'for the whole conversation',
  revoke: 'Revoke',
  answer: 'Answer',
  yourAnswer: 'Your answer',
  ownAnswer: 'Or type your own answer',
  ifEmpty: (answer) => `If empty: ${answer}`,
  asked: (role) => `${role} asked`,
  answered: 'You answered',
  finished: 'Finished',
  finishedWithFailures: (commands) =>
    commands === 1 ? 'Finished, but the last command failed' : `Finished, but ${commands} commands failed`,
  roleDone: (role) => `${role} is done.`,
  summingUp: 'Summarizing…',
  to: (from, to) => `${from} to ${to}`,
  files: 'Files',
  download: (path) => `Download ${path}`,
  output: 'output',
  action: () => undefined,
  states: { waiting: 'no result yet', running: 'running', ok: 'done', failed: 'failed' },
  lines: (count) => (count === 1 ? '1 line' : `${count} lines`),
  moreCharacters: (count) => `… ${count} more characters`,
  noCommands: 'This reply contained no commands; the model was notified.',
  facts: ({ files, fileCount, pages, commands, failures }) =>
    [
      ...files.slice(0, MAX_FACTS).map(({ path, change }) => `${CHANGE_WORDS[change]} ${path}.`),
      ...(fileCount > MAX_FACTS ? [`Changed ${fileCount - MAX_FACTS} more files.`] : []),
      ...(fileCount === 0 ? ['No files were changed.'] : []),
      ...(pages.length === 0 ? [] : [`Opened ${pages.length === 1 ? '1 page' : `${pages.length} pages`}.`]),
      ...(failures === 0 ? [] : [`${failures} of ${commands} commands failed.`]),
    ].join(' '),
  recalled: (count) => (count === 1 ? 'Recalled 1 memory.' : `Recalled ${count} memories.`),
  warning: ({ text }) => text || 'The run reached its limit.',
  error: () => ({}),
  errorDetails: 'Details',
  opening: 'Opening the session…',
};

/** Returns all texts: missing ones are English, and a command without words has the verb of its tool. */
export function allWords(
  words: Partial<ChatWords>,
  verbOf: (command: string) => string | undefined,
): ChatWords {
  return {
    ...ENGLISH_CHAT,
    ...words,
    action: (name, isDone) => words.action?.(name, isDone) ?? verbOf(name),
  };
}

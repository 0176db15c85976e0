import type { Permission } from '../core/events.js';
import type { Purpose } from '../core/model.js';

/** The texts of `<rolezero-inspector>`, for other languages. */
export interface InspectorWords {
  /** Name of the element for screen readers. */
  inspector: string;
  steps: string;
  approvals: string;
  storage: string;
  /** Shown while there is no session. */
  opening: string;
  noSteps: string;
  /** A step of a request, from 1. */
  step: (number: number) => string;
  /** A step without a number: closing words, or an answer without work. */
  answer: string;
  purposes: Partial<Record<Purpose, string>>;
  /** The tokens of a call, or of all. */
  tokens: (sent: { prompt: string; cached: string; completion: string; share: string }) => string;
  calls: (count: number) => string;
  estimated: string;
  /** Works on the request again, with new replies from this step on. */
  replay: string;
  replayHint: string;
  prompt: string;
  /** The prompt is no longer in memory. */
  promptGone: string;
  characters: (count: string) => string;
  images: (count: number) => string;
  tools: (count: number) => string;
  schema: string;
  reply: string;
  cut: string;
  /** Calls in the native form of the model's server. */
  nativeCalls: string;
  commands: string;
  arguments: string;
  output: string;
  failed: string;
  /** The command had, or may have had, an effect outside the session. */
  outside: string;
  /** Untrusted sources of a result. */
  untrusted: (sources: readonly string[]) => string;
  answers: string;
  allowed: string;
  nothingAllowed: string;
  lifetimes: Record<Permission['lifetime'], string>;
  revoke: string;
  decisions: string;
  noDecisions: string;
  decision: (permission: Permission) => string;
  /** Heading of the untrusted sources that the roles have read. */
  sources: string;
  noSources: string;
  files: (count: number, bytes: string) => string;
  history: (entries: number, bytes: string) => string;
  memories: (count: number, pinned: number) => string;
  used: (used: string, quota: string) => string;
  persisted: string;
  notPersisted: string;
  export: string;
}

const DECISIONS: Record<Permission['decision'], string> = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' };

export const ENGLISH_INSPECTOR: InspectorWords = {
  inspector: 'Inspector',
  steps: 'Steps',
  approvals: 'Approvals and labels',
  storage: 'Storage',
  opening: 'Opening the session…',
  noSteps: 'No steps yet.',
  step: (number) => `Step ${number}`,
  answer: 'Answer',
  purposes: {},
  tokens: ({ prompt, cached, completion, share }) =>
    `${prompt} tokens sent (${cached} cached, ${share}), ${completion} received`,
  calls: (count) => (count === 1 ? '1 model call' : `${count} model calls`),
  estimated: 'estimated',
  replay: 'Replay from this step',
  replayHint:
    'Goes back to before the request, repeats the replies of the steps before, and asks the model from this step on. Effects outside the session happen again.',
  prompt: 'Prompt as sent',
  promptGone: 'This prompt is no longer in memory: the newest 100 are, while the session is open.',
  characters: (count) => `${count} characters`,
  images: (count) => (count === 1 ? '1 image' : `${count} images`),
  tools: (count) => (count === 1 ? '1 tool' : `${count} tools`),
  schema: 'with a schema for the reply',
  reply: 'Reply as received',
  cut: 'cut off at a limit',
  nativeCalls: 'Native calls',
  commands: 'Commands',
  arguments: 'Arguments',
  output: 'Result as the model reads it',
  failed: 'failed',
  outside: 'effect outside the session',
  untrusted: (sources) => `untrusted: ${sources.join(', ')}`,
  answers: 'Answers of the user',
  allowed: 'Allowed now',
  nothingAllowed: 'Nothing beyond the rules of the application.',
  lifetimes: { once: 'once', run: 'until the request is done', session: 'for the whole session' },
  revoke: 'Revoke',
  decisions: 'Decisions',
  noDecisions: 'No rule objected to a command.',
  decision: ({ decision, answer }) =>
    `${DECISIONS[decision]}${answer === null ? '' : answer === 'no-user' ? ', no user was connected' : `, the user answered ${answer}`}`,
  sources: 'Untrusted sources that were read',
  noSources: 'None.',
  files: (count, bytes) => `${count === 1 ? '1 file' : `${count} files`}, ${bytes}`,
  history: (entries, bytes) => `${entries} changes can be undone, ${bytes}`,
  memories: (count, pinned) => `${count} older memories, ${pinned} pinned`,
  used: (used, quota) => `This site uses ${used} of ${quota}`,
  persisted: 'The browser keeps the data when space is low.',
  notPersisted: 'The browser may delete the data when space is low.',
  export: 'Export the session',
};

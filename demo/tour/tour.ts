import type { Question } from 'rolezero';

/** One recorded reply; some depend on the user's last answer. */
type Recorded = string | ((answer: string) => string);

/** The replies of one role to a request. */
export interface Scene {
  replies: readonly Recorded[];
}

/** The parts of the workbench that a tour can point to. */
export type Tab = 'preview' | 'files' | 'terminal' | MoreTab;
export type MoreTab = 'memory' | 'notes' | 'team' | 'timeline' | 'inspector';

/** A recorded run: the user's requests in order, and the replies of each role's model. */
export interface Tour {
  requests: readonly string[];
  /** One scene per request, by role name. */
  roles: Readonly<Record<string, readonly Scene[]>>;
  /** Answers of the user, by the text of the question. */
  answers?: Readonly<Record<string, string>>;
  /** The part to show at each step. */
  looks: readonly Tab[];
  /** Files of the user, added to the session before it starts. */
  files?: Readonly<Record<string, string>>;
  /** Ask before shell commands. */
  asks?: boolean;
  /** Messages in the window; older ones move to long-term memory. */
  memoryWindow?: number;
  /** After this many steps the page is reloaded, in the middle of the next thought. */
  reloadAfter?: number;
}

export type Command = readonly [name: string, args: Record<string, unknown>];

/** A reply as a model writes it: a thought, and commands in a fence. */
export function reply(thought: string, ...commands: readonly Command[]): string {
  const list = commands.map(([name, args]) => ({ command_name: name, args }));
  return `${thought}\n\n\`\`\`json\n${JSON.stringify(list, null, 2)}\n\`\`\``;
}

export function task(id: string, after: string[], instruction: string, assignee = 'Zero'): Command {
  return ['Plan.append_task', { task_id: id, dependent_task_ids: after, instruction, assignee }];
}

export function say(content: string): Command {
  return ['RoleZero.reply_to_human', { content }];
}

export const write = (path: string, content: string): Command => ['Editor.write', { path, content }];
export const finishTask: Command = ['Plan.finish_current_task', {}];
export const end: Command = ['end', {}];

/** The user's answer in the recorded run: approvals were granted. Null for a question that was not recorded. */
export function recordedAnswer(
  { answers = {} }: Tour,
  { kind, text }: Pick<Question, 'kind' | 'text'>,
): string | null {
  if (kind === 'approval') return 'yes';
  return Object.hasOwn(answers, text) ? (answers[text] ?? null) : null;
}

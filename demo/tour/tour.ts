import type { Question } from 'rolezero';

/** One recorded reply; some depend on what the user answered last. */
type Recorded = string | ((answer: string) => string);

/** What one role said while a request was worked on. */
export interface Scene {
  replies: readonly Recorded[];
  /** Its words at the end; empty for a role that is not asked for them. */
  summary: string;
}

/** The parts of the workbench that a tour can point to. */
export type Tab = 'plan' | 'files' | 'preview' | 'terminal' | 'memory' | 'team' | 'timeline';

/** A recorded run: what the user asks for, one after the other, and what the model of each role said. */
export interface Tour {
  requests: readonly string[];
  /** One scene for each request, by the name of the role. */
  roles: Readonly<Record<string, readonly Scene[]>>;
  /** What the user answered, by the text of the question. */
  answers?: Readonly<Record<string, string>>;
  /** Where to look at each step. */
  looks: readonly Tab[];
  /** The user's own files, put into the session before it begins. */
  files?: Readonly<Record<string, string>>;
  /** A leader and two members instead of one role. */
  team?: boolean;
  /** Ask before commands of the shell. */
  asks?: boolean;
  /** Messages that stay at hand; older ones move to long-term memory. */
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

/** What the user answered in the recorded run: approvals were given. Null for a question that was not recorded. */
export function recordedAnswer(
  { answers = {} }: Tour,
  { kind, text }: Pick<Question, 'kind' | 'text'>,
): string | null {
  if (kind === 'approval') return 'yes';
  return Object.hasOwn(answers, text) ? (answers[text] ?? null) : null;
}

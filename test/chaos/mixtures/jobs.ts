import * as z from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZeroError } from '../../../src/core/error.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import type { Tool } from '../../../src/core/tool.js';
import { commands } from '../../../src/testing/scripted-model.js';

/** What the model does in one step. `wait` replies after `Surroundings.gate`, `fail` is an error of the server, `garbled` is no JSON. */
export const TASKS = [
  'write',
  'append',
  'read',
  'ask',
  'mail',
  'note',
  'forget',
  'plan',
  'wait',
  'fail',
  'garbled',
] as const;
export type Task = (typeof TASKS)[number];

/** What a model and its tools have from outside. */
export interface Surroundings {
  /** Resolves when a reply may go on. */
  gate: () => Promise<void>;
  /** Resolves a little later, in an order that varies. */
  pause: () => Promise<void>;
  /** Records an effect outside the session. */
  mail: (to: string) => Promise<void>;
}

/** Paths of files that both the agent and the user change. */
export const PATHS = ['/a.txt', '/b.txt', '/d/c.txt', '/d/e/f.txt'] as const;
/** Also one that is a directory of another. */
const CLASHING = [...PATHS, '/d/e'] as const;

/** Returns one of the paths, some of which exclude each other. */
export function pathOf(number: number): string {
  return CLASHING[number % CLASHING.length] ?? PATHS[0];
}

type Command = readonly [name: string, args: Record<string, JsonValue>];

/** Returns a request that says what to do in each step, such as `Job 7: write 3; mail 12.` */
export function requestOf(job: number, tasks: readonly { task: Task; detail: number }[]): string {
  return `Job ${job}: ${tasks.map(({ task, detail }) => `${task} ${detail}`).join('; ')}.`;
}

const CALLS: Partial<Record<string, string>> = {
  classify: 'Response Category: TASK',
  language: 'English',
  repair: '{{{ not better',
  regenerate: commands(['end', {}]),
};

/** Returns the next task of the newest job, as the conversation alone says, and the reply. */
function nextStep({ purpose, messages }: ChatRequest): { task: Task | null; text: string } {
  if (purpose !== 'think') return { task: null, text: CALLS[purpose] ?? `${purpose}.` };
  const texts = messages.map(({ role, content }) => ({
    isReply: role === 'assistant',
    text: typeof content === 'string' ? content : JSON.stringify(content),
  }));
  let job = 0;
  let tasks: string[] = [];
  for (const { isReply, text } of texts) {
    if (isReply) continue;
    for (const [, number, list = ''] of text.matchAll(/Job (\d+): ([^.\n]*)\./g)) {
      if (Number(number) < job) continue;
      job = Number(number);
      tasks = list.split('; ');
    }
  }
  let done = 0;
  for (const { isReply, text } of texts) {
    if (!isReply) continue;
    for (const [, number, step] of text.matchAll(/Job (\d+), step (\d+)/g))
      if (Number(number) === job) done = Math.max(done, Number(step));
  }
  const thought = `Job ${job}, step ${done + 1}.`;
  const [task, detail] = (tasks[done] ?? '').split(' ') as [Task | '', string?];
  if (task === '') {
    const last = commands(['RoleZero.reply_to_human', { content: `Job ${job} is done.` }], ['end', {}]);
    return { task: null, text: `${thought}\n${last}` };
  }
  if (task === 'garbled') return { task, text: `${thought}\n[{"command_name": {{{ ` };
  return { task, text: `${thought}\n${commands(...commandsOf(task, Number(detail), job))}` };
}

function commandsOf(task: Task, detail: number, job: number): Command[] {
  const path = pathOf(detail);
  switch (task) {
    case 'write':
      return [['Editor.write', { path, content: linesOf(detail) }]];
    case 'append':
      return [['Editor.append_file', { path, content: `agent ${job}` }]];
    case 'ask':
      return [['RoleZero.ask_human', { question: `Which of ${detail}?` }]];
    case 'mail':
      return [['Mail.send', { to: `m${detail}` }]];
    case 'note':
      return [['Notes.write', { kind: 'fact', text: `agent note ${detail}` }]];
    case 'forget':
      return [['Notes.read', { query: 'note' }]];
    case 'plan':
      return [
        [
          'Plan.append_task',
          {
            task_id: `${job}.${detail}`,
            dependent_task_ids: [],
            instruction: `part ${detail}`,
            assignee: 'Zero',
          },
        ],
      ];
    default:
      return [['Editor.read', { path }]];
  }
}

/** Lines that depend on a number, so that versions of a file differ in some of them. Some files are so long that they have a row of their own. */
export function linesOf(detail: number): string {
  return Array.from(
    { length: detail % 4 === 0 ? 150 : 4 },
    (_, line) => `line ${line} ${(detail >> line) % 3}\n`,
  ).join('');
}

/** A model whose replies depend on the conversation only. When it replies depends on its surroundings. */
export function jobModel(around: Surroundings): ChatModel {
  return {
    id: 'jobs',
    contextWindow: 60_000,
    countTokens: async (text) => Math.ceil(text.length / 4),
    async *chat(request: ChatRequest) {
      const { signal } = request;
      const { task, text } = nextStep(request);
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      const until = async (other: Promise<void>): Promise<void> => {
        await Promise.race([other, stopped]);
        if (signal.aborted) throw new RoleZeroError('aborted', 'Stopped.', {}, signal.reason);
      };
      await until(around.pause());
      if (task === 'wait') await until(around.gate());
      if (task === 'fail') throw new RoleZeroError('model-request', 'The server failed.', {});
      const half = Math.ceil(text.length / 2);
      yield { type: 'text-delta', text: text.slice(0, half) };
      await until(around.pause());
      yield { type: 'text-delta', text: text.slice(half) };
      yield { type: 'usage', promptTokens: 90, completionTokens: 6, costUsd: 0.001 };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** A tool with an effect outside the session. After a crash, the user decides whether it runs again. */
export function mailTool(around: Surroundings): Tool {
  return defineTool({
    name: 'Mail.send',
    description: 'Sends a mail.',
    input: z.object({ to: z.string() }),
    effect: 'egress-write',
    replay: 'unsafe',
    onAmbiguous: 'ask',
    async run({ to }) {
      await around.pause();
      await around.mail(to);
      await around.pause();
      return `sent to ${to}`;
    },
  });
}

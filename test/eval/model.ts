/** Scripted models for the tasks, behind an HTTP server with the OpenAI protocol: for the agent, and for a loop of tool calls. */
import { PROMPTS } from '../../src/agent/prompt/prompts.js';
import { formatCommands } from '../../src/agent/commands/format-commands.js';
import type { Command } from '../../src/core/human.js';
import type { Task } from '../../scripts/eval/task.js';
import { ALL_TASKS } from '../../scripts/eval/tasks/index.js';
import {
  done,
  finish as finishReply,
  json,
  streaming,
  text,
  usage,
  type Reply,
} from '../fault-server/replies.js';
import type { Action, Solution, Steps } from './solution.js';

interface Message {
  role: string;
  content: string | { text?: string }[] | null;
}

/** A request to the model, as far as a script needs it. */
interface ModelRequest {
  task: Task;
  /** The request of the task that is worked on, counted from 0. */
  at: number;
  /** The next step of it, counted from 0. */
  step: number;
  /** The loop has tools of the protocol, as the AI SDK does. */
  hasTools: boolean;
  /** The agent asks for an answer without work. */
  isQuick: boolean;
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');

/** The words with which a step begins. They also tell how far the work is. */
const marker = (at: number, step: number): string => `Request ${at + 1}, step ${step + 1}.`;

/**
 * Reads a request of either loop: scripts have no state, so that tasks may run at the same time. Null for one without
 * the conversation, such as that for a repair.
 */
export function readRequest(body: unknown): ModelRequest | null {
  const { messages, tools } = body as { messages: Message[]; tools?: unknown[] };
  const [asked, replied] = [
    messages.filter(({ role }) => role !== 'assistant').map(textOf),
    messages.filter(({ role }) => role === 'assistant').map(textOf),
  ];
  for (const task of ALL_TASKS) {
    const at = task.requests.findLastIndex((request) => asked.some((content) => content.includes(request)));
    if (at < 0) continue;
    const step = replied.filter((content) => content.startsWith(`Request ${at + 1}, step `)).length;
    const isQuick = asked.at(-1)?.startsWith(PROMPTS.quickAnswer.slice(0, 40)) ?? false;
    return { task, at, step, hasTools: tools !== undefined, isQuick };
  }
  return null;
}

/** The reply of a model that solves every task. */
export function solvingReply(
  solutions: Readonly<Record<string, Solution>>,
): (request: { body: unknown }) => Reply {
  return ({ body }) => {
    const request = readRequest(body);
    if (request === null) throw new Error('No task has this request.');
    return nextReply(request, solutions[request.task.id] ?? []);
  };
}

/** The next reply of a solution. */
function nextReply(request: ModelRequest, solution: Solution): Reply {
  const { at, step, hasTools, isQuick } = request;
  const steps = solution[at] ?? [];
  const actions = steps[step] ?? [{ do: 'say', text: 'Nothing is left to do.' }];
  if (hasTools) return toolReply(marker(at, step), actions, steps, step);
  const [first] = actions;
  if (isQuick)
    return streamed(steps.length === 1 && first?.do === 'say' ? first.text : '[{"command_name": "begin"}]');
  const commands = actions.flatMap(commandsOf);
  if (step >= steps.length - 1) commands.push({ name: 'end', args: {} });
  return streamed(`${marker(at, step)}\n${formatCommands(commands)}`);
}

/** A streamed reply of the agent's model. */
export function streamed(words: string): Reply {
  return [streaming, text(words), finishReply(), usage(100, 10), done];
}

/** A complete reply with a text and calls of tools. */
export function whole(content: string, calls: readonly { name: string; args: object }[]): Reply {
  const tool_calls = calls.map(({ name, args }, index) => ({
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return json(200, {
    id: 'reply',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
        message: { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls }) },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  });
}

function commandsOf(action: Action): Command[] {
  switch (action.do) {
    case 'write':
      return [{ name: 'Editor.write', args: { path: action.path, content: action.content } }];
    case 'read':
      return [{ name: 'Editor.read', args: { path: action.path } }];
    case 'run':
      return [{ name: 'Terminal.run_command', args: { cmd: action.cmd } }];
    case 'open':
      return [{ name: 'Browser.goto', args: { url: action.url } }];
    case 'ask':
      return [{ name: 'RoleZero.ask_human', args: { question: action.question } }];
    case 'plan':
      return action.tasks.map((instruction, index) => ({
        name: 'Plan.append_task',
        args: {
          task_id: String(index + 1),
          dependent_task_ids: index === 0 ? [] : [String(index)],
          instruction,
          assignee: 'Zero',
        },
      }));
    case 'finish':
      return [{ name: 'Plan.finish_current_task', args: {} }];
    case 'say':
      return [{ name: 'RoleZero.reply_to_human', args: { content: action.text } }];
  }
}

function toolReply(thought: string, actions: readonly Action[], steps: Steps, step: number): Reply {
  const answers = actions.flatMap((action) => (action.do === 'say' ? [action.text] : []));
  const before = steps.slice(0, step).flat();
  const calls = actions.flatMap((action, index) => {
    const soFar = [...before, ...actions.slice(0, index + 1)];
    return callsOf(action, soFar);
  });
  return whole([thought, ...answers].join('\n'), calls);
}

/** @param soFar the actions up to this one */
function callsOf(action: Action, soFar: readonly Action[]): { name: string; args: object }[] {
  switch (action.do) {
    case 'write':
      return [{ name: 'write_file', args: { path: action.path, content: action.content } }];
    case 'read':
      return [{ name: 'read_file', args: { path: action.path } }];
    case 'open':
      return [{ name: 'open_page', args: { url: action.url } }];
    case 'ask':
      return [{ name: 'ask_user', args: { question: action.question } }];
    case 'plan':
    case 'finish': {
      const planned = soFar.findLast((each) => each.do === 'plan')?.tasks ?? [];
      const finished = soFar.filter((each) => each.do === 'finish').length;
      const tasks = planned.map((words, index) => ({ text: words, done: index < finished }));
      return [{ name: 'update_plan', args: { tasks } }];
    }
    case 'run': // The loop of the AI SDK has no terminal.
    case 'say':
      return [];
  }
}

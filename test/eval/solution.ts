import type { PlannedTask, Result, Task } from '../../scripts/eval/task.js';

/** One thing that a scripted model does, in any loop. */
export type Action =
  | { do: 'write'; path: string; content: string }
  | { do: 'read'; path: string }
  | { do: 'run'; cmd: string }
  | { do: 'open'; url: string }
  | { do: 'ask'; question: string }
  | { do: 'plan'; tasks: readonly string[] }
  | { do: 'finish' }
  | { do: 'say'; text: string };

/** The steps of one request: what is done in one reply each. */
export type Steps = readonly (readonly Action[])[];

/** The steps for each request of a task. */
export type Solution = readonly Steps[];

export const write = (path: string, content: string): Action => ({ do: 'write', path, content });
export const read = (path: string): Action => ({ do: 'read', path });
export const run = (cmd: string): Action => ({ do: 'run', cmd });
export const open = (url: string): Action => ({ do: 'open', url });
export const ask = (question: string): Action => ({ do: 'ask', question });
export const plan = (...tasks: string[]): Action => ({ do: 'plan', tasks });
export const finish: Action = { do: 'finish' };
export const say = (text: string): Action => ({ do: 'say', text });

/** The text that a request ends with. */
export const DONE = say('Done.');

/** Work in one reply, and a reply to the user in the next. */
export const once = (...actions: Action[]): Steps => [actions, [DONE]];

/** The same for files that exist: each is read before it is replaced. */
export const rewriting = (...actions: Action[]): Steps =>
  once(...actions.flatMap((action) => (action.do === 'write' ? [read(action.path), action] : [action])));

/** The result of a solution without programs, computed without a loop. */
export function resultOf(task: Task, solution: Solution): Result {
  const files: Record<string, string> = { ...task.files };
  const questions: string[] = [];
  let tasks: PlannedTask[] = [];
  let answer = '';
  for (const steps of solution) {
    answer = '';
    for (const action of steps.flat()) {
      if (action.do === 'write') files[action.path] = action.content;
      if (action.do === 'ask') questions.push(action.question);
      if (action.do === 'say') answer += action.text;
      if (action.do === 'plan') tasks = action.tasks.map((text) => ({ text, done: false }));
      const next = tasks.findIndex(({ done }) => !done);
      if (action.do === 'finish')
        tasks = tasks.map((each, at) => (at === next ? { ...each, done: true } : each));
    }
  }
  return { files, questions, plan: tasks, answer, printed: '' };
}

/** The same solution with another content in every file. */
export function withContent(solution: Solution, content: string): Solution {
  return solution.map((steps) =>
    steps.map((actions) =>
      actions.map((action) => (action.do === 'write' ? { ...action, content } : action)),
    ),
  );
}

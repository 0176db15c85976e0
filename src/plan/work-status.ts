import type { Plan } from './plan.js';
import { taskType } from './task-types.js';

/** Parts of the work status that can be left out: all code, or the results of finished tasks and of the current one. */
export type WorkStatusPart = 'code' | 'task_result';

/**
 * What was done so far and what is to be done now, for whoever works on the current task (spec 10, `get_plan_status`). Without a current
 * task its sections are empty; what is left out is said to be.
 */
export function workStatus(plan: Plan, exclude: readonly WorkStatusPart[] = []): string {
  const current = plan.currentTask;
  const finished = plan.getFinishedTasks();
  const hideCode = exclude.includes('code');
  const hideResult = exclude.includes('task_result');
  const code = hideCode ? LEFT_OUT.code : finished.map((task) => withoutComments(task.code)).join('\n\n');
  const results = hideResult ? LEFT_OUT.result : finished.map((task) => task.result.trim()).join('\n\n');
  return `## Finished Tasks
### code
${fenced(code)}

### execution result
${results}

## Current Task
${current?.instruction ?? ''}

## Finished Section of Current Task
### code
${fenced(hideCode ? LEFT_OUT.code : (current?.code.trim() ?? ''))}
### execution result
${hideResult ? LEFT_OUT.result : (current?.result.trim() ?? '')}

## Task Guidance
${taskType(current?.taskType ?? '')?.guidance ?? ''}`;
}

const LEFT_OUT = { code: '(code left out)', result: '(results left out)' };

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

/**
 * Strings, to step over them (an unclosed one ends with its line or the text), then comments that cannot be mistaken in any common
 * language: lines of `//`, blocks that begin a line, and `#` with space on both sides. Python divides with `//` and JavaScript has
 * fields like `#name`, so a comment behind code is left in where in doubt.
 */
const STRING_OR_COMMENT =
  /("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[^]|[^`\\])*`?)|^[ \t]*\/\/.*|^[ \t]*\/\*[^]*?(?:\*\/|$(?![^]))|(?:^|[ \t])#(?=[\s!]|$).*/gm;

/** Code without comments and blank lines, which only cost tokens. */
function withoutComments(code: string): string {
  return code
    .replace(STRING_OR_COMMENT, (_, string: string | undefined) => string ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

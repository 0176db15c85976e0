import type { Plan } from '../plan/plan.js';
import { taskType } from './task-types.js';

/** Parts of the work status that can be omitted: all code, or the results of finished tasks and the current one. */
export type WorkStatusPart = 'code' | 'task_result';

/**
 * Returns the finished work and the current task for the role that works on it (`get_plan_status` in MetaGPT). Sections are empty without a
 * current task. Omitted parts are replaced by a note.
 */
export function workStatus(plan: Plan, exclude: readonly WorkStatusPart[] = []): string {
  const current = plan.currentTask;
  const finished = plan.getFinishedTasks();
  const hideCode = exclude.includes('code');
  const hideResult = exclude.includes('task_result');
  const code = hideCode ? OMITTED.code : finished.map((task) => withoutComments(task.code)).join('\n\n');
  const results = hideResult ? OMITTED.result : finished.map((task) => task.result.trim()).join('\n\n');
  return `## Finished Tasks
### code
${fenced(code)}

### execution result
${results}

## Current Task
${current?.instruction ?? ''}

## Finished Section of Current Task
### code
${fenced(hideCode ? OMITTED.code : (current?.code.trim() ?? ''))}
### execution result
${hideResult ? OMITTED.result : (current?.result.trim() ?? '')}

## Task Guidance
${taskType(current?.taskType ?? '')?.guidance ?? ''}`;
}

const OMITTED = { code: '(code left out)', result: '(results left out)' };

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

/**
 * Matches strings, so that they can be skipped (an unclosed one ends with its line or the text). Also matches comments that are unambiguous
 * in all common languages: `//` lines, blocks at the start of a line, and `#` with space on both sides. Other trailing comments remain,
 * because Python divides with `//` and JavaScript has fields such as `#name`.
 */
const STRING_OR_COMMENT =
  /("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[^]|[^`\\])*`?)|^[ \t]*\/\/.*|^[ \t]*\/\*[^]*?(?:\*\/|$(?![^]))|(?:^|[ \t])#(?=[\s!]|$).*/gm;

/** Removes comments and blank lines, which only cost tokens. */
function withoutComments(code: string): string {
  return code
    .replace(STRING_OR_COMMENT, (_, string: string | undefined) => string ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

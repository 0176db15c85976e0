import * as names from '../../core/role-command-names.js';
import * as s from '../../core/schema.js';
import { builtInTool, withHints, type Tool } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import { checkClaims, withFacts, checkTaskWork } from './check-claims.js';
import { askHuman, assertMayPlan, replyToHuman } from './user-commands.js';

/** Names of the older MetaGPT command set, which are still accepted, and one that a small model wrote. */
export const LEGACY_NAMES: Record<string, string> = {
  append_task: names.APPEND_TASK,
  reset_task: names.RESET_TASK,
  replace_task: names.REPLACE_TASK,
  finish_current_task: names.FINISH_TASK,
  reply_to_human: names.REPLY_TO_HUMAN,
  ask_human: names.ASK_HUMAN,
  [names.END_IN_GROUP]: names.END,
};

const FINISHED_HINT =
  'The current task is finished. If all tasks are finished and nothing is left to do, use the command end.';

const ALL_FINISHED = ' There was no open task.';
const NO_TASKS = ' The plan has no tasks: what is asked for and not done yet needs your other commands.';

const taskId = s.id();
const taskIds = s.list(taskId);

/** Created once: every role has these commands, and their schemas are cached. */
const INPUTS = {
  appendTask: s.inputSchema(
    s.object({
      task_id: taskId,
      dependent_task_ids: taskIds,
      instruction: s.string(),
      assignee: s.string(),
      task_type: s.optional(s.string()),
    }),
  ),
  resetTask: s.inputSchema(s.object({ task_id: taskId })),
  replaceTask: s.inputSchema(
    s.object({
      task_id: taskId,
      new_dependent_task_ids: taskIds,
      new_instruction: s.string(),
      new_assignee: s.string(),
    }),
  ),
  askHuman: s.inputSchema(
    s.object({
      question: s.string(),
      options: s.optional(s.list(s.string(), { maxItems: 20 })),
      default: s.optional(s.string()),
    }),
  ),
  replyToHuman: s.inputSchema(s.object({ content: s.string() })),
  anything: s.inputSchema(s.looseObject({})),
};

/** Returns the built-in commands of every RoleZero: plan, user, and `end`. */
export function roleCommands(agent: Agent): Tool[] {
  return [
    ...withHints(planCommands(agent), { small: false, changes: 'always' }),
    ...userCommands(agent),
    builtInTool({
      name: names.END,
      hints: { small: { description: 'The work is finished.', place: 13 }, rawResult: true },
      activity: { verb: 'Finishing' },
      description: 'Stop: everything asked for is done, or nothing more can be done.',
      input: INPUTS.anything,
      timeoutMs: Infinity,
      run: () => agent.hooks.end(),
    }),
  ];
}

function planCommands(agent: Agent): Tool[] {
  return [
    builtInTool({
      name: names.APPEND_TASK,
      activity: { verb: 'Adding to the plan:', argument: 'instruction' },
      description:
        'Append a task to the plan. Its dependencies must be in the plan already. Without unfinished tasks it becomes the current one.',
      input: INPUTS.appendTask,
      run: (input) => {
        const { task_id, dependent_task_ids, instruction, assignee, task_type } = input;
        assertMayPlan(agent);
        agent.goals.plan.appendTask(task_id, dependent_task_ids, instruction, assignee, task_type ?? '');
      },
    }),
    builtInTool({
      name: names.RESET_TASK,
      activity: { verb: 'Changing the plan' },
      description: 'Mark a task, and every task that depends on it, as not done.',
      input: INPUTS.resetTask,
      run: ({ task_id }) => agent.goals.plan.resetTask(task_id),
    }),
    builtInTool({
      name: names.REPLACE_TASK,
      activity: { verb: 'Changing the plan:', argument: 'new_instruction' },
      description: 'Replace a task by a new one under the same id; tasks that depend on it are reset.',
      input: INPUTS.replaceTask,
      run: (input) => {
        const { task_id, new_dependent_task_ids, new_instruction, new_assignee } = input;
        const { plan } = agent.goals;
        const old = plan.taskMap.get(task_id);
        const isSame =
          old?.isFinished === false &&
          old.instruction === new_instruction &&
          old.assignee === new_assignee &&
          haveSameIds(old.dependentTaskIds, new_dependent_task_ids);
        if (isSame) return `Nothing changed, the plan has exactly this task. ${plan.adviceToWork(task_id)}`;
        plan.replaceTask(task_id, new_dependent_task_ids, new_instruction, new_assignee);
      },
    }),
    builtInTool({
      name: names.FINISH_TASK,
      hints: { rawResult: true },
      activity: { verb: 'Finishing a task' },
      description: 'Mark the current task as finished; the next one becomes current.',
      input: INPUTS.anything,
      run: () => {
        const { plan } = agent.goals;
        if (plan.isPlanFinished()) return FINISHED_HINT + (plan.tasks.length === 0 ? NO_TASKS : ALL_FINISHED);
        checkTaskWork(agent);
        agent.state.workedOn = '';
        plan.finishCurrentTask();
        return FINISHED_HINT;
      },
    }),
  ];
}

function haveSameIds(ids: readonly string[], others: readonly string[]): boolean {
  return ids.length === others.length && ids.every((id, index) => id === others[index]);
}

function userCommands(agent: Agent): Tool[] {
  return [
    builtInTool({
      name: names.ASK_HUMAN,
      hints: {
        small: { description: 'Ask the user one question, and wait for the answer.', place: 12 },
        changes: 'always',
        rawResult: true,
      },
      activity: { verb: 'Asking you' },
      description:
        'Ask the user and wait for the answer: when you are stuck, unsure what is wanted, or need a choice. Give options when there are choices, and as default the answer you would continue with.',
      input: INPUTS.askHuman,
      timeoutMs: Infinity,
      run: (question, { callId }) => askHuman(agent, question, callId),
    }),
    builtInTool({
      name: names.REPLY_TO_HUMAN,
      hints: {
        small: { description: 'Tell the user the answer or the result.', place: 11 },
        changes: 'visible',
      },
      activity: { verb: 'Replying' },
      description: 'Send the user an answer, progress, or a result. It does not wait.',
      input: INPUTS.replyToHuman,
      run: ({ content }) => {
        checkClaims(agent, content);
        return replyToHuman(agent, withFacts(agent, content));
      },
    }),
  ];
}

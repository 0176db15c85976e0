import * as z from 'zod/mini';
import { inputSchema } from '../../core/schema.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import { askHuman, assertMayPlan, replyToHuman } from './user-commands.js';

/** Names of the older MetaGPT command set, which are still accepted. */
export const LEGACY_NAMES: Record<string, string> = {
  append_task: 'Plan.append_task',
  reset_task: 'Plan.reset_task',
  replace_task: 'Plan.replace_task',
  finish_current_task: 'Plan.finish_current_task',
  reply_to_human: 'RoleZero.reply_to_human',
  ask_human: 'RoleZero.ask_human',
};

const FINISHED_HINT =
  'The current task is finished. If all tasks are finished and nothing is left to do, use the command end.';

type Inputs = ReturnType<typeof makeInputs>;

let inputs: Inputs | null = null;

/**
 * Creates the schemas once, with the first role: creating one takes longer than a step, and every role has these commands.
 */
function makeInputs() {
  const taskId = z.pipe(z.union([z.string(), z.number()]), z.transform(String)); // models often write ids as numbers
  const taskIds = z.array(taskId);
  return {
    appendTask: inputSchema(
      z.object({
        task_id: taskId,
        dependent_task_ids: taskIds,
        instruction: z.string(),
        assignee: z.string(),
        task_type: z.optional(z.string()),
      }),
    ),
    resetTask: inputSchema(z.object({ task_id: taskId })),
    replaceTask: inputSchema(
      z.object({
        task_id: taskId,
        new_dependent_task_ids: taskIds,
        new_instruction: z.string(),
        new_assignee: z.string(),
      }),
    ),
    askHuman: inputSchema(
      z.object({
        question: z.string(),
        options: z.optional(z.array(z.string()).check(z.maxLength(20))),
        default: z.optional(z.string()),
      }),
    ),
    replyToHuman: inputSchema(z.object({ content: z.string() })),
    anything: inputSchema(z.looseObject({})),
  };
}

/** Returns the built-in commands of every RoleZero: plan, user, and `end`. */
export function roleCommands(agent: Agent): Tool[] {
  const input = (inputs ??= makeInputs());
  return [
    ...planCommands(agent, input),
    ...userCommands(agent, input),
    builtInTool({
      name: 'end',
      description: 'Stop: everything asked for is done, or nothing more can be done.',
      input: input.anything,
      timeoutMs: Infinity,
      run: () => agent.hooks.end(),
    }),
  ];
}

function planCommands(agent: Agent, input: Inputs): Tool[] {
  return [
    builtInTool({
      name: 'Plan.append_task',
      description:
        'Append a task to the plan. Its dependencies must be in the plan already. Without unfinished tasks it becomes the current one.',
      input: input.appendTask,
      run: (input) => {
        const { task_id, dependent_task_ids, instruction, assignee, task_type } = input;
        assertMayPlan(agent);
        agent.goals.plan.appendTask(task_id, dependent_task_ids, instruction, assignee, task_type ?? '');
      },
    }),
    builtInTool({
      name: 'Plan.reset_task',
      description: 'Mark a task, and every task that depends on it, as not done.',
      input: input.resetTask,
      run: ({ task_id }) => agent.goals.plan.resetTask(task_id),
    }),
    builtInTool({
      name: 'Plan.replace_task',
      description: 'Replace a task by a new one under the same id; tasks that depend on it are reset.',
      input: input.replaceTask,
      run: (input) => {
        const { task_id, new_dependent_task_ids, new_instruction, new_assignee } = input;
        agent.goals.plan.replaceTask(task_id, new_dependent_task_ids, new_instruction, new_assignee);
      },
    }),
    builtInTool({
      name: 'Plan.finish_current_task',
      description: 'Mark the current task as finished; the next one becomes current.',
      input: input.anything,
      run: () => {
        if (!agent.goals.plan.isPlanFinished()) agent.goals.plan.finishCurrentTask();
        return FINISHED_HINT;
      },
    }),
  ];
}

function userCommands(agent: Agent, input: Inputs): Tool[] {
  return [
    builtInTool({
      name: 'RoleZero.ask_human',
      description:
        'Ask the user and wait for the answer: when you are stuck, unsure what is wanted, or need a choice. Give options when there are choices, and as default the answer you would continue with.',
      input: input.askHuman,
      timeoutMs: Infinity,
      run: (question, { callId }) => askHuman(agent, question, callId),
    }),
    builtInTool({
      name: 'RoleZero.reply_to_human',
      description: 'Send the user an answer, progress, or a result. It does not wait.',
      input: input.replyToHuman,
      run: ({ content }) => replyToHuman(agent, content),
    }),
  ];
}

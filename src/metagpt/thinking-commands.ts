/** A command of the older set, as its prompt describes it. */
export interface ThinkingCommand {
  name: string;
  signature: string;
  description: string;
}

/** The older command set: eight commands, described by signature instead of by schema. */
export const THINKING_COMMANDS: readonly ThinkingCommand[] = [
  {
    name: 'append_task',
    signature: 'append_task(task_id: str, dependent_task_ids: list[str], instruction: str, assignee: str)',
    description: 'Append a task to the plan. Its dependencies must be in the plan already.',
  },
  {
    name: 'reset_task',
    signature: 'reset_task(task_id: str)',
    description: 'Mark a task, and every task that depends on it, as not done.',
  },
  {
    name: 'replace_task',
    signature:
      'replace_task(task_id: str, new_dependent_task_ids: list[str], new_instruction: str, new_assignee: str)',
    description: 'Replace a task by a new one under the same id; tasks that depend on it are reset.',
  },
  {
    name: 'finish_current_task',
    signature: 'finish_current_task()',
    description: 'Mark the current task as finished; the next one becomes current.',
  },
  {
    name: 'publish_message',
    signature: 'publish_message(content: str, send_to: str)',
    description: 'Send a message to another role, by name: everything it needs to know to do its part.',
  },
  {
    name: 'reply_to_human',
    signature: 'reply_to_human(content: str)',
    description: 'Send the user an answer, progress, or a result.',
  },
  {
    name: 'ask_human',
    signature: 'ask_human(question: str)',
    description: 'Ask the user and wait for the answer: when you are stuck or unsure what is wanted.',
  },
  { name: 'pass', signature: 'pass()', description: 'Do nothing, because nothing is to be done now.' },
];

/** Returns the commands as a numbered list for the prompt. */
export function prepareCommandPrompt(commands: readonly ThinkingCommand[] = THINKING_COMMANDS): string {
  return commands
    .map(({ signature, description }, index) => `${index + 1}. ${signature}:\n${description}\n\n`)
    .join('');
}

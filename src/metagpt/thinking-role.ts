import { RoleZeroError } from '../core/error.js';
import type { Command } from '../core/human.js';
import { RunCommand, UserMessage } from '../core/message.js';
import * as s from '../core/schema.js';
import { builtInTool } from '../core/tool.js';
import { RoleZero } from '../agent/role-zero.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { readTools } from '../tools/read-tools.js';

/**
 * A RoleZero with the older command set of MetaGPT. Its prompt lists eight commands by signature, which is short; further tools are
 * described by their schema. Unknown commands are skipped, and the role stops as soon as its plan is finished.
 *
 * @example new ThinkingRole({ name: 'Tim', goal: 'plan the week', model })
 */
export class ThinkingRole extends RoleZero {
  static override readonly id: string = 'ThinkingRole';
  readonly #others: readonly string[];

  constructor(options: RoleZeroOptions = {}) {
    super({ callPlan: 'classic', preset: 'full', ...options });
    this.#others = readTools(options.tools ?? []).map(({ name }) => name);
    this.registry.register(
      builtInTool({
        name: 'publish_message',
        activity: { verb: 'Writing to', argument: 'send_to' },
        description: 'Send a message to another role.',
        input: s.inputSchema(s.object({ content: s.string(), send_to: s.string() })),
        run: ({ content, send_to }) => this.#publishTo(content, send_to),
      }),
    );
    this.registry.register(
      builtInTool({
        name: 'pass',
        activity: { verb: 'Thinking' },
        description: 'Do nothing.',
        input: s.inputSchema(s.looseObject({})),
        run: () => undefined,
      }),
    );
  }

  protected override commandList(): string {
    const others = this.registry.tools.filter(({ name }) => this.#others.includes(name));
    const descriptions = others.length === 0 ? '' : this.registry.describe(others);
    return `${prepareCommandPrompt(THINKING_COMMANDS)}${descriptions}`.trim();
  }

  protected override accepted(commands: readonly Command[]): readonly Command[] {
    return commands.filter(({ name }) => this.registry.has(name));
  }

  /** Returns true for an empty plan as well. */
  protected override isFulfilled(): boolean {
    return this.agent.turn().step > 0 && this.plan.isPlanFinished();
  }

  #publishTo(content: string, name: string): string {
    const sent = { content, causeBy: RunCommand, sentFrom: this.name, sendTo: [name] };
    const recipients = this.publishMessage(this.agent.newMessage(UserMessage, sent));
    if (recipients.length > 0) return `Sent to ${recipients.join(', ')}.`;
    throw new RoleZeroError('not-found', `No role is named ${name}; the message was not delivered.`, {
      name,
    });
  }
}

/** A command of the older set, as its prompt describes it. */
interface ThinkingCommand {
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

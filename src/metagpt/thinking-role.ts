import * as s from '../core/schema.js';
import { RoleZeroError } from '../core/error.js';
import type { Command } from '../core/human.js';
import { RunCommand, UserMessage } from '../core/message.js';
import { builtInTool } from '../core/tool.js';
import { readTools } from '../tools/read-tools.js';
import { RoleZero } from '../agent/role-zero.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { prepareCommandPrompt, THINKING_COMMANDS } from './thinking-commands.js';

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

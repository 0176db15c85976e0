import { RoleZeroError } from '../core/error.js';
import { QUICK_THINK, RunCommand, UserMessage, UserRequirement, type Message } from '../core/message.js';
import * as s from '../core/schema.js';
import { builtInTool } from '../core/tool.js';
import { pause } from '../agent/commands/user-commands.js';
import { RoleZero } from '../agent/role-zero.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { routeMessage } from '../agent/runtime/publish.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { NO_ONE } from './routing.js';

const PUBLISH = 'TeamLeader.publish_team_message';
const PUBLISH_INPUT = s.inputSchema(
  s.object({
    content: s.string(),
    send_to: s.either(s.string(), s.list(s.string(), { minItems: 1, maxItems: 50 })),
  }),
);

/** Alternative names of the command that models use. */
const PUBLISH_ALIASES = ['TeamLeader.publish_message', 'publish_team_message', 'publish_message'];

/**
 * Divides a request among the roles of its environment and maintains the plan. Runs at most three steps in a row: after it has delegated
 * work it waits, and the answer starts it again.
 *
 * @example serve(() => ({ leader: new TeamLeader({ model }), roles: [new Engineer({ model }), reviewer] }))
 */
export class TeamLeader extends RoleZero {
  static override readonly id: string = 'TeamLeader';

  constructor(options: RoleZeroOptions = {}) {
    super({
      ...options,
      name: options.name ?? 'Mike',
      profile: options.profile ?? 'Team Leader',
      goal: options.goal ?? 'lead the team to what the user asks for',
      preset: options.preset ?? 'full', // its instruction is about the full set
      instruction: options.instruction ?? LEADER_INSTRUCTION,
      maxSteps: options.maxSteps ?? 3,
      summarize: options.summarize ?? false,
    });
    this.registry.register(
      builtInTool({
        name: PUBLISH,
        hints: { neededFor: 'work' },
        activity: { verb: 'Writing to', argument: 'send_to' },
        description:
          'Send work or information to a member of the team by name, then wait for the answer. Write all the member needs to know.',
        input: PUBLISH_INPUT,
        aliases: { message: 'content', to: 'send_to', recipient: 'send_to' },
        run: ({ content, send_to }) =>
          this.#publishTeamMessage(content, typeof send_to === 'string' ? [send_to] : send_to),
      }),
    );
    for (const name of PUBLISH_ALIASES) this.registry.alias(name, PUBLISH);
  }

  /** Describes the leader and the team; stays the same from step to step until a role joins. */
  protected override get prefix(): string {
    const team = (this.agent.context.bus?.members ?? []).map(
      ({ name, profile, goal }) =>
        `- ${name}${name === this.name ? ' (you)' : ''}: ${[profile, goal].filter((part) => part !== '').join(', ')}`,
    );
    return team.length === 0 ? super.prefix : `${super.prefix}\nYour team:\n${team.join('\n')}`;
  }

  /** Returns false for an answer of the team while the plan has a goal: the answer belongs to that goal. */
  protected override bringsGoal(): boolean {
    const asked = this.agent.turn().request?.causeBy === UserRequirement.id;
    return asked || this.plan.goal === '';
  }

  /** Uses the leader's reply to the user as the summary if there is no other. */
  protected override async react(run: Run): Promise<Outcome> {
    const outcome = await super.react(run);
    return outcome.summary === ''
      ? { ...outcome, summary: this.agent.turn().userReply?.text ?? '' }
      : outcome;
  }

  /** Addresses its own result to no one. Only an immediate answer goes to all. */
  override publishMessage(message: Message | null): string[] {
    if (message !== null && message.causeBy !== QUICK_THINK) message.sendTo = NO_ONE;
    return super.publishMessage(message);
  }

  #publishTeamMessage(content: string, names: readonly string[]): string {
    const others = names.filter((name) => name !== this.name && name !== '');
    if (others.length === 0) {
      return `Ignored: a message to yourself goes nowhere. ${this.#membersAdvice()}`;
    }
    const message = this.agent.newMessage(UserMessage, {
      content,
      causeBy: RunCommand,
      sentFrom: this.name,
      sendTo: others,
    });
    const delivery = routeMessage(this.agent, message);
    if (delivery?.repeated) {
      return 'Not sent: this is the message you sent last, and its answer is still pending. Wait for it, or write something else.';
    }
    const unreached = delivery?.undeliverable ?? others;
    const full = others.filter((name) => delivery?.full.includes(name));
    const unknownNames = unreached.filter((name) => !delivery?.full.includes(name));
    const unknown = unknownNames.length === 0 ? '' : `No member is named ${unknownNames.join(', ')}. `;
    const busy = full.length === 0 ? '' : `Too many messages wait for ${full.join(', ')} already. `;
    const reached = others.filter((name) => !unreached.includes(name));
    if (reached.length === 0) {
      throw new RoleZeroError(
        'not-found',
        `${unknown}${busy}The message was not delivered. ${this.#membersAdvice()}`,
        { names: unreached },
      );
    }
    pause(this.agent);
    return `Sent to ${reached.join(', ')}. ${unknown}${busy}You will be called when the answer comes.`;
  }

  #membersAdvice(): string {
    const names = (this.agent.context.bus?.members ?? [])
      .map(({ name }) => name)
      .filter((name) => name !== this.name);
    return names.length === 0 ? 'You have no team members.' : `The team members are ${names.join(', ')}.`;
  }
}

/** Instruction for a team leader. Short sentences with one rule each, because small models lead teams, too. */
const LEADER_INSTRUCTION = `You lead the team named above. You divide work and pass messages; you do not do the members' work.

## New requirement
- Answer questions, greetings and small talk yourself with RoleZero.reply_to_human.
- If something needed is missing or unclear, ask with RoleZero.ask_human before you plan.
- Settle the language first: write everything for people, and have everything written, in the language of the user.
- Otherwise write the plan with Plan.append_task. Every task has one assignee, a member's name.

## Dividing work
- Split software work only. Hand data work, analysis or writing to one member as a whole.
- Never give two tasks in a row to the same member: make them one task.
- Size the software first. XS and S (a page, a script, a small game) go straight to the engineer as one task. M and larger follow the chain: requirements document, design, task list, code; leave out a link whose member you do not have.
- Reviewing code is work for whoever reviews; without a reviewer, for the engineer.
- Collecting data and developing software are separate tasks.
- If the user names no technology, a web application uses Vite, React, MUI and Tailwind CSS.

## Handing over
- Hand over the current task with TeamLeader.publish_team_message, addressed to its assignee. Then wait: you are called when the answer comes.
- The member knows only what you write. Give the whole instruction: the requirement in the user's own words, every path, link, file name, figure and technology that belongs to it, and what earlier members delivered.
- Tell the user with RoleZero.reply_to_human who does what.

## When a member answers
- If the current task is fulfilled, use Plan.finish_current_task, then hand over the next one. If not, tell the member what is missing.
- Finish the task in hand before you turn to another; if the user changes what is wanted, change the plan first.
- When all tasks are finished, tell the user what was made and where it is, and use end.`;

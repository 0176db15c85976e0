import type { TaskData } from '../core/events.js';
import type { Command } from '../core/human.js';
import { checkModel } from '../core/check-model.js';
import { idOf, RunCommand, UserRequirement, type Message } from '../core/message.js';
import type { Memory } from '../memory/memory.js';
import { SMALL_MODEL } from '../parts/small-model/guidance.js';
import { standardParts } from '../parts/standard-parts.js';
import { ToolSources } from '../parts/tool-sources.js';
import type { Plan } from '../plan/plan.js';
import { readSources, readTools } from '../tools/read-tools.js';
import type { ToolRegistry } from '../tools/registry.js';
import { Agent } from './runtime/agent.js';
import type { AgentSettings } from './runtime/agent-runtime.js';
import type { AgentBehavior, Hooks, Step } from './runtime/hooks.js';
import { runTurn } from './loop.js';
import { memoizeLast } from '../core/memoize-last.js';
import type { Outcome, Run } from './runtime/outcome.js';
import { systemPrompt, withSystem, rolePrefix } from './prompt/system.js';
import { isConcerned, publishMessage } from './runtime/publish.js';
import { closeTurn } from './commands/close-turn.js';
import { LEGACY_NAMES, roleCommands } from './commands/role-commands.js';
import type { CallPlan } from './prompt/reply-form.js';
import { playedByUser } from './runtime/ask-user.js';
import {
  checkRoleOptions,
  readSettings,
  type RoleZeroOptions,
  type RoleZeroSettings,
} from './runtime/role-zero-options.js';
import { end } from './commands/user-commands.js';
import { runWith, work, type TeamRole } from './runtime/work.js';

/** Newest messages for which examples are looked up. */
const MAX_FOR_EXPERIENCE = 200;

export type { Step } from './runtime/hooks.js';

/**
 * The agent: observes, answers simple requests at once, otherwise thinks and acts in a loop of commands until `end`. The loop is in
 * `loop.ts`; subclasses change it by overriding the protected methods below.
 *
 * @example new RoleZero({ name: 'Zero', goal: 'build what the user asks for', model, tools: [...editor()] })
 */
export class RoleZero implements TeamRole {
  static readonly id: string = 'RoleZero';

  readonly name: string;
  readonly profile: string;
  readonly goal: string;
  readonly constraints: string;
  readonly description: string;
  readonly agent: Agent;
  readonly #systemPrompt = memoizeLast(systemPrompt);

  /** @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used. */
  constructor(options: RoleZeroOptions = {}) {
    checkRoleOptions(options);
    this.name = options.name ?? 'Zero';
    this.profile = options.profile ?? 'RoleZero';
    this.goal = options.goal ?? '';
    this.constraints = options.constraints ?? '';
    this.description = options.description ?? '';
    if (options.model !== undefined) checkModel(options.model, 'model');
    const settings = readSettings(options, standardParts(options), { full: null, small: SMALL_MODEL });
    const runtime: AgentSettings = {
      name: this.name,
      kind: idOf(new.target),
      profile: this.profile,
      model: options.model,
      player: options.playedByUser ? playedByUser : null,
      watch: new Set(),
      observeAllMessages: true,
      enableMemory: true,
      compaction: { compactAt: settings.compactAt, maxTurns: Math.max(2, settings.maxMessages) },
      budget: settings.budget,
      temperature: settings.temperature,
    };
    this.agent = new Agent(runtime, settings, this.#behavior(), this.#hooks());
    this.agent.startsEarly = new.target === RoleZero && (options.parts ?? []).length === 0;
    const builtIn = [...roleCommands(this.agent), ...this.agent.parts.flatMap(({ tools }) => tools ?? [])];
    const names = builtIn.map((tool) => tool.name);
    const tools = options.tools ?? [];
    this.agent.given = tools;
    for (const tool of [...builtIn, ...readTools(tools, names)]) this.registry.register(tool);
    this.agent.shownTools.recommender = settings.toolRecommender?.(this.registry);
    const sources = readSources(tools, [...names, ...this.registry.names]);
    if (sources.length > 0) this.agent.parts = [...this.agent.parts, new ToolSources(this.agent, sources)];
    for (const [alias, target] of Object.entries(LEGACY_NAMES)) this.registry.alias(alias, target);
  }

  #behavior(): AgentBehavior {
    return {
      firstStage: () => ({ name: 'classify' }),
      react: (run) => this.react(run),
      prepare: (signal) =>
        this.agent.modelCall.prepare(
          this.agent.hooks.systemPrompt({ run: { id: '', signal }, number: 0 }),
          signal,
        ),
      closeTurn: (run) => closeTurn(this.agent, run),
      concerns: (message) => this.concerns(message),
      publish: (message) => this.publishMessage(message),
      observesAgain: false,
    };
  }

  #hooks(): Hooks {
    return {
      prefix: () => this.prefix,
      systemPrompt: (step) => withSystem(this.settings.system, this.systemPrompt(step)),
      commandList: () => this.commandList(),
      currentState: () => this.currentState(),
      retrieveExperience: () => this.retrieveExperience(),
      bringsGoal: () => this.bringsGoal(),
      isFulfilled: () => this.isFulfilled(),
      beforeThinking: () => this.beforeThinking(),
      accepted: (commands) => this.accepted(commands),
      end: () => this.end(),
      onTaskFinished: (task) => this.onTaskFinished(task),
      onPlanFinished: () => this.onPlanFinished(),
    };
  }

  /** What the role remembers, oldest first. */
  get memory(): Memory {
    return this.agent.memory;
  }

  /** Maximum steps of a turn. */
  get maxSteps(): number {
    return this.agent.settings.maxSteps;
  }

  /** The commands this role may run. */
  get registry(): ToolRegistry {
    return this.agent.registry;
  }

  /** The current plan. */
  get plan(): Plan {
    return this.agent.goals.plan;
  }

  /** The options, with their defaults. Rules and capabilities are copies. */
  get settings(): RoleZeroSettings {
    return this.agent.settings;
  }

  /** The call plan of its requests; see the option of this name. */
  get callPlan(): CallPlan {
    return this.agent.settings.callPlan;
  }

  /** The language of replies; empty until it is known. */
  get language(): string {
    return this.agent.state.respondLanguage;
  }

  /** Returns whether a message starts a turn: it names the role. */
  concerns(message: Message): boolean {
    return isConcerned(this.agent, message);
  }

  /**
   * Sends a message with the next commit. Without an environment, only messages to the role itself arrive.
   *
   * @returns Names of the roles that receive it.
   */
  publishMessage(message: Message | null): string[] {
    return publishMessage(this.agent, message);
  }

  /**
   * Puts a message into the inbox, works on it, and publishes the result. A string counts as addressed to the role.
   *
   * @returns The published message; null when the message was known already or the turn is not finished: see `agent.outcome`.
   * @throws RoleZeroError the reason of a failure. The state is stored before.
   */
  run(input?: string | readonly string[] | Message, signal?: AbortSignal): Promise<Message | null> {
    return runWith(this.agent, input, signal);
  }

  /** Resumes an interrupted turn, or starts one for the messages in the inbox. Never throws: failures are outcomes too. */
  work(run: Run): Promise<Outcome | null> {
    return work(this.agent, run);
  }

  /** Works on the current turn, from its stored stage to its end. */
  protected react(run: Run): Promise<Outcome> {
    this.agent.enterRun(run);
    return runTurn(this.agent);
  }

  /** Describes the role in one line; the same in every step. */
  protected get prefix(): string {
    return rolePrefix(this, this.agent.context.bus);
  }

  /** Returns the system prompt. It must be the same in every step. Override it to add to it. */
  protected systemPrompt(_step: Step): string {
    const { registry, settings, form } = this.agent;
    return this.#systemPrompt({
      name: this.name,
      prefix: this.prefix,
      taskTypes: settings.taskTypes,
      commands: form.hasTools ? '' : this.commandList(),
      exclusive: registry.exclusive,
      example: settings.example,
      instruction: settings.instruction,
      prompts: settings.prompts,
      format: form.format(settings.prompts),
    });
  }

  /** Returns the description of the commands for the system prompt; the same in every step of a turn. */
  protected commandList(): string {
    return this.agent.shownTools.list();
  }

  /** Returns the state of the tools for the status block. Override it to add to it. */
  protected currentState(): string {
    const { registry, state } = this.agent;
    const lines: string[] = [];
    for (const [group, view] of registry.views) {
      const line = view.line?.(state.tools[group] ?? {}) ?? '';
      if (line !== '') lines.push(line);
    }
    return lines.join('\n');
  }

  /** Returns examples for the prompt. Override it to choose them differently. */
  protected async retrieveExperience(): Promise<string> {
    const { maxMessages, experienceRetriever } = this.agent.settings;
    if (experienceRetriever === undefined) return '';
    try {
      return await experienceRetriever.retrieve(
        this.memory.get(Math.min(maxMessages, MAX_FOR_EXPERIENCE)).map(String).join('\n\n'),
      );
    } catch (error) {
      this.agent.warn('Could not look up an example; continuing without one.', error);
      return '';
    }
  }

  /** Returns whether the request is a new goal, and not a message about the current one. */
  protected bringsGoal(): boolean {
    const isAsked = this.agent.turn().request?.causeBy === UserRequirement.id;
    return isAsked || this.plan.goal === '' || this.plan.isPlanFinished();
  }

  /** Returns whether the plan is finished and the last step replied to the user, so that no `end` command is needed. */
  protected isFulfilled(): boolean {
    if (this.callPlan !== 'merged' || this.plan.tasks.length === 0) return false;
    const { userReply, step } = this.agent.turn();
    const hasNews = this.agent.unread().some((message) => message.causeBy !== RunCommand.id);
    return this.plan.isPlanFinished() && userReply?.step === step - 1 && !hasNews;
  }

  /** Called before the model is asked for the commands of a step. */
  protected beforeThinking(): void {}

  /** Returns the commands of a reply that are run. Override it to skip some. */
  protected accepted(commands: readonly Command[]): readonly Command[] {
    return commands;
  }

  /** Runs the command `end`: a report, unless the user was answered, and the summary. Returns the summary. */
  protected end(): Promise<string> {
    return end(this.agent);
  }

  /** Called when a task is finished. Changes of the role are committed together with it. */
  protected onTaskFinished(_task: TaskData): void {}

  /** Called after `onTaskFinished` for the last open task. */
  protected onPlanFinished(): void {}
}

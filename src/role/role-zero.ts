import type { TaskData } from '../base/events.js';
import type { Command } from '../base/human.js';
import { idOf, RunCommand, UserRequirement } from '../base/message.js';
import type { Plan } from '../plan/plan.js';
import { readTools } from '../tools/read-tools.js';
import type { ToolRegistry } from '../tools/registry.js';
import { Agent } from './agent.js';
import type { AgentSettings } from './agent-runtime.js';
import type { Hooks, Step } from './hooks.js';
import { runTurn } from './loop.js';
import { matchingRules, type GivenRule } from './matching-rules.js';
import { onceFor } from './once-for.js';
import type { Outcome, Run } from './outcome.js';
import { systemPrompt } from './prompts/system.js';
import { LEGACY_NAMES, roleCommands } from './role-commands.js';
import type { CallPlan } from './reply-schema.js';
import { rejectUnknown, type RoleZeroOptions } from './role-zero-options.js';
import { readSettings, type RoleZeroSettings } from './role-zero-settings.js';
import { Role } from './role.js';
import { CHARACTERS_PER_TOKEN } from './token-count.js';
import type { Stage } from './turn-state.js';
import { end } from './user-commands.js';

export type { Step } from './hooks.js';

/** Share of the window for the schemas of the commands. Beyond it, each command is described in one line. */
const COMMANDS_SHARE = 0.3;

/**
 * The agent: observes, answers simple requests at once, otherwise thinks and acts in a loop of commands until `end`. The loop is in
 * `loop.ts`; subclasses change it by overriding the protected methods below.
 *
 * @example new RoleZero({ name: 'Zero', goal: 'build what the user asks for', model, tools: [...editor()] })
 */
export class RoleZero extends Role {
  static override readonly id: string = 'RoleZero';
  declare protected readonly agent: Agent;
  readonly #systemPrompt = onceFor(systemPrompt);

  /** @throws RoleZeroError `invalid` naming an option that does not exist. */
  constructor(options: RoleZeroOptions = {}) {
    rejectUnknown(options);
    const { name = 'Zero', profile = 'RoleZero', maxReactLoop = 50 } = options;
    super({ ...options, name, profile, maxReactLoop, observeAllMessages: true, actions: [RunCommand] });
    const builtIn = roleCommands(this.agent);
    const names = builtIn.map((tool) => tool.name);
    this.agent.addTools([...builtIn, ...readTools(options.tools ?? [], names)]);
    for (const [alias, target] of Object.entries(LEGACY_NAMES)) this.registry.alias(alias, target);
  }

  protected override newAgent(runtime: AgentSettings, options: RoleZeroOptions): Agent {
    const settings = readSettings(options);
    const { memoryK, budget, longTermMemory: longTerm } = settings;
    const hooks: Hooks = {
      prefix: () => this.prefix,
      systemPrompt: (step) => this.systemPrompt(step),
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
    return new Agent(idOf(this.constructor), { ...runtime, memoryK, longTerm, budget }, settings, hooks);
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
    return this.agent.callPlan;
  }

  /** The language of replies; empty until it is known. */
  get respondLanguage(): string {
    return this.agent.state.respondLanguage;
  }

  override givenRules(): GivenRule[] {
    return matchingRules(this.name, this.registry, this.settings);
  }

  protected override firstStage(): Stage {
    return { name: 'classify' };
  }

  protected override onRequirement(): void {
    this.agent.state.notes = [];
  }

  protected override onRestored(): void {
    this.agent.restart();
  }

  /** Does nothing: a RoleZero resumes exactly where it failed, so it need not observe the request again. */
  protected override forgetTrigger(): void {}

  protected override react(run: Run): Promise<Outcome> {
    this.agent.enterRun(run);
    return runTurn(this.agent);
  }

  /** Returns the system prompt. It must be the same in every step. Override it to add to it. */
  protected systemPrompt(_step: Step): string {
    const { registry, settings, isConstrained } = this.agent;
    return this.#systemPrompt({
      name: this.name,
      prefix: this.prefix,
      taskTypes: settings.taskTypeDesc,
      commands: this.commandList(),
      exclusive: registry.exclusive,
      example: settings.example,
      instruction: settings.instruction,
      prompts: settings.prompts,
      constrained: isConstrained,
    });
  }

  /** Returns the description of the commands for the system prompt; the same in every step of a turn. */
  protected commandList(): string {
    const { registry, isHuman } = this.agent;
    const { offered } = this.agent.turn();
    const shown = offered && registry.tools.filter(({ name }) => offered.includes(name));
    const schemas = registry.describe(shown);
    // Decided by length alone, so that the choice stays the same while the window does.
    const most = isHuman ? Infinity : this.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
    return schemas.length <= most ? schemas : registry.describeBriefly(shown, most);
  }

  /** Returns the state of the tools for the status block. Override it to add to it. */
  protected currentState(): string {
    const file = this.agent.state.tools['Editor']?.['current_file'];
    return typeof file === 'string' && file !== '' ? `Open file: ${file}` : '';
  }

  /** Returns examples for the prompt. Override it to choose them differently. */
  protected async retrieveExperience(): Promise<string> {
    const { memoryK, experienceRetriever } = this.agent.settings;
    if (experienceRetriever === undefined) return '';
    try {
      return await experienceRetriever.retrieve(this.memory.get(memoryK).map(String).join('\n\n'));
    } catch (error) {
      this.agent.warn('No example could be looked up; the work goes on without one.', error);
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
    if (this.agent.callPlan !== 'merged' || this.plan.tasks.length === 0) return false;
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

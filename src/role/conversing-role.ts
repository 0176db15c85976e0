import { askModel } from './ask-model.js';
import { isAbort, RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { TaskData } from '../base/events.js';
import type {
  ExperienceRetriever,
  PastExperience,
  RoleExperience,
  StepSituation,
} from '../base/experience.js';
import type { JsonSchema } from '../base/json.js';
import { idOf, RunCommand, UserRequirement, type Message } from '../base/message.js';
import type { Purpose } from '../base/model.js';
import type { Tool } from '../base/tool.js';
import { Plan } from '../plan/plan.js';
import { planStatus } from '../plan/plan-status.js';
import { readTools } from '../tools/read-tools.js';
import { ToolRegistry } from '../tools/registry.js';
import type { Capabilities } from './capabilities.js';
import type { Turn } from './turn.js';
import { withoutEnvelope } from './envelope.js';
import { withoutThinking } from '../agent/parse/reply.js';
import { imagesIn } from './images.js';
import { detectLanguage } from './language.js';
import { fileNews } from './file-news.js';
import { matchingRules, type GivenRule } from './matching-rules.js';
import { newsOf } from './news.js';
import type { Run } from './outcome.js';
import { isForbidden, ruling, type PolicyRule } from './policy.js';
import { readCapabilities, readPolicy } from './read-policy.js';
import { promptsWith, type Prompts } from './prompts/prompts.js';
import { statusBlock, type Status } from './prompts/status.js';
import { onceFor } from './once-for.js';
import { CHARACTERS_PER_TOKEN } from './token-count.js';
import { systemPrompt } from './prompts/system.js';
import { fill, sections } from './prompts/template.js';
import type { Recalled, Recollection } from './recollection.js';
import { replySchema, type CallPlan } from './reply-schema.js';
import type { Recommender, RoleZeroOptions } from './role-zero-options.js';
import { Role } from './role.js';
import { pageNews } from './shown-page.js';
import { addSources, type RoleState } from './state.js';
import type { CommandResult } from './turn-state.js';

/** The current step, for subclasses that override a hook. */
export interface Step {
  run: Run;
  /** Completed steps of the turn. */
  number: number;
}

/** Past experience for a step: an example, and a similar step from the pool. */
interface Past {
  example: string;
  known: PastExperience | null;
}

/** Maximum characters of a language name; a longer reply is cut. */
const MAX_LANGUAGE = 60;
/** Maximum number of earlier goals that are remembered; the oldest is dropped. */
const MAX_EARLIER_GOALS = 8;
/** Share of the window for the schemas of the commands. Beyond it, each command is described in one line. */
const COMMANDS_SHARE = 0.3;
/** Words per token, chosen so that a summary of this many words fits into its tokens in most languages. */
const WORDS_PER_TOKEN = 0.6;
/** Messages that stay in memory after they left the prompt: repetitions are detected among the newest ones. */
const STAYS_AT_HAND = 20;
/** Share of the window for the memories that are recalled for a request, and the maximum in characters. */
const RECALLED_SHARE = 0.1;
const MAX_RECALLED = 8_000;

/**
 * A role in conversation with a model: the system prompt, the status block, and the messages to the model. Subclasses decide what to do
 * with the replies.
 */
export abstract class ConversingRole extends Role {
  /** Prompt texts; see the option of this name. */
  readonly prompts: Prompts;
  readonly instruction: string;
  readonly taskTypeDesc: string;
  readonly example: string;
  readonly memoryK: number;
  /** The commands this role may run. */
  readonly registry: ToolRegistry;
  /** Policy rules: a copy of the option `policy`. */
  readonly rules: readonly PolicyRule[];
  /** A copy of the option of this name; null without it. */
  readonly capabilities: Capabilities | null;
  /** Experience from earlier steps; undefined without a pool. */
  protected readonly experience: RoleExperience | undefined;
  readonly #fixedLanguage: string | undefined;
  readonly #recommender: Recommender | undefined;
  readonly #callPlan: CallPlan | undefined;
  readonly #retriever: ExperienceRetriever | undefined;
  readonly #recollection: Recollection | undefined;
  readonly #systemPrompt = onceFor(systemPrompt);
  #schema: { version: number; schema: JsonSchema } | null = null;
  #plan = this.newPlan('');

  constructor(options: RoleZeroOptions) {
    super(
      {
        ...options,
        name: options.name ?? 'Zero',
        profile: options.profile ?? 'RoleZero',
        maxReactLoop: options.maxReactLoop ?? 50,
        observeAllMessages: true,
        actions: options.actions ?? [RunCommand],
      },
      { memoryK: options.memoryK ?? 200, longTerm: options.longTermMemory, budget: options.budget ?? {} },
    );
    this.prompts = promptsWith(options.prompts);
    const instruction = options.instruction ?? this.prompts.roleInstruction;
    this.instruction =
      options.confirmUnderstanding === true
        ? `${instruction}\n${this.prompts.confirmUnderstanding}`
        : instruction;
    this.taskTypeDesc = options.taskTypeDesc ?? '';
    this.example = options.example ?? '';
    this.memoryK = options.memoryK ?? 200;
    this.rules = readPolicy(options.policy);
    this.capabilities = readCapabilities(options.capabilities);
    this.#fixedLanguage = options.respondLanguage;
    this.#callPlan = options.callPlan;
    const builtIn = this.ownCommands();
    const tools = readTools(
      options.tools ?? [],
      builtIn.map(({ name }) => name),
    );
    this.registry = new ToolRegistry([...builtIn, ...tools]);
    this.#recommender = options.toolRecommender?.(this.registry);
    this.#retriever = options.experienceRetriever;
    // Replies that a user types are no experience of the model.
    this.experience = (this.isHuman ? undefined : options.experiencePool)?.follow({
      trace: () => (this.agent.turn().experience ??= { current: null, reused: false, all: [] }),
      warn: (message, error) => this.agent.warn(message, error),
    });
    this.agent.onRemember = (message) => {
      if (!this.memory.has(message)) this.experience?.remember(message);
    };
    this.#recollection = (this.isHuman ? undefined : options.longTermMemory)?.recollection({
      name: this.name,
      memory: () => this.longTermMemory,
      state: () => this.agent.state,
      room: () => Math.min(MAX_RECALLED, this.model.contextWindow * CHARACTERS_PER_TOKEN * RECALLED_SHARE),
      introduction: this.prompts.memories,
      tell: (event) => this.agent.journal.tell(event),
      warn: (message, error) => this.agent.warn(message, error),
    });
  }

  /** Returns the built-in commands. Called by the constructor, so they may use the role only when they run. */
  protected abstract ownCommands(): Tool[];

  override givenRules(): GivenRule[] {
    return matchingRules(this.name, this.registry, this);
  }

  /** Commands of which one reply may contain only one. */
  get exclusiveToolCommands(): string[] {
    return [...this.registry.exclusive];
  }

  /** The language of replies; empty until it is known. */
  get respondLanguage(): string {
    return this.agent.state.respondLanguage;
  }

  /** The current plan. */
  get plan(): Plan {
    return this.#plan;
  }

  /** The call plan of a request. @default `merged` for models that support a JSON Schema, else `classic` */
  get callPlan(): CallPlan {
    if (this.isHuman) return 'classic';
    return this.#callPlan ?? (this.isConstrained ? 'merged' : 'classic');
  }

  private get isConstrained(): boolean {
    return !this.isHuman && this.model.supports?.jsonSchema === true;
  }

  protected override onRequirement(): void {
    this.agent.state.notes = [];
  }

  protected override onRestored(): void {
    this.#plan = Plan.fromData(this.agent.state.plan, { onChange: () => this.planChanged() });
    this.experience?.restart(this.memory.storage);
    this.#recollection?.restart();
  }

  /** Returns the system prompt. It must be the same in every step. Override it to add to it. */
  protected systemPrompt(_step: Step): string {
    return this.#systemPrompt({
      name: this.name,
      prefix: this.prefix,
      taskTypes: this.taskTypeDesc,
      commands: this.commandList(),
      exclusive: this.registry.exclusive,
      example: this.example,
      instruction: this.instruction,
      prompts: this.prompts,
      constrained: this.isConstrained,
    });
  }

  /** Returns the description of the commands for the system prompt; the same in every step of a turn. */
  protected commandList(): string {
    const { offered } = this.agent.turn();
    const shown = offered && this.registry.tools.filter(({ name }) => offered.includes(name));
    const schemas = this.registry.describe(shown);
    // Decided by length alone, so that the choice stays the same while the window does.
    const most = this.isHuman ? Infinity : this.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
    return schemas.length <= most ? schemas : this.registry.describeBriefly(shown, most);
  }

  /** Chooses the tools that the model is shown for the request. All tools may still be used. */
  protected async offerTools(): Promise<void> {
    const turn = this.agent.turn();
    if (this.#recommender === undefined || turn.offered !== undefined) return;
    try {
      const context = withoutEnvelope(turn.request?.content ?? '');
      turn.offered = (await this.#recommender.recommend({ context })).map(({ name }) => name);
    } catch (error) {
      this.agent.warn('The tools that fit could not be chosen; all of them are shown.', error);
    }
  }

  /** Returns the state of the tools for the status block. Override it to add to it. */
  protected currentState(): string {
    const file = this.agent.state.tools['Editor']?.['current_file'];
    return typeof file === 'string' && file !== '' ? `Open file: ${file}` : '';
  }

  /** Returns whether the request is a new goal, and not a message about the current one. */
  protected bringsGoal(): boolean {
    const asked = this.agent.turn().request?.causeBy === UserRequirement.id;
    return asked || this.#plan.goal === '' || this.#plan.isPlanFinished();
  }

  /** Makes the request the goal of the plan. Open tasks of the previous goal stay, and that goal is remembered. */
  private takeGoal(): void {
    const goal = withoutEnvelope(this.agent.turn().request?.content ?? '');
    if (this.#plan.isPlanFinished()) {
      this.#plan = this.newPlan(goal);
      this.agent.state.earlierGoals = [];
    } else if (this.#plan.goal !== goal) {
      const before = { goal: this.#plan.goal, language: this.agent.state.respondLanguage };
      if (before.goal !== '')
        this.agent.state.earlierGoals = [...this.agent.state.earlierGoals, before].slice(-MAX_EARLIER_GOALS);
      this.#plan.goal = goal;
    }
    this.planChanged();
  }

  /** Restores the previous goal when its tasks are still open. */
  protected returnToEarlierGoal(): void {
    if (this.#plan.isPlanFinished()) this.agent.state.earlierGoals = [];
    const before = this.agent.state.earlierGoals.pop();
    if (before === undefined) return;
    this.#plan.goal = before.goal;
    this.agent.state.respondLanguage = before.language;
    this.planChanged();
  }

  private newPlan(goal: string): Plan {
    return new Plan(goal, { onChange: () => this.planChanged() });
  }

  /** For subclasses: called when a task is finished. Changes of the role are committed together with it. */
  protected onTaskFinished(_task: TaskData): void {}

  /** For subclasses: called after `onTaskFinished` for the last open task. */
  protected onPlanFinished(): void {}

  private planChanged(): void {
    const before = new Set(this.agent.state.plan.tasks.filter(({ isFinished }) => isFinished).map(taskKey));
    this.agent.state.plan = this.#plan.toData();
    this.agent.journal.tell({
      type: 'plan-changed',
      role: this.name,
      plan: structuredClone(this.agent.state.plan),
    });
    const { tasks } = this.agent.state.plan;
    const finished = tasks.filter((task) => task.isFinished && !before.has(taskKey(task)));
    for (const task of finished) this.onTaskFinished(structuredClone(task));
    if (finished.length > 0 && tasks.every(({ isFinished }) => isFinished)) this.onPlanFinished();
  }

  /** Settles goal and language of a request, before its first step. */
  protected async settleGoal(run: Run): Promise<void> {
    const fresh = this.bringsGoal();
    if (fresh) this.takeGoal();
    if (fresh || this.agent.state.respondLanguage === '')
      this.agent.state.respondLanguage = this.#fixedLanguage ?? (await this.languageOfGoal(run));
  }

  /** Returns the language of the goal. The merged call plan detects it without a call; a text that is too short keeps the last one. */
  private async languageOfGoal(run: Run): Promise<string> {
    if (this.callPlan === 'merged')
      return detectLanguage(this.#plan.goal) ?? this.agent.state.respondLanguage;
    const reply = await this.askInConversation(run, 'language', 'language', () =>
      fill(this.prompts.detectLanguage, { requirement: this.#plan.goal }),
    );
    return reply.slice(0, MAX_LANGUAGE);
  }

  protected language(): string {
    return this.agent.state.respondLanguage || 'the language of the requirement';
  }

  /** True while only the first reply can tell whether the request needs work. */
  protected get isUndecided(): boolean {
    const { category, step, request } = this.agent.turn();
    return (
      this.callPlan === 'merged' && category === null && step === 0 && request?.causeBy === UserRequirement.id
    );
  }

  /**
   * Sends the next message of the conversation: unread messages, then the request. Without a request, it sends the status block and asks
   * for commands. Returns the reply; reasoning is removed from it, except from replies with commands, which the parser reads whole.
   */
  protected async askInConversation(
    run: Run,
    purpose: Purpose,
    key: string,
    request: (() => string) | null,
    past: Past | null = null,
  ): Promise<string> {
    const status = request === null ? this.status(past) : null;
    const page = status === null ? null : pageNews(this.agent.state);
    const files =
      status === null ? null : fileNews(this.agent.context.workspace, this.agent.state.said, this.prompts);
    const first = status !== null && this.isUndecided ? [this.prompts.firstReply] : [];
    const closing = purpose === 'report' || purpose === 'summary';
    const seesImages = !this.isHuman && this.model.supports?.images === true;
    const images = seesImages ? await this.imagesFor(this.agent.unread()) : [];
    const recalled = await this.recalled(run, key);
    const untold = this.agent.unread();
    const newest = untold.at(-1);
    // After observations of its own commands the model already knows what to do next.
    const isAfterCommands = newest !== undefined && untold.every(({ causeBy }) => causeBy === RunCommand.id);
    const news = newsOf(untold, closing ? this.results() : []);
    const system = this.systemPrompt({ run, number: this.agent.turn().step });
    const reply = await askModel(this.agent, run, {
      purpose,
      key,
      system,
      ...(purpose === 'think' || purpose === 'regenerate' ? { responseSchema: this.replySchema() } : {}),
      ...(typeof past?.known?.reply === 'string' ? { known: past.known.reply } : {}),
      text: (fresh) => {
        // After a compaction, the goal and everything else may no longer be in the prompt.
        const said = fresh ? {} : this.agent.state.said;
        const tail =
          status === null
            ? (request?.() ?? '')
            : statusBlock(status, said, [...first, ...this.agent.state.notes], isAfterCommands);
        return {
          content: sections(
            ...news.whole,
            recalled?.text(fresh) ?? '',
            files?.text ?? '',
            page?.text(fresh) ?? '',
            tail,
          ),
          folded: sections(...news.folded, files?.text ?? '', tail),
          ...(images.length === 0 ? {} : { images }),
          ...(newest === undefined ? {} : { upTo: newest.id }),
        };
      },
      summarise: (turns, tokens) => this.sumUp(run, { key, system, turns, tokens }),
      onReply: ({ left }) => {
        if (left !== null) this.longTermMemory?.moveUpTo(left, STAYS_AT_HAND);
        this.agent.state.unread = [];
        recalled?.told();
        if (past?.known) this.experience?.taken(past.known);
        if (status === null) return;
        const said: RoleState['said'] = { ...status };
        if (page !== null) said.page = page.serial;
        if (files !== null) said.files = files.upTo;
        this.agent.state.said = said;
        this.agent.state.notes = [];
      },
    });
    return purpose === 'think' || purpose === 'regenerate' ? reply.text : withoutThinking(reply.text).trim();
  }

  /** Results of the commands of the current step that have run. */
  private results(): readonly CommandResult[] {
    const { stage } = this.agent.turn();
    return stage.name === 'act' ? stage.results : [];
  }

  /** Returns the images that messages name. Reading them adds their labels; images that a rule denies or asks about are skipped. */
  private async imagesFor(messages: readonly Message[]): Promise<string[]> {
    const files = this.agent.context.workspace.stage();
    files.guard((path) => {
      const tool = 'Editor.read';
      const aliases = this.registry.aliasesOf(tool);
      const asked = { role: this.name, tool, aliases, args: { path }, path, origin: null };
      if ((ruling(asked, this.rules)?.do ?? 'allow') !== 'allow')
        throw new RoleZeroError('permission', `A rule of this application stands before ${path}.`);
    });
    const images = await imagesIn(messages, files);
    const { untrusted, private: secret } = files.touched();
    addSources(this.agent.state, untrusted);
    if (secret) this.agent.state.private = true;
    return images;
  }

  /** Summarizes messages that leave the conversation; null when the model fails. Errors of the budget are thrown. */
  private async sumUp(
    run: Run,
    about: { key: string; system: string; turns: readonly Turn[]; tokens: number },
  ): Promise<string | null> {
    const { key, system, turns, tokens } = about;
    const words = String(Math.floor(tokens * WORDS_PER_TOKEN));
    const told = () => turns.map(({ role, content }) => `${role === 'user' ? 'They' : 'You'}: ${content}`);
    try {
      const reply = await askModel(this.agent, run, {
        purpose: 'compact',
        key: `compact:${key}`,
        system,
        text: (fresh) => ({
          content: fresh
            ? fill(this.prompts.compact, { conversation: told().join('\n\n'), words })
            : fill(this.prompts.compactHere, { words }),
        }),
        maxOutputTokens: tokens,
        apart: 'within',
      });
      const summary = withoutThinking(reply.text).trim();
      if (summary === '') throw new RoleZeroError('model-request', 'The model said nothing.', {});
      return summary.slice(0, tokens * CHARACTERS_PER_TOKEN * 2);
    } catch (error) {
      if (isAbort(error) || toRoleZeroError(error).code === 'budget') throw error;
      this.agent.warn(
        'What leaves the conversation could not be summed up; the work goes on without.',
        error,
      );
      return null;
    }
  }

  /** Recalls older memories for the next message; undefined when its reply is stored already. */
  private async recalled(run: Run, key: string): Promise<Recalled | undefined> {
    if (key in this.agent.turn().replies) return undefined;
    return this.#recollection?.next(async (text) => {
      const reply = await askModel(this.agent, run, {
        purpose: 'rank',
        key: `rank:${key}`,
        text,
        apart: true,
      });
      return reply.text;
    });
  }

  /** Returns the reply schema, cached until a tool is added: an engine takes seconds to compile a new one. */
  private replySchema(): JsonSchema {
    const { version, tools } = this.registry;
    if (this.#schema?.version !== version) {
      const { name: role, rules, registry } = this;
      const allowed = tools.filter(({ name }) => !isForbidden(role, name, rules, registry.aliasesOf(name)));
      this.#schema = { version, schema: replySchema(allowed, this.callPlan) };
    }
    return this.#schema.schema;
  }

  /** Returns examples for the prompt. Override it to choose them differently. */
  protected async retrieveExperience(): Promise<string> {
    if (this.#retriever === undefined) return '';
    try {
      return await this.#retriever.retrieve(this.memory.get(this.memoryK).map(String).join('\n\n'));
    } catch (error) {
      this.agent.warn('No example could be looked up; the work goes on without one.', error);
      return '';
    }
  }

  protected async past(run: Run): Promise<Past> {
    const known = (await this.experience?.recall(() => this.situation(run))) ?? null;
    return { known, example: await this.retrieveExperience() };
  }

  private situation(run: Run): StepSituation {
    const { planStatus: status, currentTask } = planStatus(this.#plan);
    return {
      tag: `${idOf(this)}.think`,
      system: this.systemPrompt({ run, number: this.agent.turn().step }),
      goal: this.#plan.goal,
      planStatus: status,
      currentTask,
      language: this.#fixedLanguage ?? '',
      news: this.agent.unread(),
    };
  }

  private status(past: Past | null): Status {
    const earlier = this.agent.state.earlierGoals.map(({ goal }) => goal);
    const { planStatus: plan, currentTask } = planStatus(this.#plan, earlier);
    const language = this.agent.state.respondLanguage;
    return {
      // Sent once per turn: a clock in every step would change the prompt each time.
      time:
        this.agent.turn().step === 0
          ? localTime(this.agent.context.runtime.now())
          : (this.agent.state.said.time ?? ''),
      example: past?.example ?? '',
      experience: past?.known?.advice ?? '',
      toolState: this.currentState(),
      plan,
      currentTask,
      language:
        language === '' && this.callPlan === 'classic'
          ? ''
          : fill(this.prompts.replyLanguage, { language: this.language() }),
    };
  }
}

/** Identifies a task by id and instruction, because another task may reuse the id. */
function taskKey({ taskId, instruction }: TaskData): string {
  return JSON.stringify([taskId, instruction]);
}

function localTime(now: number): string {
  const date = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `The current time is ${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.`;
}

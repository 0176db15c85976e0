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

/** Where the loop stands, for those who override a part of it. */
export interface Step {
  run: Run;
  /** Acts already taken for this requirement. */
  number: number;
}

/** What a step can build on: an example, and what is known from steps like it. */
interface Past {
  example: string;
  known: PastExperience | null;
}

/** Characters; a model that is asked for a language and says more is not asked again. */
const MAX_LANGUAGE = 60;
/** Requirements that wait under a newer one; of more the oldest is forgotten. */
const MAX_EARLIER_GOALS = 8;
/** Of the window, what the schemas of the commands may take; beyond, each command is told in a line. */
const COMMANDS_SHARE = 0.3;
/** A summary that is asked for in words should fit into its tokens, in most languages. */
const WORDS_PER_TOKEN = 0.6;
/** Messages that stay in the role's memory when the model has lost sight of them: repetitions are found among the newest. */
const STAYS_AT_HAND = 20;
/** Of the window, for all that is recalled for a requirement; and its characters at most. */
const RECALLED_SHARE = 0.1;
const MAX_RECALLED = 8_000;

/**
 * A role in conversation with a model: what it tells of itself, of its commands and of how things stand, and how it asks (spec 6.4, 6.7,
 * 7). What it does with the replies is its subclass's matter.
 */
export abstract class ConversingRole extends Role {
  /** What the model reads; see the option of that name. */
  readonly prompts: Prompts;
  readonly instruction: string;
  readonly taskTypeDesc: string;
  readonly example: string;
  readonly memoryK: number;
  /** The commands this role may give; nothing else runs. */
  readonly registry: ToolRegistry;
  /** Which commands are allowed, asked about or refused: the option `policy`, as it was when the role was made. */
  readonly rules: readonly PolicyRule[];
  /** The option of that name, likewise; null without. */
  readonly capabilities: Capabilities | null;
  /** What was learnt from steps taken before; absent without a pool. */
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
    // What a person says in the role's place is not the model's experience.
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

  /** Commands that are always there. Called while the role is made: they may use it only when they run. */
  protected abstract ownCommands(): Tool[];

  override givenRules(): GivenRule[] {
    return matchingRules(this.name, this.registry, this);
  }

  /** Commands of which a reply may hold only one. */
  get exclusiveToolCommands(): string[] {
    return [...this.registry.exclusive];
  }

  /** The language replies are written in; empty until it is known. */
  get respondLanguage(): string {
    return this.agent.state.respondLanguage;
  }

  /** The plan in hand. */
  get plan(): Plan {
    return this.#plan;
  }

  /** How the calls of a requirement are laid out; `merged` by default for models that can be held to a schema. */
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

  /** What the model is told of the role before anything else; must not change from step to step. Override to add to it. */
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

  /** What the model is told of its commands; the same from step to step of a requirement. */
  protected commandList(): string {
    const { offered } = this.agent.turn();
    const shown = offered && this.registry.tools.filter(({ name }) => offered.includes(name));
    const schemas = this.registry.describe(shown);
    // By length alone: the choice must not change while the window does not.
    const most = this.isHuman ? Infinity : this.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
    return schemas.length <= most ? schemas : this.registry.describeBriefly(shown, most);
  }

  /** Of many tools only those are shown that fit the requirement; all of them may still be used. */
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

  /** The state of the role's tools, for the status block; override to add to it. */
  protected currentState(): string {
    const file = this.agent.state.tools['Editor']?.['current_file'];
    return typeof file === 'string' && file !== '' ? `Open file: ${file}` : '';
  }

  /** Whether the message that set the role to work is a goal of its own, and not merely news on the one in hand. */
  protected bringsGoal(): boolean {
    const asked = this.agent.turn().request?.causeBy === UserRequirement.id;
    return asked || this.#plan.goal === '' || this.#plan.isPlanFinished();
  }

  /** A new requirement is a new goal; a plan with open tasks is kept, and so is the goal they are for. */
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

  /** The requirement in hand is done; the one before it is the goal again when its tasks are still open. */
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

  /** A task was finished; for subclasses. What it changes of the role is kept together with that. */
  protected onTaskFinished(_task: TaskData): void {}

  /** The last open task was finished; for subclasses, as `onTaskFinished`, after it. */
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

  /** In the merged plan no call is spent on it; a text too short to tell leaves the language as it was. */
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

  /** The requirement may still turn out to need no work: nothing but the first reply can say so. */
  protected get isUndecided(): boolean {
    const { category, step, request } = this.agent.turn();
    return (
      this.callPlan === 'merged' && category === null && step === 0 && request?.causeBy === UserRequirement.id
    );
  }

  /**
   * The next message of the conversation: the news, then a request; without one, the status and the question what to do. The reply
   * is given without what a reasoning model thought aloud, unless it holds commands: reading those is another's task.
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
    // What follows on the observations of its own commands the model has been told, and does.
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
        // After a compaction the model may have lost the goal and whatever else was said before.
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

  /** The images that messages name. To look at one is to read it: labels go along, and what would be refused or asked about is passed over. */
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

  /** What is still to be known of turns that leave the conversation; null when the model cannot say. A spent budget is no such case. */
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

  /** What older memories have to do with the news; no part of a reply that is known already. */
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

  /** One for all calls, until a tool is added: an engine compiles a schema for seconds the first time. */
  private replySchema(): JsonSchema {
    const { version, tools } = this.registry;
    if (this.#schema?.version !== version) {
      const { name: role, rules, registry } = this;
      const allowed = tools.filter(({ name }) => !isForbidden(role, name, rules, registry.aliasesOf(name)));
      this.#schema = { version, schema: replySchema(allowed, this.callPlan) };
    }
    return this.#schema.schema;
  }

  /** Examples for the prompt that fit what is going on; override to choose them otherwise (spec 6.7 step 2). */
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
      // Said once a requirement: a clock that ticks in every step would never let the prompt rest.
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

/** A task by what it asks: another one may take over its id. */
function taskKey({ taskId, instruction }: TaskData): string {
  return JSON.stringify([taskId, instruction]);
}

function localTime(now: number): string {
  const date = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `The current time is ${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.`;
}

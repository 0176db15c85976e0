import { checkModel } from '../core/check-model.js';
import { RoleZeroError } from '../core/error.js';
import { Action, idOf, UserRequirement, type Message, type Named } from '../core/message.js';
import type { ChatModel } from '../core/model.js';
import { rolePrefix } from '../agent/prompt/system.js';
import { AgentRuntime } from '../agent/runtime/agent-runtime.js';
import { playedByUser } from '../agent/runtime/ask-user.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { isConcerned, publishMessage } from '../agent/runtime/publish.js';
import type { Stage } from '../agent/runtime/turn.js';
import { runWith, work, type TeamRole } from '../agent/runtime/work.js';
import type { Memory } from '../memory/memory.js';
import { chooseAction, runAction, runProcedure } from './procedure.js';

/** How a role works on its actions: as the model chooses, in order, or by a plan of tasks. */
type ReactMode = 'react' | 'by_order' | 'plan_and_act';

/** Options of a role. Only the model is required, as soon as the role thinks. */
export interface RoleOptions {
  /** Unique in a session. @default the id of the class */
  name?: string;
  profile?: string;
  goal?: string;
  constraints?: string;
  /** Replaces the sentence made of profile, name, goal and constraints. */
  desc?: string;
  model?: ChatModel;
  actions?: readonly (Action | (new () => Action))[];
  /** Causes whose messages start a turn. @default requests of the user */
  watch?: readonly Named[];
  reactMode?: ReactMode;
  /** Maximum steps of a turn. @default 1 */
  maxReactLoop?: number;
  /** A user plays the role: questions to the model go to the user instead. @default false */
  isHuman?: boolean;
  /** Remembers all messages, also those that do not concern the role. @default false */
  observeAllMessages?: boolean;
  enableMemory?: boolean;
}

const REACT_MODES: readonly ReactMode[] = ['react', 'by_order', 'plan_and_act'];

/**
 * A role that works in a fixed procedure: observes messages, thinks, acts. Its state is plain data and every change is committed, so it
 * resumes after a crash where it was.
 *
 * Subclasses override `think` and `act`, which `react` calls in a loop.
 */
export class Role implements TeamRole {
  static readonly id: string = 'Role';
  /** Whether the class supports the react mode `plan_and_act`. */
  protected static readonly plans: boolean = false;

  readonly name: string;
  readonly profile: string;
  readonly goal: string;
  readonly constraints: string;
  readonly desc: string;
  readonly watch: ReadonlySet<string>;
  readonly reactMode: ReactMode;
  readonly maxReactLoop: number;
  actions: readonly Action[] = [];
  readonly agent: AgentRuntime;

  constructor(options: RoleOptions = {}) {
    this.name = options.name ?? idOf(new.target);
    this.profile = options.profile ?? '';
    this.goal = options.goal ?? '';
    this.constraints = options.constraints ?? '';
    this.desc = options.desc ?? '';
    if (options.model !== undefined) checkModel(options.model, 'model');
    this.maxReactLoop = options.maxReactLoop ?? 1;
    this.reactMode = options.reactMode ?? 'react';
    checkReactMode(this.reactMode, new.target.plans);
    const { observeAllMessages = false, enableMemory = true, isHuman = false } = options;
    const watch = options.watch ?? (observeAllMessages ? [] : [UserRequirement]);
    this.watch = new Set(watch.map(idOf));
    this.setActions(options.actions ?? []);
    this.agent = new AgentRuntime(
      {
        name: this.name,
        kind: idOf(new.target),
        profile: this.profile,
        model: options.model,
        player: isHuman ? playedByUser : null,
        watch: this.watch,
        observeAllMessages,
        enableMemory,
        compaction: { compactAt: 0.8, maxTurns: 200 },
        budget: undefined,
      },
      {
        firstStage: () => this.firstStage(),
        react: (run) => this.react(run),
        closeTurn: async () => {}, // its actions leave nothing open
        concerns: (message) => this.concerns(message),
        publish: (message) => this.publishMessage(message),
        observesAgain: true,
      },
    );
  }

  /** @throws RoleZeroError `invalid` when the role was created without one. */
  get model(): ChatModel {
    return this.agent.model;
  }

  /** What the role remembers, oldest first. */
  get memory(): Memory {
    return this.agent.memory;
  }

  /** Messages that the last observation found. */
  get news(): readonly Message[] {
    return this.agent.news;
  }

  /** The current action, or null. */
  get todo(): Action | null {
    return this.actions[this.agent.state.actionIndex] ?? null;
  }

  /** Replaces all actions. Classes are instantiated. */
  setActions(actions: readonly (Action | (new () => Action))[]): void {
    this.actions = actions.map((action) => (action instanceof Action ? action : new action()));
  }

  /** Returns whether a message starts a turn: it names the role, or the role watches for its cause. */
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

  /** Describes the role in one line; the same in every step. */
  protected get prefix(): string {
    const { name, profile, goal, constraints, desc: description } = this;
    return rolePrefix({ name, profile, goal, constraints, description }, this.agent.context.bus);
  }

  /** Where a turn of this class begins. */
  protected firstStage(): Stage {
    return { name: 'procedure', isActionChosen: false };
  }

  /** Chooses the next action; false when there is none. */
  protected think(run: Run): Promise<boolean> {
    return chooseAction(this.agent, this.actions, this.reactMode === 'by_order' ? 'by_order' : 'react', run);
  }

  /** Runs the chosen action and remembers its result. */
  protected act(run: Run): Promise<Message> {
    return runAction(this.agent, this.todo, run);
  }

  /** Thinks and acts until there is no action left or the limit is reached. */
  protected react(run: Run): Promise<Outcome> {
    const limit = this.reactMode === 'by_order' ? this.actions.length : this.maxReactLoop;
    const procedure = { limit, think: () => this.think(run), act: () => this.act(run) };
    return runProcedure(this.agent, procedure, run);
  }
}

/** Rejects unknown modes, and `plan_and_act` for other classes than `PlanningRole`, which has the planner. */
function checkReactMode(mode: ReactMode, plans: boolean): void {
  if (!REACT_MODES.includes(mode)) {
    throw new RoleZeroError(
      'invalid',
      `Unknown react mode "${mode}"; use one of ${REACT_MODES.join(', ')}.`,
      { mode },
    );
  }
  if (mode !== 'plan_and_act' || plans) return;
  throw new RoleZeroError('invalid', 'To work by plan_and_act, extend PlanningRole instead of Role.', {
    mode,
  });
}

import { askModel } from './ask-model.js';
import { RoleZeroError } from '../base/error.js';
import type { StepTrace } from '../base/events.js';
import type { Command } from '../base/human.js';
import type { JsonValue } from '../base/json.js';
import {
  AIMessage,
  Message,
  QUICK_THINK,
  RunCommand,
  UserMessage,
  UserRequirement,
} from '../base/message.js';
import { sentences } from '../base/sentences.js';
import type { Tool } from '../base/tool.js';
import { CommandRunner } from './command-runner.js';
import { parseCommands, type ParsedReply } from '../agent/parse/commands.js';
import { formatCommands, keepFirstExclusive } from './commands.js';
import { askPermission, askUser, asksToStop, isNo, isYes } from './ask-user.js';
import { DUPLICATE_LIMIT, DUPLICATE_WINDOW, canonical, repetitions } from './duplicates.js';
import { withoutEnvelope } from './envelope.js';
import type { Outcome, Run } from './outcome.js';
import { Gate } from './gate.js';
import { describeLimit, limitAdvice, type OutputLimit } from './output-limit.js';
import { fill, sections } from './prompts/template.js';
import { PROMPT_VERSION } from './prompts/prompts.js';
import { answerInReply, parseCategory, quickAnswer } from './quick-think.js';
import { requestCategory } from './request-category.js';
import { LEGACY_NAMES, roleCommands, SPECIAL_TOOL_COMMANDS, type PersonQuestion } from './role-commands.js';
import type { Budget } from './budget.js';
import { rejectUnknown, type RoleZeroOptions } from './role-zero-options.js';
import { rowKey } from './journal.js';
import { ConversingRole } from './conversing-role.js';
import {
  newTrace,
  type ActStage,
  type Ended,
  type Ending,
  type Paused,
  type Stage,
  type StoredReply,
} from './turn-state.js';
import { thoughtOf } from '../agent/parse/thought-text.js';

/** From this step limit on, the user is asked whether to continue. A smaller limit ends the turn. */
const ASKS_TO_CONTINUE_FROM = 10;
/** After this many unreadable replies in a row, the user is asked. */
const UNREADABLE_LIMIT = 3;
/** Maximum number of stored step traces of one role. */
const MAX_STEPS_KEPT = 2_000;
/** Maximum characters of the last reply to the user that are stored as the result. */
const MAX_REPLY_KEPT = 2_000;

const NOBODY_THERE = 'Not executed: not in MGX environment, nobody is there to talk to.';
const REPLIED =
  'SUCCESS, the person has got your reply. Do not send it again. If nothing is left to do, use the command end.';
const NO_ANSWER =
  'Nobody answered in time. Decide what is most likely wanted and go on; say what you assumed when you report.';
/** Does not echo the default: a URL in it would count as user-provided. */
const DEFAULT_HOLDS = 'No other answer was given: the default you named holds.';
const NOT_CONFIRMED =
  'The person has not confirmed yet what you understood. Tell them in a few sentences with RoleZero.ask_human, options ["yes", "no"], and plan when you have the answer.';
const STOPPED_BY_PERSON = 'The user has asked to stop because of a problem.';

type ThinkStage = Extract<Stage, { name: 'think' }>;

/** The reply to use in a step, and what was parsed from it. */
interface ChosenReply {
  reply: StoredReply;
  parsed: ParsedReply;
}

/**
 * The agent: observes, answers simple requests at once, otherwise thinks and acts in a loop of commands until `end`.
 *
 * @example new RoleZero({ name: 'Zero', goal: 'build what the user asks for', model, tools: [...editor()] })
 */
export class RoleZero extends ConversingRole {
  static override readonly id: string = 'RoleZero';

  readonly useSummary: boolean;
  readonly useFixedSop: boolean;
  readonly specialToolCommands: readonly string[];
  readonly budget: Budget;
  readonly confirmUnderstanding: boolean;
  readonly #answerWithinMs: number | undefined;
  readonly #runner: CommandRunner;
  /** The current run; role commands ask questions through it. */
  #run: Run | null = null;
  /** The reply whose commands are about to run, as an example for the experience pool; null after an interruption. */
  #meant: string | null = null;

  /** @throws RoleZeroError `invalid` naming an option that does not exist. */
  constructor(options: RoleZeroOptions = {}) {
    rejectUnknown(options);
    super(options);
    this.useSummary = options.useSummary ?? true;
    this.useFixedSop = options.useFixedSop ?? false;
    this.specialToolCommands = options.specialToolCommands ?? SPECIAL_TOOL_COMMANDS;
    this.budget = options.budget ?? {};
    this.confirmUnderstanding = options.confirmUnderstanding ?? false;
    this.#answerWithinMs = options.answerWithinMs;
    for (const [name, target] of Object.entries(LEGACY_NAMES)) this.registry.alias(name, target);
    const { rules, capabilities, registry } = this;
    const application = [this.goal, this.constraints, this.desc, this.instruction];
    this.#runner = new CommandRunner(this.agent, {
      registry,
      gate: new Gate(this.agent, { rules, capabilities, registry, application }),
      special: this.specialToolCommands,
      completed: (stage) => this.completeStep(stage),
    });
  }

  protected override ownCommands(): Tool[] {
    return roleCommands({
      plan: () => this.plan,
      mayPlan: () => this.mayPlan(),
      askHuman: (question, callId) => this.askHuman(question, callId),
      replyToHuman: (content) => this.replyToHuman(content),
      end: () => this.end(),
    });
  }

  protected override firstStage(): Stage {
    return { name: 'classify' };
  }

  /** Works on the turn from its stored stage to its end. Each stage finds what an interrupted run has already done. */
  protected override async react(run: Run): Promise<Outcome> {
    this.#run = run;
    await this.offerTools();
    for (;;) {
      const { stage } = this.agent.turn();
      switch (stage.name) {
        case 'classify':
          await this.classify(run);
          break;
        case 'prepare':
          await this.prepare(run);
          break;
        case 'think':
          await this.thinkOfCommands(run, stage);
          break;
        case 'act':
          await this.runCommands(run, stage);
          break;
        case 'finish':
          return this.finish(stage.ending);
        case 'procedure':
        case 'plan':
          return super.react(run);
      }
    }
  }

  private enterStage(stage: Stage): void {
    this.agent.turn().stage = stage;
  }

  /** Answers at once what needs no work. */
  private async classify(run: Run): Promise<void> {
    const answer = await this.quickThink(run);
    if (answer !== null) this.enterStage({ name: 'finish', ending: { kind: 'answered', answer } });
    else if (this.useFixedSop) this.procedure();
    else this.enterStage({ name: 'prepare' });
  }

  /** Settles goal and language once, before the first step. */
  private async prepare(run: Run): Promise<void> {
    this.observe();
    if (!(await this.mayTakeStep(run))) {
      this.enterStage({ name: 'finish', ending: { kind: 'exhausted' } });
      return;
    }
    this.agent.enter('thinking');
    await this.settleGoal(run);
    this.enterStage({ name: 'think', unreadableReplies: 0 });
  }

  /** Asks for the next commands, reads them, and sees to it that work is not repeated. */
  private async thinkOfCommands(run: Run, stage: ThinkStage): Promise<void> {
    const turn = this.agent.turn();
    const key = `think:${turn.step}`;
    const isAnswered = key in turn.replies; // before an interruption
    if (!isAnswered) {
      this.observe();
      if (this.isFulfilled()) {
        this.enterStage({ name: 'finish', ending: { kind: 'ended', summary: await this.end() } });
        return;
      }
      if (!(await this.mayTakeStep(run))) {
        this.enterStage({ name: 'finish', ending: { kind: 'exhausted' } });
        return;
      }
      this.beforeThinking();
    }
    this.agent.enter('thinking');
    const past = isAnswered ? null : await this.past(run);
    await this.askInConversation(run, 'think', key, null, past);
    const first = turn.replies[key] as StoredReply;
    const chosen = await this.withoutRepetition(run, first);
    if (chosen.reply.text !== first.text)
      await this.experience?.settle(null, 'It repeated what had been done.');
    const direct = this.isUndecided ? answerInReply(chosen.reply.text) : null;
    if (direct !== null) {
      this.enterStage({ name: 'finish', ending: { kind: 'answered', answer: direct } });
      return;
    }
    this.agent.enter('acting');
    const { limit, text } = chosen.reply;
    const parsed =
      limit === null
        ? await this.readCommands(run, text, chosen.parsed)
        : withoutHalfCommand(chosen.parsed, cutOff(limit));
    if (parsed.ok) this.acceptReply(chosen.reply, parsed);
    else await this.unreadable(run, chosen.reply, parsed.error, stage.unreadableReplies + 1);
  }

  /** For subclasses: called before the model is asked for the commands of a step. */
  protected beforeThinking(): void {}

  /** Remembers a reply that was read and enters the stage that runs its commands. */
  private acceptReply({ text, limit }: StoredReply, parsed: Extract<ParsedReply, { ok: true }>): void {
    const turn = this.agent.turn();
    if (limit !== null && parsed.repaired) this.agent.state.notes.push(cutOff(limit));
    const { commands, cut } = keepFirstExclusive(
      [...this.accepted(parsed.commands)],
      (name) => this.registry.get(name)?.exclusive === true,
    );
    const content = cut ? formatCommands(commands) : parsed.repaired ? withThought(parsed) : text;
    this.#meant = limit === null ? content : null;
    const said = this.agent.remember(
      this.agent.newMessage(AIMessage, {
        content,
        causeBy: RunCommand,
        metadata: {
          thought: thoughtOf(text, 'think'),
          commands: commands.map(({ name, args }) => ({ name, args })),
          canonical: canonical(commands),
        },
      }),
      true,
    );
    turn.trace.replyId = said.id;
    if (commands.length === 0)
      this.agent.state.notes.push('You gave no commands; give at least one, or end.');
    turn.replies = {};
    this.enterStage({ name: 'act', commands, results: [], attempt: null, isStopped: false, ending: null });
  }

  /** Runs the commands of a reply; each is committed with its effects. */
  private async runCommands(run: Run, stage: ActStage): Promise<void> {
    const { id, step } = this.agent.turn();
    const meant = this.#meant;
    this.#meant = null;
    this.agent.enter('acting');
    if (stage.commands.length === 0) {
      this.completeStep(stage);
      await this.agent.commit(); // emits the end of the step now, not with the next reply
    } else await this.#runner.run(stage, `${id}.${step}`, run);
    const failure = stage.commands.length === 0 ? 'It gave no commands.' : failureOf(stage);
    // A reply after untrusted content is no example for other work.
    await this.experience?.settle(this.agent.state.untrusted === undefined ? meant : null, failure);
  }

  /** Returns the commands of a reply that are run. Override it to skip some. */
  protected accepted(commands: readonly Command[]): readonly Command[] {
    return commands;
  }

  /** Returns a direct answer to a request that needs no work, or null. Only requests of the user are classified. */
  protected async quickThink(run: Run): Promise<string | null> {
    const turn = this.agent.turn();
    if (turn.request?.causeBy !== UserRequirement.id) return null;
    if (turn.category === null) {
      // In the merged call plan a rule decides, or else the first reply of the work itself.
      const merged = this.callPlan === 'merged';
      const rule = merged ? requestCategory(withoutEnvelope(turn.request.content)) : null;
      if (merged && (rule === null || rule === 'AMBIGUOUS')) return null;
      this.agent.enter('classifying');
      turn.category =
        rule ??
        parseCategory(await this.askInConversation(run, 'classify', 'classify', () => this.prompts.classify));
    }
    // A role with a search tool searches as part of its work.
    const works =
      turn.category === 'TASK' || (turn.category === 'SEARCH' && this.registry.has('SearchEnhancedQA.run'));
    if (works) return null;
    const answer = quickAnswer(
      await this.askInConversation(run, 'quick', 'quick', () => this.prompts.quickAnswer),
    );
    if (answer === '') turn.category = 'TASK';
    return answer === '' ? null : answer;
  }

  /** Returns whether the plan is finished and the last step replied to the user, so that no `end` command is needed. */
  protected isFulfilled(): boolean {
    if (this.callPlan !== 'merged' || this.plan.tasks.length === 0) return false;
    const { userReply, step } = this.agent.turn();
    const hasNews = this.agent.unread().some((message) => message.causeBy !== RunCommand.id);
    return this.plan.isPlanFinished() && userReply?.step === step - 1 && !hasNews;
  }

  /** Makes one observation of the results, and ends the step. */
  private completeStep({ results, ending }: ActStage): void {
    const turn = this.agent.turn();
    turn.lastOutput = results.map((result) => result.output).join('\n\n');
    const observation = this.agent.remember(
      this.agent.newMessage(UserMessage, {
        content: turn.lastOutput,
        causeBy: RunCommand,
        metadata: { results: results.map((result): JsonValue => ({ ...result })) },
      }),
    );
    this.stepDone(observation, ending);
  }

  /** Ends the turn: what the other roles get to read. */
  private async finish(ending: Ending): Promise<Outcome> {
    if (ending.kind === 'answered') return this.answered(ending.answer);
    if (ending.kind === 'ended') this.returnToEarlierGoal();
    else await this.experience?.unfinished();
    this.traceRest();
    this.agent.enter('ended');
    const message =
      this.agent.turn().lastOutput === ''
        ? this.agent.newMessage(AIMessage, {
            content: 'No actions taken yet',
            causeBy: RunCommand,
            sentFrom: this.name,
          })
        : this.finishedMessage();
    const summary = ending.kind === 'ended' ? ending.summary : '';
    return { status: ending.kind === 'exhausted' ? 'exhausted' : 'done', summary, message, error: null };
  }

  private finishedMessage(): Message {
    return this.agent.newMessage(AIMessage, {
      content: fill(this.prompts.finished, { outputs: this.agent.turn().lastOutput }),
      causeBy: RunCommand,
      sentFrom: this.name,
    });
  }

  private answered(answer: string): Outcome {
    this.agent.remember(this.agent.newMessage(AIMessage, { content: answer, causeBy: QUICK_THINK }), true);
    this.replyToHuman(answer);
    this.traceRest();
    this.agent.enter('ended');
    const message = this.agent.newMessage(AIMessage, {
      content: answer,
      causeBy: QUICK_THINK,
      sentFrom: this.name,
    });
    return { status: 'done', summary: answer, message, error: null };
  }

  private stepDone(observation: Message, ending: Ended | Paused | null, unreadableReplies = 0): void {
    this.trace(observation.id);
    this.agent.endStep();
    this.enterStage(ending === null ? { name: 'think', unreadableReplies } : { name: 'finish', ending });
  }

  /** Stores the record of a step; the oldest ones are removed. */
  private trace(observationId: string): void {
    const turn = this.agent.turn();
    const { startedAt, ...rest } = turn.trace;
    const now = this.agent.context.runtime.now();
    const trace: StepTrace = {
      role: this.name,
      requirement: turn.request?.id ?? '',
      step: turn.step,
      startedAt: startedAt || now,
      durationMs: Math.max(0, now - (startedAt || now)),
      promptVersion: PROMPT_VERSION,
      ...rest,
      observationId,
      answers: { ...turn.answers, ...this.agent.approvals.answers },
    };
    const number = this.agent.state.stepsTaken++;
    this.agent.journal.put('steps', rowKey(this.name, number), trace);
    if (number >= MAX_STEPS_KEPT)
      this.agent.journal.remove('steps', rowKey(this.name, number - MAX_STEPS_KEPT));
    this.agent.journal.tell({ type: 'step-end', role: this.name, trace });
    turn.trace = newTrace();
  }

  /** Records what happened around the steps: a direct answer, the final reply, a "no" to more steps. */
  private traceRest(): void {
    const { trace, answers } = this.agent.turn();
    if (trace.calls.length > 0 || Object.keys({ ...answers, ...this.agent.approvals.answers }).length > 0)
      this.trace('');
  }

  /** Returns whether another step is allowed. At the limit the user decides; without a user, or with a small limit, the turn ends. */
  private async mayTakeStep(run: Run): Promise<boolean> {
    const turn = this.agent.turn();
    if (turn.step - turn.limitFrom < this.maxReactLoop) return true;
    if (this.maxReactLoop < ASKS_TO_CONTINUE_FROM) return false;
    const answer = await askPermission(this.agent, run, `continue:${turn.step}`, {
      kind: 'question',
      text: fill(this.prompts.continueQuestion, { steps: String(turn.step) }),
      options: ['yes', 'no'],
    });
    if (answer === null || !isYes(answer)) return false;
    turn.limitFrom = turn.step;
    this.agent.enter('thinking');
    return true;
  }

  /** Does nothing: a RoleZero resumes exactly where it failed, so it need not observe the request again. */
  protected override forgetTrigger(): void {}

  /** The reply to use: one that repeats earlier work is asked for again, or becomes a question to the user. */
  private async withoutRepetition(run: Run, reply: StoredReply): Promise<ChosenReply> {
    const parsed = parseCommands(reply.text);
    const accepted = { reply, parsed };
    if (!parsed.ok || parsed.commands.length === 0) return accepted;
    const names = parsed.commands.map((command) => this.registry.get(command.name)?.name ?? command.name);
    if (names.includes('end')) return accepted;
    const { hasConsulted, step, replies } = this.agent.turn();
    const mayRepeat = ({ content }: Message): boolean => hasConsulted && content.includes(NOT_CONFIRMED);
    const seen = repetitions(this.memory.get(DUPLICATE_WINDOW), parsed.commands, mayRepeat);
    if (seen === 0) return accepted;
    if (seen < DUPLICATE_LIMIT) {
      const key = `regenerate:${step}`;
      await this.askInConversation(run, 'regenerate', key, () => this.prompts.regenerate);
      const other = replies[key] as StoredReply;
      return { reply: other, parsed: parseCommands(other.text) };
    }
    if (names.includes('Plan.finish_current_task')) return composedReply({ name: 'end', args: {} });
    const problem = await this.askInConversation(run, 'duplicate-problem', `duplicate-problem:${step}`, () =>
      fill(this.prompts.duplicateProblem, { language: this.language() }),
    );
    const question = fill(this.prompts.askForGuidance, { problem: problem.trim() });
    return composedReply({ name: 'RoleZero.ask_human', args: { question } });
  }

  /** The commands of a reply; when they cannot be read, the model is asked to write them again. */
  private async readCommands(run: Run, reply: string, parsed: ParsedReply): Promise<ParsedReply> {
    if (parsed.ok || reply.trim() === '') return parsed;
    const repaired = await askModel(this.agent, run, {
      purpose: 'repair',
      key: `repair:${this.agent.turn().step}`,
      system: this.prefix,
      text: fill(this.prompts.repair, { reply, error: parsed.error }),
      apart: true,
    });
    const second = parseCommands(repaired.text);
    if (!second.ok) return parsed;
    const thought = reply.slice(0, Math.max(0, reply.search(/```|[[{]/))).trim();
    return { ...second, thought, repaired: true };
  }

  /** Tells the model that its reply could not be read; after several in a row, the user is asked. */
  private async unreadable(run: Run, reply: StoredReply, error: string, times: number): Promise<void> {
    const turn = this.agent.turn();
    const { limit, text } = reply;
    let advice = `Your reply could not be read as commands: ${error} Write a short thought, then exactly one JSON array of {"command_name", "args"} objects in a json code fence.`;
    let ending: Ended | null = null;
    const asksUser = times >= UNREADABLE_LIMIT;
    if (asksUser) {
      const answer = await askUser(this.agent, run, `unreadable:${turn.step}`, {
        kind: 'question',
        text: sentences(
          `The model's last ${UNREADABLE_LIMIT} replies could not be read as commands`,
          limit === null ? '' : `The last one ${describeLimit(limit)}. ${limitAdvice(limit)}`,
          'What should it do? (<STOP> ends the work.)',
        ),
      });
      this.agent.enter('acting');
      if (answer !== null) advice = `${advice}\n\nHuman response: ${answer}`;
      if (answer !== null && asksToStop(answer)) ending = { kind: 'ended', summary: '' };
    }
    const said = this.agent.remember(
      this.agent.newMessage(AIMessage, {
        content: text,
        causeBy: RunCommand,
        metadata: { thought: thoughtOf(text, 'think') },
      }),
      true,
    );
    turn.trace.replyId = said.id;
    turn.lastOutput = advice;
    const observation = this.agent.remember(
      this.agent.newMessage(UserMessage, { content: advice, causeBy: RunCommand }),
    );
    this.stepDone(observation, ending, asksUser ? 0 : times);
    await this.experience?.settle(null, 'It could not be read as commands.');
  }

  /** Runs `RoleZero.ask_human`. Only an explicit stop in the answer ends the turn. */
  private async askHuman(asked: PersonQuestion, callId: string): Promise<string> {
    const run = this.currentRun();
    const { question: text, options = [], default: otherwise } = asked;
    const answerWithinMs = this.#answerWithinMs;
    const answer = await askUser(this.agent, run, `ask:${callId}`, {
      kind: 'question',
      text,
      ...(options.length === 0 ? {} : { options }),
      ...(otherwise === undefined ? {} : { default: otherwise }),
      ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
    });
    if (answer === null) return NOBODY_THERE;
    const turn = this.agent.turn();
    turn.hasConsulted ||= !isNo(answer);
    if (answer === '' && otherwise !== undefined) return DEFAULT_HOLDS;
    if (answer === '' && answerWithinMs !== undefined) return NO_ANSWER;
    if (!asksToStop(answer)) return `Human response: ${answer}`;
    if (!this.isEnding()) {
      this.agent.remember(
        this.agent.newMessage(UserMessage, {
          content: `${answer}\n${STOPPED_BY_PERSON}`,
          causeBy: RunCommand,
        }),
      );
      this.setEnding({ kind: 'ended', summary: '' });
    }
    return `\nCommand end executed:${await this.end()}`;
  }

  /** @throws RoleZeroError `invalid` while the user has not confirmed that the request is understood. */
  private mayPlan(): void {
    if (!this.confirmUnderstanding || this.agent.context.human === null) return;
    if (this.agent.turn().hasConsulted || this.plan.tasks.length > 0) return;
    throw new RoleZeroError('invalid', NOT_CONFIRMED);
  }

  private replyToHuman(content: string): string {
    if (this.agent.context.human === null) return NOBODY_THERE;
    const turn = this.agent.turn();
    turn.userReply = { text: content.slice(0, MAX_REPLY_KEPT), step: turn.step };
    this.agent.journal.tell({ type: 'human-reply', role: this.name, text: content });
    return REPLIED;
  }

  /** Runs `end`: asks for a report unless the user was answered, then for the summary. */
  protected async end(): Promise<string> {
    const run = this.currentRun();
    const turn = this.agent.turn();
    const { step } = turn;
    let summary = '';
    if (turn.userReply === null) {
      const report = await this.askInConversation(run, 'report', `report:${step}`, () =>
        fill(this.prompts.report, { language: this.language() }),
      );
      const words = thoughtOf(report, 'report').trim();
      if (words !== '') this.replyToHuman(words); // small models repeat their commands here, which are not for users
      turn.userReply ??= { text: '', step };
      this.agent.remember(this.agent.newMessage(AIMessage, { content: report, causeBy: RunCommand }), true);
    }
    if (this.useSummary) {
      const reply = await this.askInConversation(run, 'summary', `summary:${step}`, () =>
        fill(this.prompts.summary, { language: this.language() }),
      );
      summary = thoughtOf(reply, 'summary').trim();
    }
    this.setEnding({ kind: 'ended', summary });
    return summary;
  }

  /** For commands: makes the current step the last one until another role answers. */
  protected pause(): void {
    if (!this.isEnding()) this.setEnding({ kind: 'paused' });
  }

  /** Returns whether a command of the current step has ended the turn. */
  private isEnding(): boolean {
    const { stage } = this.agent.turn();
    return stage.name === 'act' && stage.ending?.kind === 'ended';
  }

  private setEnding(ending: Ended | Paused): void {
    const { stage } = this.agent.turn();
    if (stage.name === 'act') stage.ending = ending;
  }

  /** Returns the run of the current command. */
  protected currentRun(): Run {
    if (this.#run === null)
      throw new RoleZeroError('internal', 'A command ran outside a run.', { role: this.name });
    return this.#run;
  }
}

/** Tells the model that its reply was cut off. */
function cutOff(limit: OutputLimit): string {
  const what = limit.tokens === 0 ? 'was cut off at its length limit' : describeLimit(limit);
  const parts = 'a long file in parts, the first with Editor.write, the rest with Editor.append_file.';
  return limit.isEmpty
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${parts}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${parts}`;
}

/** Drops the last command of a cut-off reply that was repaired: it may be half of what the model meant. */
function withoutHalfCommand(parsed: ParsedReply, advice: string): ParsedReply {
  if (!parsed.ok) return { ...parsed, error: advice };
  if (!parsed.repaired) return parsed; // its JSON was complete
  const commands = parsed.commands.slice(0, -1);
  return commands.length > 0 ? { ...parsed, commands } : { ok: false, error: advice, text: '' };
}

/** A reply that the library composed in place of a repeated one. */
function composedReply(command: Command): ChosenReply {
  const text = formatCommands([command]);
  return { reply: { text, limit: null }, parsed: parseCommands(text) };
}

/** Why a step failed; null when every command succeeded. */
function failureOf({ results }: ActStage): string | null {
  return results.find(({ ok }) => !ok)?.output ?? null;
}

function withThought(parsed: Extract<ParsedReply, { ok: true }>): string {
  return sections(parsed.thought, formatCommands(parsed.commands));
}

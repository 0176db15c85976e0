import { RoleZeroError } from '../base/error.js';
import type { StepTrace } from '../base/events.js';
import { fingerprint } from '../base/fingerprint.js';
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
import type { Tool, ToolQuestion } from '../base/tool.js';
import { CommandRunner } from './command-runner.js';
import { parseCommands, type ParsedReply } from '../agent/parse/commands.js';
import { formatCommands, keepFirstExclusive } from './commands.js';
import { asksToStop, isNo, isYes } from './dialogue.js';
import { DUPLICATE_LIMIT, DUPLICATE_WINDOW, canonical, repetitions } from './duplicates.js';
import { withoutEnvelope } from './envelope.js';
import { withoutThinking } from '../agent/parse/reply.js';
import type { Outcome, Run } from './outcome.js';
import { Gate } from './gate.js';
import { describeLimit, limitAdvice, type OutputLimit } from './output-limit.js';
import { fill, sections } from './prompts/template.js';
import { PROMPT_VERSION } from './prompts/prompts.js';
import { answerInReply, parseCategory, quickAnswer } from './quick-think.js';
import { requestCategory } from './request-category.js';
import { LEGACY_NAMES, roleCommands, SPECIAL_TOOL_COMMANDS, type PersonQuestion } from './role-commands.js';
import { NO_GRANT, type Account, type Budget } from './budget.js';
import { rejectUnknown, type RoleZeroOptions } from './role-zero-options.js';
import { rowKey } from './journal.js';
import { CHARACTERS_PER_TOKEN, ConversingRole } from './conversing-role.js';
import { newTrace, type Batch } from './state.js';
import { thoughtOf } from '../agent/parse/thought-text.js';

/** From this limit on the person is asked whether to go on. */
const ASKS_TO_CONTINUE_FROM = 10;
/** After so many replies in a row that cannot be read, the person is asked. */
const UNREADABLE_LIMIT = 3;
/** Traces of steps, for one role. */
const MAX_STEPS_KEPT = 2_000;
/** Characters of the last words to the person that are kept as what a run came to. */
const MAX_REPLY_KEPT = 2_000;
/** Of the window, what one observation may take. */
const OBSERVATION_SHARE = 0.2;

const NOBODY_THERE = 'Not executed: not in MGX environment, nobody is there to talk to.';
const REPLIED =
  'SUCCESS, the person has got your reply. Do not send it again. If nothing is left to do, use the command end.';
const NO_ANSWER =
  'Nobody answered in time. Decide what is most likely wanted and go on; say what you assumed when you report.';
/** Says not what the default was: an address in it would pass for one that the person named. */
const DEFAULT_HOLDS = 'No other answer was given: the default you named holds.';
const NOT_CONFIRMED =
  'The person has not confirmed yet what you understood. Tell them in a few sentences with RoleZero.ask_human, options ["yes", "no"], and plan when you have the answer.';
const STOPPED_BY_PERSON = 'The user has asked to stop because of a problem.';

/**
 * The agent (spec 6): observes, answers at once what needs no work, else thinks and acts in a loop of commands until `end`.
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
  /** The run whose command is being executed; role commands ask through it. */
  #run: Run | null = null;
  /** The reply that was read last, to be looked through for repetitions, then to be run. */
  #read: { reply: string; parsed: ParsedReply } | null = null;
  /** The last question of a command. */
  #asking: Promise<unknown> = Promise.resolve();

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
    const gate = new Gate(this.rules, this.capabilities, {
      name: this.name,
      state: () => this.state,
      reaction: () => this.reaction(),
      memory: () => this.memory.get(),
      aliases: (tool) => this.registry.aliasesOf(tool),
      application: () => [this.goal, this.constraints, this.desc, this.instruction],
      dialogue: this.dialogue,
    });
    this.#runner = new CommandRunner(this.registry, gate, {
      name: this.name,
      state: () => this.state,
      context: () => this.context,
      journal: () => this.journal,
      commit: () => this.commit(),
      dialogue: this.dialogue,
      ask: (run, callId, question) => this.askForTool(run, callId, question),
      observationLimit: () =>
        this.isHuman
          ? Infinity
          : Math.ceil(this.model.contextWindow * CHARACTERS_PER_TOKEN * OBSERVATION_SHARE),
      isSpecial: (name) => this.specialToolCommands.includes(name),
      ended: () => this.reaction().ended,
      traced: (command) => this.reaction().trace.commands.push(command),
      completed: (batch) => this.completeStep(batch),
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

  /** One requirement from its news to its end (architecture §4). Each step finds what an interrupted run has already done. */
  protected override async react(run: Run): Promise<Outcome> {
    this.#run = run;
    await this.offerTools();
    const answer = await this.quickThink(run);
    if (answer !== null) return this.answered(answer);
    if (this.useFixedSop) return super.react(run);
    while (await this.goesOn(run)) {
      if (!(await this.think(run))) break;
      const direct = this.directAnswer();
      if (direct !== null) return this.answered(direct);
      await this.act(run); // each command commits with its effects
    }
    if (!this.reaction().ended) await this.experience?.unfinished();
    return this.finish();
  }

  /** Takes in what has arrived while working; true when there is a step to take. */
  private async goesOn(run: Run): Promise<boolean> {
    if (this.interruptedStep()) return true;
    if (this.resting()) return false;
    this.observe();
    if (this.isFulfilled()) {
      await this.end();
      return false;
    }
    return this.mayTakeStep(run);
  }

  /** The commands of a reply that are run; override to pass over some. */
  protected accepted(commands: readonly Command[]): readonly Command[] {
    return commands;
  }

  /** A direct answer to what needs no work, or null (spec 6.6). Only what a person asks for is classified. */
  protected async quickThink(run: Run): Promise<string | null> {
    const reaction = this.reaction();
    if (reaction.trigger?.causeBy !== UserRequirement.id) return null;
    if (reaction.intent === null) {
      // In the merged plan a rule decides, else the reply that may be the first thought as well.
      const merged = this.callPlan === 'merged';
      const rule = merged ? requestCategory(withoutEnvelope(reaction.trigger.content)) : null;
      if (merged && (rule === null || rule === 'AMBIGUOUS')) return null;
      this.enter('classifying');
      reaction.intent =
        rule ??
        parseCategory(await this.askInConversation(run, 'classify', 'classify', () => this.prompts.classify));
    }
    // A role that can search does so as part of its work.
    const works =
      reaction.intent === 'TASK' ||
      (reaction.intent === 'SEARCH' && this.registry.has('SearchEnhancedQA.run'));
    if (works) return null;
    const answer = quickAnswer(
      await this.askInConversation(run, 'quick', 'quick', () => this.prompts.quickAnswer),
    );
    if (answer === '') reaction.intent = 'TASK';
    return answer === '' ? null : answer;
  }

  /** Settles goal and language, asks for the next commands and sees to it that work is not repeated (spec 6.7). */
  protected override async think(run: Run): Promise<boolean> {
    if (this.useFixedSop) return super.think(run);
    const reaction = this.reaction();
    if (reaction.batch !== null || reaction.commandReply !== null) return true; // thought of before the interruption
    this.enter('thinking');
    await this.settleGoal(run);
    const key = `think:${reaction.totalSteps}`;
    const past = key in reaction.replies ? null : await this.past(run);
    const reply = await this.askInConversation(run, 'think', key, null, past);
    reaction.commandReply = await this.withoutRepetition(run, reply);
    if (reaction.commandReply !== reply)
      await this.experience?.settle(null, 'It repeated what had been done.');
    return true;
  }

  /** What the first reply of the merged plan says instead of commands; null when it has commands. */
  private directAnswer(): string | null {
    const { commandReply } = this.reaction();
    return this.isUndecided && commandReply !== null ? answerInReply(commandReply) : null;
  }

  /** The plan is done and the person was told in the last step: the model need not be asked to say `end`. */
  protected isFulfilled(): boolean {
    if (this.callPlan !== 'merged' || this.plan.tasks.length === 0) return false;
    const { repliedAt, totalSteps } = this.reaction();
    const unread = this.untold().some((message) => message.causeBy !== RunCommand.id);
    return this.plan.isPlanFinished() && repliedAt === totalSteps - 1 && !unread;
  }

  /** Reads the reply, runs its commands and remembers what came of them (spec 6.8). */
  protected override async act(run: Run): Promise<Message> {
    if (this.useFixedSop) return super.act(run);
    const reaction = this.reaction();
    this.enter('acting');
    let meant: string | null = null;
    if (reaction.batch === null) {
      const reply = reaction.commandReply ?? '';
      const parsed = reaction.cut
        ? withoutHalfCommand(parseCommands(reply), cutOff(reaction.limit))
        : await this.readCommands(run, reply);
      if (!parsed.ok) return this.unreadable(run, reply, parsed.error);
      if (reaction.cut && parsed.repaired) this.state.notes.push(cutOff(reaction.limit));
      reaction.unreadable = 0;
      const { commands, cut } = keepFirstExclusive(
        [...this.accepted(parsed.commands)],
        (name) => this.registry.get(name)?.exclusive === true,
      );
      const content = cut ? formatCommands(commands) : parsed.repaired ? withThought(parsed) : reply;
      if (!reaction.cut) meant = content;
      const said = this.remember(
        this.newMessage(AIMessage, {
          content,
          causeBy: RunCommand,
          metadata: {
            thought: thoughtOf(reply, 'think'),
            commands: commands.map(({ name, args }) => ({ name, args })),
            canonical: canonical(commands),
          },
        }),
        true,
      );
      reaction.trace.replyId = said.id;
      if (commands.length === 0) this.state.notes.push('You gave no commands; give at least one, or end.');
      reaction.batch = { commands, results: [], intent: null, stopped: false };
      reaction.commandReply = null;
      reaction.replies = {};
    }
    const batch = reaction.batch;
    if (batch.commands.length === 0) {
      this.completeStep(batch);
      await this.commit(); // that the step is over is told now, and not with the next reply
    } else await this.#runner.run(batch, `${reaction.id}.${reaction.totalSteps}`, run);
    const failure = batch.commands.length === 0 ? 'It gave no commands.' : failureOf(batch);
    // What strangers may have led to is no example for other work.
    await this.experience?.settle(this.state.untrusted === undefined ? meant : null, failure);
    return this.finishedMessage();
  }

  /** What the commands of a reply said is one observation. */
  private completeStep(batch: Batch): void {
    const reaction = this.reaction();
    reaction.outputs = batch.results.map((result) => result.output).join('\n\n');
    const observation = this.remember(
      this.newMessage(UserMessage, {
        content: reaction.outputs,
        causeBy: RunCommand,
        metadata: { results: batch.results.map((result): JsonValue => ({ ...result })) },
      }),
    );
    this.stepDone(observation);
  }

  /** The end of a requirement: what the others get to read. */
  private finish(): Outcome {
    const { summary, outputs, ended } = this.reaction();
    if (ended) this.returnToEarlierGoal();
    this.traceRest();
    this.enter('ended');
    const message =
      outputs === ''
        ? this.newMessage(AIMessage, {
            content: 'No actions taken yet',
            causeBy: RunCommand,
            sentFrom: this.name,
          })
        : this.finishedMessage();
    return { status: this.resting() ? 'done' : 'exhausted', summary, message, error: null };
  }

  /** True when the role stops by itself: the work is done, or goes on elsewhere. */
  private resting(): boolean {
    const { ended, paused } = this.reaction();
    return ended || paused;
  }

  private finishedMessage(): Message {
    return this.newMessage(AIMessage, {
      content: fill(this.prompts.finished, { outputs: this.reaction().outputs }),
      causeBy: RunCommand,
      sentFrom: this.name,
    });
  }

  private answered(answer: string): Outcome {
    this.remember(this.newMessage(AIMessage, { content: answer, causeBy: QUICK_THINK }), true);
    this.replyToHuman(answer);
    this.traceRest();
    this.enter('ended');
    const message = this.newMessage(AIMessage, {
      content: answer,
      causeBy: QUICK_THINK,
      sentFrom: this.name,
    });
    return { status: 'done', summary: answer, message, error: null };
  }

  private stepDone(observation: Message): void {
    const reaction = this.reaction();
    this.trace(observation.id);
    reaction.batch = null;
    reaction.commandReply = null;
    reaction.cut = false;
    delete reaction.limit;
    reaction.replies = {};
    reaction.answers = {};
    reaction.steps += 1;
    reaction.totalSteps += 1;
  }

  /** Keeps what the step was; of very long work the beginning is forgotten. */
  private trace(observationId: string): void {
    const reaction = this.reaction();
    const { startedAt, ...rest } = reaction.trace;
    const now = this.context.runtime.now();
    const trace: StepTrace = {
      role: this.name,
      requirement: reaction.trigger?.id ?? '',
      step: reaction.totalSteps,
      startedAt: startedAt || now,
      durationMs: Math.max(0, now - (startedAt || now)),
      promptVersion: PROMPT_VERSION,
      ...rest,
      observationId,
      answers: { ...reaction.answers },
    };
    const number = this.state.stepsTaken++;
    this.journal.put('steps', rowKey(this.name, number), trace);
    if (number >= MAX_STEPS_KEPT) this.journal.remove('steps', rowKey(this.name, number - MAX_STEPS_KEPT));
    this.journal.tell({ type: 'step-end', role: this.name, trace });
    reaction.trace = newTrace();
  }

  /** What was said around the steps: an answer without any, closing words after the last, a person's no to a further one. */
  private traceRest(): void {
    const { trace, answers } = this.reaction();
    if (trace.calls.length > 0 || Object.keys(answers).length > 0) this.trace('');
  }

  /** True when a reply was given whose commands have not all been run: that comes first, also after an `end` among them. */
  private interruptedStep(): boolean {
    const { batch, commandReply } = this.reaction();
    return batch !== null || commandReply !== null;
  }

  /** At the limit the person decides; without one, or with a small limit, the work just stops (spec 6.5). */
  private async mayTakeStep(run: Run): Promise<boolean> {
    const reaction = this.reaction();
    if (reaction.steps < this.maxReactLoop) return true;
    if (this.maxReactLoop < ASKS_TO_CONTINUE_FROM) return false;
    const answer = await this.dialogue.ask(run, `continue:${reaction.totalSteps}`, {
      kind: 'question',
      text: fill(this.prompts.continueQuestion, { steps: String(reaction.totalSteps) }),
      options: ['yes', 'no'],
    });
    if (answer === null || !isYes(answer)) return false;
    reaction.steps = 0;
    this.enter('thinking');
    return true;
  }

  /** A RoleZero goes on exactly where it failed; there is nothing to observe again. */
  protected override forgetTrigger(): void {}

  /** A reply that repeats what was done is asked for again, or becomes a question to the person (spec 6.10). */
  private async withoutRepetition(run: Run, reply: string): Promise<string> {
    const parsed = parseCommands(reply);
    this.#read = { reply, parsed };
    if (!parsed.ok || parsed.commands.length === 0) return reply;
    const names = parsed.commands.map((command) => this.registry.get(command.name)?.name ?? command.name);
    if (names.includes('end')) return reply;
    const { conferred } = this.reaction();
    const mayRepeat = ({ content }: Message): boolean => conferred && content.includes(NOT_CONFIRMED);
    const seen = repetitions(this.memory.get(DUPLICATE_WINDOW), parsed.commands, mayRepeat);
    if (seen === 0) return reply;
    const step = this.reaction().totalSteps;
    if (seen < DUPLICATE_LIMIT) {
      return this.askInConversation(run, 'regenerate', `regenerate:${step}`, () => this.prompts.regenerate);
    }
    if (names.includes('Plan.finish_current_task')) return formatCommands([{ name: 'end', args: {} }]);
    const problem = await this.askInConversation(run, 'duplicate-problem', `duplicate-problem:${step}`, () =>
      fill(this.prompts.duplicateProblem, { language: this.language() }),
    );
    const question = fill(this.prompts.askForGuidance, { problem: problem.trim() });
    return formatCommands([{ name: 'RoleZero.ask_human', args: { question } }]);
  }

  /** The commands of a reply; when they cannot be read, as the model writes them again (spec 8.5). */
  private async readCommands(run: Run, reply: string): Promise<ParsedReply> {
    const parsed = this.#read?.reply === reply ? this.#read.parsed : parseCommands(reply);
    this.#read = null; // what is run may change
    if (parsed.ok || reply.trim() === '') return parsed;
    const repaired = await this.ask(run, {
      purpose: 'repair',
      key: `repair:${this.reaction().totalSteps}`,
      system: this.prefix,
      text: fill(this.prompts.repair, { reply, error: parsed.error }),
      apart: true,
    });
    const second = parseCommands(repaired);
    if (!second.ok) return parsed;
    const thought = reply.slice(0, Math.max(0, reply.search(/```|[[{]/))).trim();
    return { ...second, thought, repaired: true };
  }

  /** Nothing could be read: the model is told, and after the third time in a row the person is asked. */
  private async unreadable(run: Run, reply: string, error: string): Promise<Message> {
    const reaction = this.reaction();
    let advice = `Your reply could not be read as commands: ${error} Write a short thought, then exactly one JSON array of {"command_name", "args"} objects in a json code fence.`;
    if (reaction.unreadable + 1 >= UNREADABLE_LIMIT) {
      const answer = await this.dialogue.ask(run, `unreadable:${reaction.totalSteps}`, {
        kind: 'question',
        text: sentences(
          `The model's last ${UNREADABLE_LIMIT} replies could not be read as commands`,
          reaction.limit === undefined
            ? ''
            : `The last one ${describeLimit(reaction.limit)}. ${limitAdvice(reaction.limit)}`,
          'What should it do? (<STOP> ends the work.)',
        ),
      });
      reaction.unreadable = 0;
      this.enter('acting');
      if (answer !== null && asksToStop(answer)) {
        reaction.ended = true;
        advice = `${advice}\n\nHuman response: ${answer}`;
      } else if (answer !== null) advice = `${advice}\n\nHuman response: ${answer}`;
    } else reaction.unreadable += 1;
    const said = this.remember(
      this.newMessage(AIMessage, {
        content: reply,
        causeBy: RunCommand,
        metadata: { thought: thoughtOf(reply, 'think') },
      }),
      true,
    );
    reaction.trace.replyId = said.id;
    reaction.outputs = advice;
    this.stepDone(this.remember(this.newMessage(UserMessage, { content: advice, causeBy: RunCommand })));
    await this.experience?.settle(null, 'It could not be read as commands.');
    return this.finishedMessage();
  }

  /** `RoleZero.ask_human` (spec 6.11): the explicit word stops the work, nothing else does. */
  private async askHuman(asked: PersonQuestion, callId: string): Promise<string> {
    const run = this.currentRun();
    const { question: text, options = [], default: otherwise } = asked;
    const answerWithinMs = this.#answerWithinMs;
    const answer = await this.dialogue.ask(run, `ask:${callId}`, {
      kind: 'question',
      text,
      ...(options.length === 0 ? {} : { options }),
      ...(otherwise === undefined ? {} : { default: otherwise }),
      ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
    });
    if (answer === null) return NOBODY_THERE;
    const reaction = this.reaction();
    reaction.conferred ||= !isNo(answer);
    if (answer === '' && otherwise !== undefined) return DEFAULT_HOLDS;
    if (answer === '' && answerWithinMs !== undefined) return NO_ANSWER;
    if (!asksToStop(answer)) return `Human response: ${answer}`;
    if (!reaction.ended) {
      this.remember(
        this.newMessage(UserMessage, {
          content: `${answer}\n${STOPPED_BY_PERSON}`,
          causeBy: RunCommand,
        }),
      );
      reaction.ended = true;
    }
    return `\nCommand end executed:${await this.end()}`;
  }

  /** @throws RoleZeroError `invalid` while the person has not been asked whether the requirement is understood. */
  private mayPlan(): void {
    if (!this.confirmUnderstanding || this.context.human === null) return;
    if (this.reaction().conferred || this.plan.tasks.length > 0) return;
    throw new RoleZeroError('invalid', NOT_CONFIRMED);
  }

  private replyToHuman(content: string): string {
    if (this.context.human === null) return NOBODY_THERE;
    const reaction = this.reaction();
    reaction.replied = true;
    reaction.repliedAt = reaction.totalSteps;
    reaction.reply = content.slice(0, MAX_REPLY_KEPT);
    this.journal.tell({ type: 'human-reply', role: this.name, text: content });
    return REPLIED;
  }

  /** The closing words (spec 6.11.1): a report unless the person was answered, then the summary. */
  protected async end(): Promise<string> {
    const run = this.currentRun();
    const reaction = this.reaction();
    const step = reaction.totalSteps;
    if (!reaction.replied) {
      const report = await this.askInConversation(run, 'report', `report:${step}`, () =>
        fill(this.prompts.report, { language: this.language() }),
      );
      const words = thoughtOf(report, 'report').trim();
      if (words !== '') this.replyToHuman(words); // small models repeat their commands here: those are not for users
      reaction.replied = true;
      this.remember(this.newMessage(AIMessage, { content: report, causeBy: RunCommand }), true);
    }
    if (this.useSummary) {
      const summary = await this.askInConversation(run, 'summary', `summary:${step}`, () =>
        fill(this.prompts.summary, { language: this.language() }),
      );
      reaction.summary = thoughtOf(summary, 'summary').trim();
    }
    reaction.ended = true;
    return reaction.summary;
  }

  /** A question of a command, apart from the conversation. Commands that run beside each other ask one after the other. */
  private async askForTool(
    run: Run,
    callId: string,
    { text, purpose = 'other', maxOutputTokens }: ToolQuestion,
  ): Promise<string> {
    const before = this.#asking;
    const reply = (async () => {
      await before.catch(() => {}); // its own command has heard of it
      run.signal.throwIfAborted();
      return this.ask(run, {
        purpose,
        key: `tool:${callId}:${fingerprint(text, purpose)}`,
        text,
        apart: true,
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      });
    })();
    this.#asking = reply;
    return withoutThinking(await reply).trim();
  }

  /** The run whose command is being executed. */
  protected currentRun(): Run {
    if (this.#run === null)
      throw new RoleZeroError('internal', 'A command ran outside a run.', { role: this.name });
    return this.#run;
  }

  protected override accounts(): (Account | null | undefined)[] {
    const reaction = this.reaction();
    const own: Account = {
      whose: 'run',
      budget: this.budget,
      spent: reaction.usage,
      grant: reaction.grant ?? NO_GRANT,
      advice: 'Raise it with the option budget, then resume.',
      decide: (grant) => (reaction.grant = grant),
    };
    return [own, ...super.accounts()];
  }
}

/** What the model reads about a reply that lacks its end. */
function cutOff(limit: OutputLimit | undefined): string {
  const what = limit === undefined ? 'was cut off at its length limit' : describeLimit(limit);
  const parts = 'a long file in parts, the first with Editor.write, the rest with Editor.append_file.';
  return limit?.isEmpty === true
    ? `Your reply ${what}, so no command was run. Think less, and write less at a time: ${parts}`
    : `Your reply ${what}; its last, incomplete command was not run. Write less at a time: ${parts}`;
}

/** A reply that was cut off can be completed to something that reads well and is half of what was meant: that must not run. */
function withoutHalfCommand(parsed: ParsedReply, advice: string): ParsedReply {
  if (!parsed.ok) return { ...parsed, error: advice };
  if (!parsed.repaired) return parsed; // its JSON was complete
  const commands = parsed.commands.slice(0, -1);
  return commands.length > 0 ? { ...parsed, commands } : { ok: false, error: advice, text: '' };
}

/** Why a step did not work; null when everything did. */
function failureOf({ results }: Batch): string | null {
  return results.find(({ ok }) => !ok)?.output ?? null;
}

function withThought(parsed: Extract<ParsedReply, { ok: true }>): string {
  return sections(parsed.thought, formatCommands(parsed.commands));
}

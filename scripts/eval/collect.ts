import type { AgentEvent, Command, Question, StepTrace } from 'rolezero';
import { parseCommands } from '../../src/agent/parse/commands.js';
import { PROMPTS } from '../../src/agent/prompt/prompts.js';
import { failure } from './checks.js';
import {
  NO_ANSWER,
  NOTHING_MEASURED,
  type Attempted,
  type Failure,
  type Measures,
  type PlannedTask,
  type Task,
  type TextFiles,
} from './task.js';

/** What marks a message to the user that was not confirmed: sent back to the model, or shown with the records. */
const CLAIMED = 'Your message says:';
const RECORDS = `[${PROMPTS.facts.slice(0, PROMPTS.facts.indexOf(':'))}`;

/** Reads the events of an attempt, and answers its questions. */
export class Collector {
  readonly #answers: readonly string[];
  readonly #questions: string[] = [];
  #measures: Measures = NOTHING_MEASURED;
  #answer = '';
  #plan: readonly PlannedTask[] = [];
  #stopped: Failure | null = null;
  #startedAt: number | null = null;
  readonly #run = new Set<string>();

  constructor({ answers = [] }: Task) {
    this.#answers = answers;
  }

  mayContinue(): boolean {
    return this.#stopped === null;
  }

  /** Ends the attempt for a reason. The first reason counts. */
  stop(reason: Failure): void {
    this.#stopped ??= reason;
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'run-start':
        this.#answer = '';
        this.#startedAt ??= performance.now();
        break;
      case 'reply-delta':
        if (this.#measures.firstWordMs === 0 && this.#startedAt !== null)
          this.#measure({ firstWordMs: performance.now() - this.#startedAt });
        break;
      case 'command-end':
        if (!event.ok && event.output.includes('There is no command ')) this.#measure({ invented: 1 });
        if (!event.ok && event.output.includes(CLAIMED)) this.#measure({ falseClaims: 1 });
        break;
      case 'human-reply':
        this.#answer += `${event.text}\n`;
        if (event.text.includes(RECORDS)) this.#measure({ falseClaims: 1 });
        break;
      case 'plan-changed': {
        const tasks = event.plan.tasks.map(({ instruction, isFinished }) => ({
          text: instruction,
          done: isFinished,
        }));
        if (tasks.length >= this.#plan.length) this.#plan = tasks;
        break;
      }
      case 'usage':
        this.#measure({
          calls: 1,
          promptTokens: event.promptTokens,
          completionTokens: event.completionTokens,
        });
        break;
      case 'step-end': {
        const { replyId, commands, calls } = event.trace;
        if (replyId === '') break; // An answer without work, or closing words.
        const isInvalid = commands.length === 0 || calls.some(({ purpose }) => purpose === 'repair');
        this.#measure({
          steps: 1,
          invalidReplies: isInvalid ? 1 : 0,
          ...this.#comparedWithReply(event.trace),
        });
        break;
      }
      case 'run-end':
        this.#answer += event.summary;
        if (event.status !== 'done') this.stop(this.#unfinished(event));
        break;
      default:
        break;
    }
  }

  /** Answers a question of the agent. */
  answer({ kind, text }: Question): string {
    if (kind === 'approval') return 'yes';
    if (text.startsWith("The model's last ") && text.includes('could not be read as commands')) {
      this.stop(failure('invalid replies', 'Three replies in a row could not be read as commands.'));
      return '<STOP>';
    }
    if (isFrom(PROMPTS.askForGuidance, text)) {
      this.stop(failure('repeated itself', 'The model repeated the same commands.'));
      return '<STOP>';
    }
    if (isFrom(PROMPTS.continueQuestion, text)) return 'no';
    this.#questions.push(text);
    return this.#answers[this.#questions.length - 1] ?? NO_ANSWER;
  }

  /**
   * @param ms that the requests took
   * @param printed by the probe of the task
   */
  attempted(files: TextFiles, ms: number, printed = ''): Attempted {
    const [answer, questions] = [this.#answer.trim(), this.#questions];
    const result = { files, answer, questions, plan: this.#plan, printed };
    return { result, stopped: this.#stopped, measures: { ...this.#measures, ms } };
  }

  /** Compares the commands of a step with the reply that they come from, and with those of earlier steps. */
  #comparedWithReply({ calls, commands }: StepTrace): Pick<Measures, 'invented' | 'dropped' | 'repeated'> {
    const replies = calls.filter(({ purpose }) => ['think', 'regenerate', 'repair'].includes(purpose));
    const own = replies
      .filter(({ purpose }) => purpose !== 'repair')
      .map(({ reply, calls = [] }) => [reply, ...calls.map(({ name }) => name)].join('\n'));
    // After several repetitions, the library asks the user itself.
    const isComposed = calls.some(({ purpose }) => purpose === 'duplicate-problem');
    const isWritten = ({ name }: Command) =>
      own.length === 0 || isComposed || own.some((reply) => reply.includes(name.split('.').at(-1) ?? ''));
    const last = replies.at(-1);
    const parsed = parseCommands(last?.reply ?? '');
    const written = last?.calls?.length ?? (parsed.ok ? parsed.commands.length : 0);
    const keys = commands
      .filter(({ name }) => name !== 'end')
      .map(({ name, args }) => JSON.stringify([name, args]));
    const repeated = keys.filter((key) => this.#run.has(key)).length;
    for (const key of keys) this.#run.add(key);
    return {
      invented: commands.filter((command) => !isWritten(command)).length,
      dropped: Math.max(0, written - commands.length),
      repeated,
    };
  }

  #measure(more: Partial<Measures>): void {
    const sums = Object.entries(more).map(([name, value]) => [
      name,
      this.#measures[name as keyof Measures] + value,
    ]);
    this.#measures = { ...this.#measures, ...(Object.fromEntries(sums) as Partial<Measures>) };
  }

  #unfinished({ status, error }: Extract<AgentEvent, { type: 'run-end' }>): Failure {
    if (status === 'exhausted' && error === null) {
      const { steps, invalidReplies } = this.#measures;
      return invalidReplies * 2 > steps
        ? failure('invalid replies', `${invalidReplies} of ${steps} replies could not be read as commands.`)
        : failure('step limit', `The work was not done after ${steps} steps.`);
    }
    const { code = status, message = 'The run ended without a result.' } = error ?? {};
    if (code === 'model-timeout') return failure('timeout', message);
    const isOfModel = code.startsWith('model-') || code === 'context-overflow';
    return failure(isOfModel ? 'model error' : 'agent error', `${code}: ${message}`);
  }
}

/** Returns whether a text was made from a template: it contains the fixed parts of the template in order. */
function isFrom(template: string, text: string): boolean {
  let at = 0;
  return template.split(/\{\w+\}/u).every((part) => {
    const found = text.indexOf(part.trim(), at);
    at = found + part.trim().length;
    return found >= 0;
  });
}

import type { AgentEvent, PlanData, Question } from 'rolezero';
import { plainLine, plainText } from './plain-text.js';

type Color = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan';

const CODES: Record<Color, [on: number, off: number]> = {
  dim: [2, 22],
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

const MOST_OUTPUT_LINES = 4;

/**
 * Formats events as text for a terminal. All text of a model or a tool is sanitized first. The output only grows: the
 * cursor is never moved, so that a log file reads like the screen.
 */
export class View {
  /** The text that is streaming. */
  #streaming: string | null = null;
  /** The cursor is in the middle of its line. */
  #inLine = false;
  /** The plan to show before the next output that is not a command, and the plan shown last. */
  #plan = '';
  #shownPlan = '';
  #tokens = { calls: 0, prompt: 0, completion: 0, cached: 0, usd: 0 };

  constructor(private readonly colors: boolean) {}

  /** Returns the text to print for an event; often none. */
  show(event: AgentEvent): string {
    switch (event.type) {
      case 'run-start': {
        this.#tokens = { calls: 0, prompt: 0, completion: 0, cached: 0, usd: 0 };
        const what = event.resumed ? 'Continuing' : 'Request';
        return (
          this.thoughtEnd() +
          this.line(`${this.paint('bold', `▶ ${what}:`)} ${plainLine(event.request, 400)}`)
        );
      }
      case 'reasoning-delta':
        return this.streamed(`reasoning:${event.purpose}`, event.text);
      case 'thought-delta':
        // The output of other calls reaches the user as a reply or a summary.
        return event.purpose === 'think' ? this.streamed('thought', event.text) : '';
      case 'thought-end':
        return this.thoughtEnd();
      case 'command-end':
        return this.command(event);
      case 'plan-changed':
        this.#plan = this.checklist(event.plan);
        return '';
      case 'human-reply': {
        const name = this.paint('cyan', `● ${plainLine(event.role, 40)}:`);
        return (
          this.plan() + this.line(`${name} ${indented(this.paint('bold', plainText(event.text).trim()))}`)
        );
      }
      case 'usage':
        this.#tokens.calls += 1;
        this.#tokens.prompt += event.promptTokens;
        this.#tokens.completion += event.completionTokens;
        this.#tokens.cached += event.cachedPromptTokens;
        this.#tokens.usd += event.costUsd;
        return '';
      case 'call-retry':
        return this.thoughtEnd();
      case 'warning':
        return this.line(
          this.paint('yellow', `! ${plainLine(event.code, 40)}: ${plainLine(event.message, 600)}`),
        );
      case 'run-end':
        return this.plan() + this.end(event) + this.usage();
      case 'human-question': // Asked where an answer can be given: see `question`.
      case 'approval-request':
      case 'reply-delta':
      case 'phase':
      case 'call-start':
      case 'command-start':
      case 'step-end':
      case 'command-output-delta':
      case 'file-changed':
      case 'page-changed':
      case 'memory-recalled':
      case 'conversation-changed':
      case 'queue-changed':
      case 'notes-changed':
      case 'storage-persistence':
      case 'session-held':
      case 'model-progress':
        return '';
    }
  }

  /** Formats a question with its numbered options. */
  question(question: Question): string {
    const options = (question.options ?? []).map(
      (option, index) => `\n    ${index + 1}. ${plainLine(option, 200)}`,
    );
    const { command, default: otherwise } = question;
    if (otherwise !== undefined) options.push(`\n    (empty: ${plainLine(otherwise, 200)})`);
    const asked =
      question.kind === 'approval' && command !== undefined
        ? `${plainText(question.text).trim()}\n${plainLine(`${command.name} ${JSON.stringify(command.args)}`, 600)}`
        : plainText(question.text).trim();
    return this.plan() + this.line(`${this.paint('yellow', '?')} ${indented(asked)}${options.join('')}`);
  }

  /** Formats an answer that was not typed, after its question. */
  answer(text: string, remark = ''): string {
    const after = remark === '' ? '' : ` ${this.paint('dim', `(${remark})`)}`;
    return this.line(`  ${this.paint('dim', '→')} ${indented(plainText(text))}${after}`);
  }

  /** Formats a message of this script, not of the agent. */
  note(text: string, color: Color = 'dim'): string {
    return this.line(this.paint(color, text));
  }

  private streamed(kind: string, text: string): string {
    const words = plainText(text);
    const begins = this.#streaming !== kind;
    if (words === '' || (begins && words.trim() === '')) return '';
    // A model begins each step by thinking: an empty line separates them.
    const before = begins ? `${this.plan()}${this.line(this.#streaming === null ? '' : undefined)}` : '';
    this.#streaming = kind;
    this.#inLine = !words.endsWith('\n');
    return before + this.paint('dim', words);
  }

  private thoughtEnd(): string {
    this.#streaming = null;
    return this.line();
  }

  private command(event: AgentEvent<'command-end'>): string {
    const talk = event.name === 'RoleZero.reply_to_human' || event.name === 'RoleZero.ask_human';
    if (talk && event.ok) return this.line(); // Its text is displayed already.
    const mark = event.ok ? this.paint('green', '✓') : this.paint('red', '✗');
    const about = plainLine(mainArgument(event.args), 60);
    const time = this.paint('dim', duration(event.durationMs));
    const words = [mark, plainLine(event.name, 60), about, time].filter((word) => word !== '');
    return this.line(words.join(' ')) + (event.ok ? '' : this.faultOf(event.output));
  }

  private faultOf(output: string): string {
    const lines = plainText(output)
      .split('\n')
      .filter((line) => line.trim() !== '');
    const shown = lines.slice(0, MOST_OUTPUT_LINES).map((line) => `    ${plainLine(line, 200)}\n`);
    return this.paint('dim', shown.join('') + (lines.length > MOST_OUTPUT_LINES ? '    …\n' : ''));
  }

  private checklist({ tasks, currentTaskId }: PlanData): string {
    return tasks
      .map(({ taskId, instruction, isFinished }) => {
        const mark = isFinished ? 'x' : taskId === currentTaskId ? '>' : ' ';
        const text = `  [${mark}] ${plainLine(taskId, 20)}. ${plainLine(instruction, 120)}`;
        return `${mark === '>' ? this.paint('bold', text) : text}\n`;
      })
      .join('');
  }

  /** The plan, unless it was shown last. */
  private plan(): string {
    if (this.#plan === this.#shownPlan) return '';
    this.#shownPlan = this.#plan;
    return this.line() + this.#plan;
  }

  private end({ status, summary, error }: AgentEvent<'run-end'>): string {
    const result = summary.trim() === '' ? '' : ` ${indented(plainText(summary).trim())}`;
    switch (status) {
      case 'done':
        return this.line(`${this.paint('green', '✓ Done.')}${result}`);
      case 'waiting':
        return this.line(this.paint('yellow', '? Waiting for an answer.'));
      case 'stopped':
        return this.line(`${this.paint('yellow', '■ Stopped.')}${result}`);
      case 'exhausted':
        return this.line(`${this.paint('yellow', '■ Stopped at a limit.')}${result}`);
      case 'failed':
        return this.failure(error ?? { code: 'internal', message: summary });
    }
  }

  /** An error with its code. */
  failure(error: { code: string; message: string }): string {
    const what = this.paint('red', `✗ Failed (${plainLine(error.code, 40)}):`);
    return this.line(`${what} ${indented(plainText(error.message).slice(0, 2_000))}`);
  }

  private usage(): string {
    const { calls, prompt, completion, cached, usd } = this.#tokens;
    if (prompt + completion === 0) return '';
    const count = (number: number) => number.toLocaleString('en-US');
    const again = cached === 0 ? '' : ` (${count(cached)} of them cached)`;
    const cost = usd === 0 ? '' : `, $${usd.toFixed(4)}`;
    return this.note(
      `  ${count(calls)} ${calls === 1 ? 'call' : 'calls'}, ${count(prompt)} tokens in${again}, ${count(completion)} out${cost}`,
    );
  }

  /** A separate line; without text, the end of the current line. */
  private line(text?: string): string {
    const before = this.#inLine ? '\n' : '';
    this.#inLine = false;
    return text === undefined ? before : `${before}${text}\n`;
  }

  private paint(color: Color, text: string): string {
    const [on, off] = CODES[color];
    return this.colors && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }
}

/** Indents all lines after the first. */
function indented(text: string): string {
  return text.replace(/\n(?!\n)/g, '\n  ');
}

function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The argument that distinguishes commands of one name. */
function mainArgument(args: Record<string, unknown>): string {
  const texts = [args['path'], args['task_id'], ...Object.values(args)];
  return texts.find((value) => typeof value === 'string' && value !== '')?.toString() ?? '';
}

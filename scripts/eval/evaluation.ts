import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import type { ToolCall } from '../../src/core/model.js';
import { Agent, AgentError, launchBrowser } from '../try/browser.js';
import { CALLS, servePage } from '../try/page-server.js';
import { Interrupts } from '../try/interrupts.js';
import { plainLine, plainText, withoutSecret } from '../try/plain-text.js';
import { openProfile } from '../try/profile.js';
import { runInAiSdk } from './ai-sdk-loop.js';
import type { EvalOptions } from './arguments.js';
import { judge } from './judge.js';
import { attemptLine, reportText, totalsByLoop, type Attempt, type Loop, type Report } from './report.js';
import { runInWorker } from './rolezero-loop.js';
import { Sandbox } from './sandbox.js';
import { kindOf, webPageOf, type Attempted, type RecordedCall, type Task } from './task.js';
import { ALL_TASKS } from './tasks/index.js';
import { transcriptOf } from './transcript.js';

const EXIT_CODES = { complete: 0, unusable: 1, interrupted: 3 } as const;

/** After this many errors in a row the model cannot be used, and the evaluation ends. */
const MOST_ERRORS = 5;

/** A task that is to be run. */
interface Job {
  task: Task;
  loop: Loop;
  round: number;
}

/** What a model wrote in one attempt. */
export interface Recording {
  model: string;
  task: string;
  /** What was asked for; null where the model decided. */
  replyFormat: EvalOptions['replyFormat'];
  preset: EvalOptions['preset'];
  temperature: number | null;
  solved: boolean;
  /** In the order of the calls. */
  replies: readonly { purpose: string; text: string; calls?: readonly ToolCall[] }[];
}

/** One call of the script. */
export class Evaluation {
  readonly #secret: string | undefined;
  readonly #sandbox = new Sandbox();
  readonly #interrupts = new Interrupts(() => this.#mayStop());
  readonly #stopping = new AbortController();
  readonly #startedAt = new Date();
  readonly #jobs: readonly Job[];
  readonly #attempts: Attempt[] = [];
  /** Calls to the model by session, for transcripts. */
  readonly #calls = new Map<string, RecordedCall[]>();
  /** Stops everything that was started, the newest first. */
  readonly #closing: (() => Promise<unknown>)[] = [() => this.#sandbox.close()];
  #isRunning = false;
  #errors = 0;

  constructor(private readonly options: EvalOptions) {
    const { model, tasks, loops, repeat } = options;
    this.#secret = model.kind === 'remote' ? model.apiKey : undefined;
    this.#jobs = Array.from({ length: repeat }, (_, at) => at + 1).flatMap((round) =>
      tasks.flatMap((task) => loops.map((loop) => ({ task, loop, round }))),
    );
  }

  /** Returns the exit code. Browsers and servers have ended when it resolves. */
  async run(): Promise<number> {
    const quit = this.#interrupts.quit.then(() => EXIT_CODES.interrupted);
    try {
      return await Promise.race([this.#work(), quit]);
    } catch (error) {
      const code = error instanceof AgentError ? `${error.code}: ` : '';
      const message = error instanceof Error ? error.message : String(error);
      this.#print(process.stderr, `${plainText(`${code}${message}`)}\n`);
      return EXIT_CODES.unusable;
    } finally {
      // What did not start cannot be stopped; its error was printed before.
      for (const end of this.#closing.toReversed()) await end().catch(() => {});
      this.#interrupts.close();
    }
  }

  async #work(): Promise<number> {
    for (const folder of [this.options.transcripts, this.options.record])
      if (folder !== null) await mkdir(folder, { recursive: true });
    await this.#write(); // Fails before any work where the file cannot be written.
    const { model, concurrency } = this.options;
    const profile = await openProfile(this.options.profile);
    this.#closing.push(() => profile.discard());
    const server = await this.#started(
      servePage({
        webPage: (id, url) => webPageOf(ALL_TASKS.find((task) => task.id === id) ?? {}, url),
        onCall: (session, call) => this.#calls.get(session)?.push(JSON.parse(call) as RecordedCall),
      }),
    );
    const browser = await this.#started(
      launchBrowser(profile.directory, server.port, model.kind === 'web-llm'),
    );
    await this.#prepare(browser);
    this.#isRunning = true;
    const jobs = this.#jobs.values();
    await Promise.all(Array.from({ length: concurrency }, () => this.#runAll(jobs, browser)));
    this.#print(process.stdout, `\n${reportText(this.#report())}`);
    if (this.#attempts.length === this.#jobs.length) return EXIT_CODES.complete;
    return this.#errors >= MOST_ERRORS ? EXIT_CODES.unusable : EXIT_CODES.interrupted;
  }

  /** Opens a session, and loads a model of the browser, so that no task fails at its limit because of a download. */
  async #prepare(browser: BrowserContext): Promise<void> {
    const { model } = this.options;
    let shown = '';
    const errors: AgentError[] = [];
    const agent = await Agent.start(browser.pages()[0] ?? (await browser.newPage()), {
      ask: () => Promise.resolve(null),
      tell: (events) => {
        for (const event of events) {
          const text = event.type === 'model-progress' ? plainLine(event.text, 60) : '';
          if (text !== '' && text !== shown) this.#print(process.stderr, `${text}\n`);
          shown = text || shown;
          if (event.type === 'run-end' && event.error !== null)
            errors.push(new AgentError(event.error.code, event.error.message));
        }
        return Promise.resolve();
      },
    });
    const session = `prepare-${randomUUID()}`;
    await agent.open(session, model);
    if (model.kind === 'web-llm') await agent.run('Say hello.');
    const [failed] = errors;
    if (failed !== undefined) throw failed;
    await agent.discard();
  }

  /** Runs jobs until there are no more, the user interrupts, or the model cannot be used. */
  async #runAll(jobs: Iterator<Job, undefined>, browser: BrowserContext): Promise<void> {
    while (!this.#isStopping() && this.#errors < MOST_ERRORS) {
      const { value: job, done } = jobs.next();
      if (done === true) return;
      const attempt = await this.#attempt(job, browser);
      if (this.#isStopping()) return; // It was interrupted: it says nothing about the model.
      const isError = attempt.cause === 'model error' || attempt.cause === 'agent error';
      this.#errors = isError ? this.#errors + 1 : 0;
      this.#attempts.push(attempt);
      this.#print(process.stdout, `${attemptLine(attempt, this.options.repeat > 1)}\n`);
      await this.#write();
    }
  }

  async #attempt({ task, loop, round }: Job, browser: BrowserContext): Promise<Attempt> {
    const session = `eval-${randomUUID()}`;
    const calls: RecordedCall[] = [];
    this.#calls.set(session, calls);
    const attempted = await this.#runTask(task, loop, browser, session);
    this.#calls.delete(session);
    const failed = await judge(task, attempted, this.#sandbox.evaluate);
    const { ms, firstWordMs, ...measures } = attempted.measures;
    const attempt: Attempt = {
      task: task.id,
      kind: kindOf(task),
      loop,
      round,
      solved: failed === null,
      cause: failed?.cause ?? null,
      reason: withoutSecret(plainText(failed?.reason ?? ''), this.#secret),
      ...measures,
      firstWordMs: Math.round(firstWordMs),
      ms: Math.round(ms),
    };
    await this.#writeTranscript(attempt, task, calls);
    await this.#writeRecording(attempt, calls);
    return attempt;
  }

  async #writeTranscript(attempt: Attempt, task: Task, calls: readonly RecordedCall[]): Promise<void> {
    const { transcripts, repeat } = this.options;
    if (transcripts === null) return;
    const parts = [attempt.task.replace('/', '-'), attempt.loop, ...(repeat > 1 ? [attempt.round] : [])];
    const text = withoutSecret(transcriptOf(attempt, task, calls), this.#secret);
    await writeFile(join(transcripts, `${parts.join('-')}.md`), text);
  }

  async #writeRecording(attempt: Attempt, calls: readonly RecordedCall[]): Promise<void> {
    const { record, model, replyFormat, preset, temperature } = this.options;
    if (record === null || attempt.loop !== 'rolezero') return;
    const recording: Recording = {
      model: model.model,
      task: attempt.task,
      replyFormat,
      preset,
      temperature,
      solved: attempt.solved,
      replies: calls.flatMap(({ purpose, text, calls: native }) =>
        text === undefined ? [] : [{ purpose, text, ...(native !== undefined && { calls: native }) }],
      ),
    };
    const name = attempt.task.replace('/', '-') + (attempt.round > 1 ? `-${attempt.round}` : '');
    const json = withoutSecret(JSON.stringify(recording, null, 2), this.#secret);
    await writeFile(join(record, `${name}.json`), `${json}\n`);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #runTask(task: Task, loop: Loop, browser: BrowserContext, session: string): Promise<Attempted> {
    const { model, minutes, replyFormat, preset, temperature, transcripts, record } = this.options;
    const limits = { minutes: minutes ?? task.minutes, signal: this.#stopping.signal };
    const isRecorded = transcripts !== null || record !== null;
    if (loop === 'ai-sdk' && model.kind === 'remote') {
      const onCall = isRecorded
        ? (call: RecordedCall) => void this.#calls.get(session)?.push(call)
        : undefined;
      return runInAiSdk(task, model, { ...limits, temperature, onCall });
    }
    const calls = isRecorded ? CALLS + session : null;
    return runInWorker(task, browser, model, session, limits, { replyFormat, preset, temperature, calls });
  }

  #report(): Report {
    const { model, replyFormat, preset, temperature } = this.options;
    const remote = model.kind === 'remote' ? model : null;
    return {
      version: 1,
      model: model.model,
      server: remote === null ? null : new URL(remote.baseURL).host,
      contextWindow: remote?.contextWindow ?? null,
      replyFormat,
      preset,
      temperature,
      startedAt: this.#startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      planned: this.#jobs.length,
      totals: totalsByLoop(this.#attempts),
      attempts: this.#attempts,
    };
  }

  async #write(): Promise<void> {
    const { out } = this.options;
    if (out === null) return;
    await writeFile(out, `${withoutSecret(JSON.stringify(this.#report(), null, 2), this.#secret)}\n`);
  }

  /** Requests the end with a report; false when no task runs yet. */
  #mayStop(): boolean {
    if (!this.#isRunning) return false;
    this.#print(process.stdout, 'Stopping. Press Ctrl+C again to quit at once.\n');
    this.#stopping.abort();
    return true;
  }

  /** Registers what must be closed at the end, also when it is still starting by then. */
  #started<Thing extends { close(): Promise<unknown> }>(thing: Promise<Thing>): Promise<Thing> {
    this.#closing.push(async () => (await thing).close());
    return thing;
  }

  /** A server may return the key; it is not printed. */
  #print(stream: NodeJS.WriteStream, text: string): void {
    stream.write(withoutSecret(text, this.#secret));
  }
}

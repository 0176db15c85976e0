import { join } from 'node:path';
import type { AgentEvent, Question, RunStatus } from 'rolezero';
import { recordedAnswer, tourOf } from '../../demo/tour/index.js';
import { Answers } from './answers.js';
import { UsageError, type ModelChoice, type TryOptions } from './arguments.js';
import { choiceOf } from './choice.js';
import { Agent, AgentError, launchBrowser } from './browser.js';
import { servePage } from './page-server.js';
import { RefusedPath, writeBelow } from './files-out.js';
import { goOnCommand } from './go-on.js';
import { Interrupts } from './interrupts.js';
import { noModel } from './no-model.js';
import type { Ended, Opened } from './page/bridge.js';
import { openProfile } from './profile.js';
import { Screen } from './screen.js';

const EXIT_CODES: Record<RunStatus, number> = { done: 0, failed: 1, waiting: 2, stopped: 3, exhausted: 3 };

/** Recorded replies must not be mistaken for those of a model. */
const RECORDED =
  'This is a recording: no model is running. The agent is real and does what the recorded replies say.';

/** One call of the script, from its first process to the end of its last. */
export class Attempt {
  readonly #screen: Screen;
  readonly #answers: Answers;
  readonly #interrupts: Interrupts;
  /** Stops everything that was started, the newest first. */
  readonly #closing: (() => Promise<unknown>)[] = [];
  #agent: Agent | null = null;
  #state: 'starting' | 'running' | 'stopping' = 'starting';
  /** The model, once it is known. */
  #model: TryOptions['model'];
  /** Steps so far, for a tour that is reloaded after some. */
  #steps = 0;
  /** The page is being reloaded. */
  #reloading: Promise<unknown> | null = null;
  /** Where the session is stored, while it can be continued. */
  #profileDirectory: string | null = null;

  constructor(private readonly options: TryOptions) {
    const { json, model, answers } = options;
    this.#model = model;
    this.#screen = new Screen(json, model.kind === 'remote' ? model.apiKey : undefined);
    this.#interrupts = new Interrupts(() => this.mayStop());
    const keyboard = {
      input: process.stdin,
      output: json ? process.stderr : process.stdout,
      onInterrupt: this.#interrupts.press,
    };
    const recorded = (question: Question): string | null => {
      const now = this.#model;
      return now.kind === 'tour' ? recordedAnswer(tourOf(now.tour), question) : null;
    };
    this.#answers = new Answers(answers, process.stdin.isTTY ? keyboard : null, recorded);
  }

  /** Returns the exit code. Browser and server have ended when it resolves. @throws UsageError, also without a model */
  async run(): Promise<number> {
    const quit = this.#interrupts.quit.then(() => this.quitted());
    try {
      return await Promise.race([this.work(), quit]);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      return this.failed(error);
    } finally {
      await this.close();
    }
  }

  private async work(): Promise<number> {
    const { options } = this;
    const profile = await openProfile(options.profile);
    this.#closing.push(() => (this.#profileDirectory === null ? profile.discard() : Promise.resolve()));
    const server = await this.started(servePage(), (each) => each.close());
    const browser = await this.started(
      launchBrowser(profile.directory, server.port, options.model.kind === 'auto'),
      (each) => each.close(),
    );
    const agent = await Agent.start(browser.pages()[0] ?? (await browser.newPage()), {
      ask: (question) => this.ask(question),
      tell: (events) => this.tell(events),
    });
    this.#agent = agent;
    const model = options.model.kind === 'auto' ? await this.choose(agent, options.model) : options.model;
    this.#model = model;
    const opened = await agent.open(options.session, model);
    const requests = this.requests(model, opened);
    this.#profileDirectory = profile.directory;
    this.#state = 'running';
    let ended: Ended = { status: 'done', resumable: false };
    for (const request of requests) {
      ended = await this.runOne(agent, request);
      if (ended.status !== 'done') break;
    }
    const written = options.out === null || (await this.writeFiles(agent, options.out));
    await agent.close();
    if (ended.resumable) this.printContinueCommand(ended.status === 'waiting');
    else this.#profileDirectory = null;
    return written ? EXIT_CODES[ended.status] : EXIT_CODES[ended.status] || EXIT_CODES.failed;
  }

  /** Selects the model of this machine. Prints the reason, and why earlier choices are not available. */
  private async choose(agent: Agent, { mayDownload }: { mayDownload: boolean }): Promise<ModelChoice> {
    const { chosen, passedOver, offer } = await agent.detect(mayDownload);
    for (const reason of passedOver) this.#screen.note(reason);
    if (offer !== null && this.#answers.canBeAsked) {
      const size = (offer.bytes / 1e9).toFixed(1);
      this.#screen.notice(
        `Download ${offer.name} (${size} GB, stored for the next time)? It is slow. yes or no`,
      );
      if (await this.#answers.agrees()) return { kind: 'wllama', model: offer };
    }
    if (chosen.kind === 'tour') throw new UsageError(noModel(this.options.request));
    this.#screen.notice(chosen.reason);
    return choiceOf(chosen);
  }

  /** Completes one run, also when the page is reloaded in the middle of it. */
  private async runOne(agent: Agent, request: string | null): Promise<Ended> {
    try {
      return await agent.run(request);
    } catch (error) {
      if (this.#reloading === null) throw error;
      await this.#reloading;
      if (this.#model.kind === 'auto') throw error; // Nothing was opened.
      await agent.open(this.options.session, this.#model);
      return agent.run(null);
    }
  }

  /** The requests in order; null to continue an interrupted run. */
  private requests(choice: ModelChoice, { resumable, requests }: Opened): (string | null)[] {
    const { request, session } = this.options;
    if (choice.kind === 'tour') {
      this.#screen.notice(RECORDED);
      return [...(resumable ? [null] : []), ...tourOf(choice.tour).requests.slice(requests)];
    }
    if (request !== null && resumable)
      this.#screen.notice('The new request replaces the interrupted run of this session.');
    if (request === null && !resumable)
      throw new UsageError(`The session "${session}" has no interrupted run: pass a request.`);
    return [request];
  }

  private async tell(events: readonly AgentEvent[]): Promise<void> {
    for (const event of events) {
      this.#screen.event(event);
      if (event.type === 'step-end') this.#steps += 1;
      if (event.type === 'reply-delta') this.reloadInTour();
      // Ctrl+C may have come before there was a run to stop.
      if (event.type === 'run-start' && this.#state === 'stopping') await this.#agent?.stop();
    }
  }

  /** Reloads the page in the middle of a thought, once, in the tour that shows it. */
  private reloadInTour(): void {
    const model = this.#model;
    if (model.kind !== 'tour' || this.#reloading !== null || this.#agent === null) return;
    if (tourOf(model.tour).reloadAfter !== this.#steps) return;
    this.#screen.notice('The page is reloaded in the middle of a thought.');
    this.#reloading = this.#agent.reload();
    this.#reloading.catch(() => {}); // Reported by the waiting call.
  }

  private async ask(question: Question): Promise<string | null> {
    this.#screen.question(question);
    const answer = await this.#answers.to(question);
    if (answer?.source === 'given') this.#screen.answer(answer.text);
    if (answer?.source === 'recorded') this.#screen.answer(answer.text, 'recorded answer');
    return answer === null ? null : answer.text;
  }

  /** Writes all files of the session below `directory`; false when one could not be written. */
  private async writeFiles(agent: Agent, directory: string): Promise<boolean> {
    const files = (await agent.files()).filter(({ type }) => type === 'file');
    if (files.length === 0) this.#screen.note('There are no files to write.');
    let complete = true;
    for (const { path } of files) {
      try {
        const { size, replaced } = await writeBelow(directory, path, await agent.read(path));
        const what = replaced ? 'replaced' : 'wrote';
        this.#screen.note(`  ${what} ${join(directory, path)} (${size.toLocaleString('en-US')} bytes)`);
      } catch (error) {
        if (error instanceof AgentError) throw error;
        complete = false;
        const code = error instanceof RefusedPath ? 'permission' : 'not-written';
        this.#screen.failure({ code, message: (error as Error).message });
      }
    }
    return complete;
  }

  /** Requests a graceful stop; false when there is no run to stop. */
  private mayStop(): boolean {
    if (this.#state !== 'running') return false;
    this.#state = 'stopping';
    this.#screen.notice('Stopping. Press Ctrl+C again to quit at once.');
    this.stop().catch((error: unknown) => this.failed(error));
    return true;
  }

  private async stop(): Promise<void> {
    await this.#agent?.stop();
    this.#answers.close(); // Not before: a question that no user answers ends the run as waiting.
  }

  private quitted(): number {
    this.#screen.notice('Quit.');
    if (this.#profileDirectory !== null) this.printContinueCommand(false);
    return EXIT_CODES.stopped;
  }

  private failed(error: unknown): number {
    const code = error instanceof AgentError ? error.code : 'internal';
    this.#screen.failure({ code, message: error instanceof Error ? error.message : String(error) });
    if (this.#profileDirectory !== null) this.printContinueCommand(false);
    return EXIT_CODES.failed;
  }

  private printContinueCommand(waiting: boolean): void {
    if (this.#profileDirectory !== null)
      this.#screen.note(
        `Continue with: ${goOnCommand(this.options, this.#model, this.#profileDirectory, waiting)}`,
      );
  }

  /** Registers what must be stopped at the end, also when it is still starting by then. */
  private started<Thing>(thing: Promise<Thing>, end: (thing: Thing) => Promise<unknown>): Promise<Thing> {
    this.#closing.push(async () => end(await thing));
    return thing;
  }

  private async close(): Promise<void> {
    this.#answers.close();
    // A process that did not start or has already ended cannot be stopped; its error was printed before.
    for (const end of this.#closing.reverse()) await end().catch(() => {});
    this.#interrupts.close();
  }
}

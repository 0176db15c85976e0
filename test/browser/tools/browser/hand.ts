import { type AgentEvent, connect, sessions, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import { frame, type FrameOptions } from 'rolezero/tools/frame';
import { follow, type Drive, type TaskPage } from './steps.js';

/**
 * Runs commands of an agent in its worker one by one on pages in frames, like a model. Nothing in between is
 * simulated.
 */
export class Hand {
  readonly #name = crypto.randomUUID();
  readonly #channel = new BroadcastChannel(this.#name);
  readonly #waiting: {
    resolve: (event: AgentEvent<'command-end'>) => void;
    reject: (error: Error) => void;
  }[] = [];
  #session!: Session;
  readonly #element = document.createElement('div');

  private constructor() {}

  static async open(frames: FrameOptions = {}): Promise<Hand> {
    const hand = new Hand();
    hand.#element.style.cssText = 'position:relative;width:800px;height:600px';
    document.body.append(hand.#element);
    const worker = new Worker(new URL('./hand.worker.ts', import.meta.url), { type: 'module' });
    hand.#session = await connect(worker, {
      session: hand.#name,
      config: { channel: hand.#name },
      tools: [frame({ element: hand.#element, ...frames })],
      approve: () => true,
      askHuman: () => 'yes', // Continues after many approvals.
    });
    hand.#session.on((event) => {
      if (event.type === 'command-end') hand.#waiting.shift()?.resolve(event);
      if (event.type === 'run-end')
        for (const { reject } of hand.#waiting.splice(0))
          reject(new Error(`The run ended: ${JSON.stringify(event)}`));
    });
    hand.#session
      .send('go')
      .result()
      .catch(() => undefined); // Ends with the session.
    return hand;
  }

  get files(): Session['files'] {
    return this.#session.files;
  }

  /** Runs a command and returns its output, also of a refusal. */
  async say(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.#give(command, args)).output.replace(`Command ${command} executed: `, '');
  }

  /** Runs a command. @throws Error with its output when it failed. */
  readonly do: Drive = async (command, args) => {
    const { ok, output } = await this.#give(command, args);
    if (!ok) throw new Error(output);
    return output;
  };

  /** Opens a page of these files and runs its steps. Returns the last view. */
  async solve({ html, files = {}, steps }: Pick<TaskPage, 'html' | 'files' | 'steps'>): Promise<string> {
    for (const [path, content] of Object.entries({ ...files, '/index.html': html }))
      await this.files.write(path, content);
    await this.do('Browser.goto', { url: '/index.html' });
    return follow(this.do, steps);
  }

  async close(): Promise<void> {
    this.#channel.close();
    await this.#session.close();
    await sessions.remove(this.#name);
    this.#element.remove();
  }

  #give(command: string, args: Readonly<Record<string, unknown>>): Promise<AgentEvent<'command-end'>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#channel.postMessage(commands([command, args as Record<string, never>]));
    });
  }
}

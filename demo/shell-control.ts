import type { TemplateResult } from 'lit';
import type { Session } from 'rolezero';
import type { UserTerminal } from './panes/user-terminal.js';
import type { Store } from './state/app-state.js';
import type { SessionViews } from './state/session-views.js';

/** Runs the user's own commands over the files of the open session. */
export class ShellControl {
  #terminal: { of: Session; shell: UserTerminal } | null = null;
  #stop: AbortController | null = null;
  /** The view of outputs; null until it is needed. */
  #output: typeof import('./panes/terminal-output.js') | null = null;
  /** The command of the history that is in the field, counted from the newest; 0: none. */
  #recalled = 0;

  constructor(
    private readonly store: Store,
    private readonly views: SessionViews,
    private readonly session: () => Session | null,
  ) {}

  get directory(): string {
    const terminal = this.#terminal;
    return terminal !== null && terminal.of === this.session() ? terminal.shell.directory : '/';
  }

  get isRunning(): boolean {
    return this.#stop !== null;
  }

  /** The output of a command with its colors, and as text until their code is loaded. */
  output(text: string): TemplateResult | string {
    if (this.#output !== null) return this.#output.outputView(text);
    void this.#loadOutput();
    return text;
  }

  /** Returns the command before the one in the field, or with -1 the one after it; null without one. After the newest comes an empty field. */
  recall(step: 1 | -1): string | null {
    const { session } = this.store.state;
    const { commands = [] } = session === null ? {} : this.views.of(session);
    const next = this.#recalled + step;
    if (next < 0 || next > commands.length) return null;
    this.#recalled = next;
    return next === 0 ? '' : (commands.at(-next) ?? null);
  }

  async run(command: string): Promise<void> {
    const session = this.session();
    if (session === null || this.#stop !== null) return;
    this.views.ran(session.name, command);
    this.#recalled = 0;
    const at = this.store.state.shell.length;
    const show = (output: string, running: boolean): void => {
      const { shell } = this.store.state;
      this.store.update({ shell: shell.toSpliced(at, 1, { by: 'user', command, output, running }) });
    };
    show('', true);
    this.#stop = new AbortController();
    try {
      const { programs, UserTerminal } = await import('./panes/user-terminal.js');
      if (this.#terminal?.of !== session)
        this.#terminal = { of: session, shell: new UserTerminal(session, programs()) };
      const output = await this.#terminal.shell.run(command, this.#stop.signal);
      if (session === this.session()) show(output, false);
    } catch (error) {
      if (session === this.session()) show(error instanceof Error ? error.message : String(error), false);
    } finally {
      this.#stop = null;
      this.store.update({});
    }
  }

  stop(): void {
    this.#stop?.abort();
  }

  async #loadOutput(): Promise<void> {
    this.#output = await import('./panes/terminal-output.js');
    this.store.update({});
  }
}

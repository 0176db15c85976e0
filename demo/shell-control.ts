import type { Session } from 'rolezero';
import type { UserTerminal } from './panes/user-terminal.js';
import type { Store } from './state/app-state.js';

/** Runs the user's own commands over the files of the open session. */
export class ShellControl {
  #terminal: { of: Session; shell: UserTerminal } | null = null;
  #stop: AbortController | null = null;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
  ) {}

  get directory(): string {
    const terminal = this.#terminal;
    return terminal !== null && terminal.of === this.session() ? terminal.shell.directory : '/';
  }

  get isRunning(): boolean {
    return this.#stop !== null;
  }

  async run(command: string): Promise<void> {
    const session = this.session();
    if (session === null || this.#stop !== null) return;
    const at = this.store.state.shell.length;
    const show = (output: string, running: boolean): void => {
      const { shell } = this.store.state;
      this.store.update({ shell: shell.toSpliced(at, 1, { by: 'user', command, output, running }) });
    };
    show('', true);
    this.#stop = new AbortController();
    try {
      const { UserTerminal } = await import('./panes/user-terminal.js');
      if (this.#terminal?.of !== session) this.#terminal = { of: session, shell: new UserTerminal(session) };
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
}

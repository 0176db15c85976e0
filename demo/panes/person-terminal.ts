import type { Session } from 'rolezero';
import { terminal } from 'rolezero/tools/terminal';
import { newId } from '../new-id.js';
import { readable } from '../state/shell-lines.js';

type State = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['state'];
type Files = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['files'];

/** The user's own shell over the files of a session. Directory and variables persist between commands. */
export class PersonTerminal {
  readonly #tool = terminal().find(({ name }) => name === 'Terminal.run_command');
  readonly #state: State = {};

  constructor(private readonly session: Session) {}

  /** Working directory of the next command. */
  get directory(): string {
    const { cwd } = this.#state;
    return typeof cwd === 'string' ? cwd : '/';
  }

  /**
   * Returns the output of a command line. @throws RoleZeroError `tool-timeout`, `worker-start` and errors of the
   * files.
   */
  async run(cmd: string, signal: AbortSignal): Promise<string> {
    const said: unknown = await this.#tool?.run(
      { cmd, daemon: false },
      {
        signal,
        files: asToolFiles(this.session.files),
        session: { name: this.session.name, role: 'person' },
        callId: newId(),
        state: this.#state,
        output: () => {},
        pageChanged: () => {},
      },
    );
    return readable(typeof said === 'string' ? said : '');
  }
}

/** A session lists everything below a directory; a tool only its direct content. */
function asToolFiles(files: Session['files']): Files {
  return {
    ...files,
    list: async (path = '/', { recursive = false } = {}) => {
      const below = await files.list(path);
      if (recursive) return below;
      const prefix = path === '/' ? '/' : `${path}/`;
      return below.filter((file) => !file.path.slice(prefix.length).includes('/'));
    },
  };
}

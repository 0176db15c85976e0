import type { Session } from 'rolezero';
import { terminal } from 'rolezero/tools/terminal';
import { newId } from '../new-id.js';
import { readable } from '../state/shell-lines.js';

type State = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['state'];
type Files = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['files'];

/** A shell of the user's own over the files of a session; directory and variables last from one command to the next. */
export class PersonTerminal {
  readonly #tool = terminal().find(({ name }) => name === 'Terminal.run_command');
  readonly #state: State = {};

  constructor(private readonly session: Session) {}

  /** Where the next command runs. */
  get directory(): string {
    const { cwd } = this.#state;
    return typeof cwd === 'string' ? cwd : '/';
  }

  /** What a command line says. @throws RoleZeroError `tool-timeout`, `worker-start` and whatever the files throw. */
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

/** A session lists everything below a directory; a tool what is in it. */
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

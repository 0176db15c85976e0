import type { FileInfo, Session } from 'rolezero';
import { terminal } from 'rolezero/tools/terminal';
import { newId } from '../new-id.js';
import { readable } from '../state/shell-lines.js';

export { programs } from '../programs.js';

type State = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['state'];
type Files = Parameters<ReturnType<typeof terminal>[number]['run']>[1]['files'];

/** The user's own shell over the files of a session. Directory and variables persist between commands. */
export class UserTerminal {
  readonly #tool;
  readonly #state: State = {};

  constructor(
    private readonly session: Session,
    options: Parameters<typeof terminal>[0] = {},
  ) {
    this.#tool = terminal(options).find(({ name }) => name === 'Terminal.run_command');
  }

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
    const result: unknown = await this.#tool?.run(
      { cmd, daemon: false },
      {
        signal,
        files: labelling(this.session.files),
        session: { name: this.session.name, role: 'user' },
        callId: newId(),
        state: this.#state,
        output: () => {},
        pageChanged: () => {},
      },
    );
    return readable(typeof result === 'string' ? result : '');
  }
}

/**
 * Returns the files for one command. What the command writes carries the untrusted sources of everything that it has read, names included.
 * A session lists everything below a directory; a tool only what is directly in it.
 */
function labelling(files: Session['files']): Files {
  const sources = new Set<string>();
  const note = <Info extends FileInfo | null>(info: Info): Info => {
    for (const source of info?.untrusted ?? []) sources.add(source);
    return info;
  };
  const noteAt = async (path: string): Promise<void> => void note(await files.stat(path));
  return {
    ...files,
    stat: async (path) => note(await files.stat(path)),
    glob: async (pattern) => (await files.glob(pattern)).map(note),
    read: async (path) => {
      await noteAt(path);
      return files.read(path);
    },
    readBytes: async (path) => {
      await noteAt(path);
      return files.readBytes(path);
    },
    write: async (path, content) => {
      await files.writeAll([{ path, content, untrusted: [...sources] }], {
        existing: 'replace',
        name: 'write',
      });
    },
    list: async (path = '/', { recursive = false } = {}) => {
      const below = await files.list(path);
      const prefix = path === '/' ? '/' : `${path}/`;
      const listed = recursive
        ? below
        : below.filter((file) => !file.path.slice(prefix.length).includes('/'));
      return listed.map(note);
    },
  };
}

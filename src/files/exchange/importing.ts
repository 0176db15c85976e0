import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import type { FileInput, SessionFiles, WriteAllOptions } from '../../core/files.js';
import { visible } from '../../core/visible.js';
import { DEFAULT_LIMITS, type FileLimits } from '../file-tree.js';
import { resolvePath } from '../path.js';

/** Progress of an import or export. Bytes count file contents, not the archive. */
export interface Progress {
  /** `saving` is the one transaction at the end of an import. */
  phase: 'reading' | 'saving' | 'writing';
  files: number;
  totalFiles: number;
  bytes: number;
  totalBytes: number;
}

export interface TransferOptions {
  /** Directory of the workspace; default `/`. */
  path?: string;
  /** Selects files by their path relative to that directory. Default: all. */
  filter?: (path: string) => boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface ImportOptions extends TransferOptions, Pick<WriteAllOptions, 'existing'> {
  /** Source of the files, which are untrusted: reading them counts as reading outside content. Default: the name of what is imported. */
  untrusted?: string;
  /** True when the user or the application wrote the files. Sources that an archive of `exportZip` records remain. */
  trusted?: boolean;
  /** Limits of an import; default: those of a workspace. Raise them together with those of the session. */
  limits?: Partial<FileLimits>;
}

/** Result of an import. */
export interface ImportResult {
  /** Paths in the workspace. Excludes files that already existed with the same content. */
  written: string[];
}

/** Milliseconds of work before yielding to the page. */
export const WORK_MS = 30;
/** Maximum characters of the name of an archive or a folder in the name of a source. */
const MAX_SOURCE_NAME = 100;

/**
 * Collects the files of an import and writes them in one transaction. Before that, nothing in the workspace changes. Limits are checked
 * against announced sizes, before anything is read.
 */
export class Import {
  readonly limits: FileLimits;
  readonly #directory: string;
  readonly #inputs: FileInput[] = [];
  readonly #sources = new Map<string, string>();
  #progress: Progress = { phase: 'reading', files: 0, totalFiles: 0, bytes: 0, totalBytes: 0 };
  #yielded = performance.now();

  /**
   * @param what is read, as a message names it: `archive`, `folder`
   * @param name of the archive or folder; empty when it has none
   */
  constructor(
    readonly what: string,
    readonly name: string,
    readonly options: ImportOptions,
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#directory = resolvePath(options.path ?? '/');
  }

  /**
   * Announces a file or a directory, and returns its future path; null when the filter excludes it.
   * @throws RoleZeroError `permission` or `invalid`, naming the entry, when its name would lead anywhere else or a limit is exceeded.
   */
  announce(name: string, bytes: number | null): string | null {
    const path = this.#place(name);
    if (bytes !== null && this.options.filter?.(name) === false) return null;
    const known = this.#sources.get(path);
    if (known !== undefined && (bytes !== null || known.startsWith('f')))
      throw importRefusal('invalid', this.what, name, 'is in it twice');
    this.#sources.set(path, bytes === null ? 'd' : 'f');
    const progress = this.#progress;
    progress.totalFiles += Number(bytes !== null);
    progress.totalBytes += bytes ?? 0;
    this.#within('files', this.#sources.size, name, 'files and directories');
    this.#within('fileBytes', bytes ?? 0, name, 'bytes in one file');
    this.#within('totalBytes', progress.totalBytes, name, 'bytes in all files together');
    return path;
  }

  /** @param untrusted sources that the archive records for this file */
  add(path: string, content: Uint8Array<ArrayBuffer> | undefined, untrusted: readonly string[] = []): void {
    if (content === undefined) {
      this.#inputs.push({ path });
      return;
    }
    this.#inputs.push({ path, content, untrusted });
    this.#progress.files += 1;
    this.#progress.bytes += content.length;
  }

  /** Reports progress and yields to the page. @throws the abort reason of the signal. */
  async pause(): Promise<void> {
    this.options.signal?.throwIfAborted();
    if (performance.now() - this.#yielded < WORK_MS) return;
    this.#tell();
    await new Promise((resolve) => setTimeout(resolve));
    this.options.signal?.throwIfAborted();
    this.#yielded = performance.now();
  }

  async save(files: Pick<SessionFiles, 'writeAll'>): Promise<ImportResult> {
    this.options.signal?.throwIfAborted();
    this.#progress = { ...this.#progress, phase: 'saving' };
    this.#tell();
    const { existing = 'fail', trusted = false } = this.options;
    const source = trusted ? { trusted } : { untrusted: this.#source() };
    return { written: await files.writeAll(this.#inputs, { existing, name: 'import', ...source }) };
  }

  #source(): string {
    return this.options.untrusted ?? `imported ${this.what} ${this.name.slice(0, MAX_SOURCE_NAME)}`.trimEnd();
  }

  #tell(): void {
    this.options.onProgress?.({ ...this.#progress });
  }

  #place(name: string): string {
    if (name.startsWith('/'))
      throw importRefusal(
        'permission',
        this.what,
        name,
        'has an absolute path, which leads out of the folder',
      );
    if (name.split('/').includes('..'))
      throw importRefusal(
        'permission',
        this.what,
        name,
        'has ".." in its path, which leads out of the folder',
      );
    try {
      return resolvePath(`./${name}`, this.#directory);
    } catch (error) {
      const { code, message } = toRoleZeroError(error);
      throw importRefusal(
        code === 'permission' ? code : 'invalid',
        this.what,
        name,
        `cannot be here. ${message}`,
      );
    }
  }

  #within(limit: keyof FileLimits, amount: number, name: string, what: string): void {
    const allowed = this.limits[limit];
    if (amount <= allowed) return;
    throw importRefusal(
      'invalid',
      this.what,
      name,
      `makes it ${amount} ${what}, and ${allowed} are allowed. Leave files out with "filter", or raise limits.${limit} here and in the session`,
      { limit, allowed },
    );
  }
}

/** Creates the error of an import that is rejected as a whole because of one entry. */
export function importRefusal(
  code: 'invalid' | 'permission',
  what: string,
  entry: string,
  why: string,
  detail: Record<string, unknown> = {},
): RoleZeroError {
  const shown = entry.length > 120 ? `${entry.slice(0, 120)}…` : entry;
  const sentence = /[.!?]$/u.test(why) ? why : `${why}.`;
  return new RoleZeroError(
    code,
    `The ${what} was not imported, and nothing was changed: ${visible(JSON.stringify(shown))} ${sentence}`,
    { entry: shown, ...detail },
  );
}

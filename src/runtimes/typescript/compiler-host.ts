import type TypeScript from 'typescript';
import { joinPath, parentPath } from '../paths.js';
import { FileError, type ProgramFiles } from '../program-files.js';
import type { Compiler } from './compiler.js';

/** Where the compiler sees its libraries; the session has no such files. */
const LIBRARIES = '/node_modules/typescript/lib';

/** Finds the files of a project by its patterns. Not declared by TypeScript, which exports it nevertheless. */
type MatchFiles = (
  path: string,
  extensions: readonly string[] | undefined,
  excludes: readonly string[] | undefined,
  includes: readonly string[] | undefined,
  useCaseSensitiveFileNames: boolean,
  currentDirectory: string,
  depth: number | undefined,
  entriesOf: (path: string) => { files: string[]; directories: string[] },
  realpath: (path: string) => string,
) => string[];

/** Gives the compiler the files of a program. */
export class CompilerHost implements TypeScript.CompilerHost {
  /** Texts of the libraries, by file name. */
  libraries: ReadonlyMap<string, string> = new Map();
  /** Why files could not be read that exist. */
  readonly withheld = new Set<string>();
  readonly #ts: Compiler;
  readonly #files: ProgramFiles;
  readonly #cwd: string;

  constructor(ts: Compiler, files: ProgramFiles, cwd: string) {
    this.#ts = ts;
    this.#files = files;
    this.#cwd = cwd;
  }

  readFile(path: string): string | undefined {
    const library = this.#libraryAt(path);
    if (library !== undefined) return library;
    if (!this.fileExists(path)) return undefined;
    try {
      return new TextDecoder().decode(this.#files.read(this.#absolute(path)));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.withheld.add(error.message);
      return undefined;
    }
  }

  getSourceFile(
    path: string,
    version: TypeScript.ScriptTarget | TypeScript.CreateSourceFileOptions,
  ): TypeScript.SourceFile | undefined {
    const text = this.readFile(path);
    return text === undefined ? undefined : this.#ts.createSourceFile(path, text, version);
  }

  writeFile(path: string, text: string): void {
    const target = this.#absolute(path);
    this.#makeDirectory(parentPath(target));
    this.#files.write(target, new TextEncoder().encode(text));
  }

  fileExists(path: string): boolean {
    return this.#libraryAt(path) !== undefined || this.#files.stat(this.#absolute(path))?.type === 'file';
  }

  directoryExists(path: string): boolean {
    return path === LIBRARIES || this.#files.stat(this.#absolute(path))?.type === 'directory';
  }

  getDirectories(path: string): string[] {
    return this.#entriesOf(path).directories;
  }

  getCurrentDirectory(): string {
    return this.#cwd;
  }

  getCanonicalFileName(name: string): string {
    return name;
  }

  useCaseSensitiveFileNames(): boolean {
    return true;
  }

  getNewLine(): string {
    return '\n';
  }

  getDefaultLibFileName(options: TypeScript.CompilerOptions): string {
    return `${LIBRARIES}/${this.#ts.getDefaultLibFileName(options)}`;
  }

  getDefaultLibLocation(): string {
    return LIBRARIES;
  }

  /** For reading `tsconfig.json`. `report` is called when it cannot be read. */
  forConfiguration(report: (diagnostic: TypeScript.Diagnostic) => void): TypeScript.ParseConfigFileHost {
    return {
      useCaseSensitiveFileNames: true,
      getCurrentDirectory: () => this.#cwd,
      fileExists: (path) => this.fileExists(path),
      readFile: (path) => this.readFile(path),
      readDirectory: (path, extensions, excludes, includes, depth) => {
        const { matchFiles } = this.#ts as unknown as { matchFiles: MatchFiles };
        const entriesOf = (each: string) => this.#entriesOf(each);
        const same = (each: string): string => each;
        return matchFiles(path, extensions, excludes, includes, true, this.#cwd, depth, entriesOf, same);
      },
      onUnRecoverableConfigFileDiagnostic: report,
    };
  }

  format(diagnostics: readonly TypeScript.Diagnostic[], isPretty = false): string {
    const format = isPretty ? this.#ts.formatDiagnosticsWithColorAndContext : this.#ts.formatDiagnostics;
    return format(diagnostics, this).trimEnd();
  }

  /** The compiler passes on relative names as they were given. */
  #absolute(path: string): string {
    return joinPath(this.#cwd, path);
  }

  #libraryAt(path: string): string | undefined {
    return path.startsWith(`${LIBRARIES}/`)
      ? this.libraries.get(path.slice(LIBRARIES.length + 1))
      : undefined;
  }

  #entriesOf(given: string): { files: string[]; directories: string[] } {
    const path = this.#absolute(given);
    if (this.#files.stat(path)?.type !== 'directory') return { files: [], directories: [] };
    const names = this.#files.list(path);
    const isFile = (name: string): boolean => this.#files.stat(joinPath(path, name))?.type === 'file';
    return { files: names.filter(isFile), directories: names.filter((name) => !isFile(name)) };
  }

  #makeDirectory(path: string): void {
    if (path === '/' || this.#files.stat(path) !== null) return;
    this.#makeDirectory(parentPath(path));
    this.#files.makeDirectory(path);
  }
}

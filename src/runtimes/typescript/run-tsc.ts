import type TypeScript from 'typescript';
import { Output } from '../output.js';
import { joinPath, parentPath } from '../paths.js';
import { ProgramFiles, FileError } from '../program-files.js';
import type { SnapshotRequest, SnapshotResult } from '../snapshot.js';
import {
  compilerOf,
  librariesOf,
  referencedLibraries,
  type Compiler,
  type CompilerFiles,
} from './compiler.js';

/** One call of `tsc`; plain data. */
export interface TscRequest extends SnapshotRequest {
  /** Address of the folder with TypeScript's files, with a final slash. */
  address: string;
}

/** Options of the command line that need a terminal of their own or several projects, or that print what other programs read. */
const REFUSED_OPTIONS: readonly string[] = [
  'watch',
  'build',
  'init',
  'showConfig',
  'listFiles',
  'listFilesOnly',
  'listEmittedFiles',
  'explainFiles',
  'traceResolution',
  'diagnostics',
  'extendedDiagnostics',
  'generateTrace',
  'generateCpuProfile',
];

/** Exit codes of `tsc`. */
const SUCCESS = 0;
const NOTHING_WRITTEN = 1;
const WRITTEN_WITH_ERRORS = 2;

/** Runs `tsc` with its arguments. */
export async function runTsc(request: TscRequest, compilerFiles: CompilerFiles): Promise<SnapshotResult> {
  const files = new ProgramFiles(request.files);
  const output = new Output();
  const ts = await compilerOf(request.address, compilerFiles);
  const host = new CompilerHost(ts, files, request.cwd);
  const project = readProject(ts, request, host);
  let exitCode: number;
  if ('text' in project) {
    output.print('stdout', `${project.text}\n`);
    exitCode = project.exitCode;
  } else {
    const names = libraryNames(ts, project.options, request);
    host.libraries = await librariesOf(names, request.address, compilerFiles);
    exitCode = compileProject(ts, project, host, output);
  }
  for (const note of host.withheld) output.print('stderr', `tsc: ${note}\n`);
  return { exitCode, stdout: output.stdout(), stderr: output.stderr('tsc'), use: files.use() };
}

interface Project {
  options: TypeScript.CompilerOptions;
  rootNames: readonly string[];
  errors: readonly TypeScript.Diagnostic[];
}

/** What `tsc` prints instead of compiling. */
interface Printed {
  text: string;
  exitCode: number;
}

/** Reads the command line and the configuration. */
function readProject(ts: Compiler, { args, cwd }: TscRequest, host: CompilerHost): Project | Printed {
  if (['-b', '--b', '-build', '--build'].includes(args[0] ?? '')) return refuseOption('build');
  const command = ts.parseCommandLine(args, (path) => host.readFile(joinPath(cwd, path)));
  const { options, fileNames, errors } = command;
  if (errors.length > 0) return { text: host.format(errors), exitCode: NOTHING_WRITTEN };
  const refused = REFUSED_OPTIONS.find((name) => options[name] !== undefined && options[name] !== false);
  if (refused !== undefined) return refuseOption(refused);
  const version = `Version ${ts.version}`;
  if (options['version'] === true) return { text: version, exitCode: SUCCESS };
  if (options['help'] === true) return { text: tscUsage(version), exitCode: SUCCESS };
  const nearest = ts.findConfigFile(cwd, (path) => host.fileExists(path));
  if (fileNames.length > 0) {
    if (nearest !== undefined && options['ignoreConfig'] !== true && Number.parseInt(ts.version) >= 6)
      return {
        text: "error TS5112: tsconfig.json is present but will not be loaded if files are specified on commandline. Use '--ignoreConfig' to skip this error.",
        exitCode: NOTHING_WRITTEN,
      };
    return { options, rootNames: fileNames, errors: [] };
  }
  const path =
    options.project === undefined ? nearest : configurationAt(joinPath(cwd, options.project), host);
  if (path === undefined) return { text: tscUsage(version), exitCode: NOTHING_WRITTEN };
  const unreadable: TypeScript.Diagnostic[] = [];
  const parsed = ts.getParsedCommandLineOfConfigFile(
    path,
    options,
    host.forConfiguration((diagnostic) => unreadable.push(diagnostic)),
  );
  if (parsed === undefined) return { text: host.format(unreadable), exitCode: NOTHING_WRITTEN };
  return { options: parsed.options, rootNames: parsed.fileNames, errors: parsed.errors };
}

function configurationAt(path: string, host: CompilerHost): string {
  return host.directoryExists(path) ? joinPath(path, 'tsconfig.json') : path;
}

function refuseOption(option: string): Printed {
  return {
    text: `error: --${option} does not work here. Run tsc once, with --project FOLDER for another project; write tsconfig.json yourself.`,
    exitCode: NOTHING_WRITTEN,
  };
}

function tscUsage(version: string): string {
  return `${version}\ntsc: The TypeScript Compiler\nUsage: tsc --noEmit (checks the project of tsconfig.json), tsc FILE..., tsc --project FOLDER. There is no tsconfig.json if you named none and read this without --help.`;
}

/** File names of the libraries that a project needs, without those that they reference themselves. */
function libraryNames(ts: Compiler, options: TypeScript.CompilerOptions, { files }: TscRequest): string[] {
  if (options.noLib === true) return [];
  const referenced = files.flatMap(({ path, content }) =>
    content !== null && /\.[cm]?tsx?$/u.test(path)
      ? referencedLibraries(new TextDecoder().decode(content))
      : [],
  );
  return [...(options.lib ?? [ts.getDefaultLibFileName(options)]), ...referenced];
}

function compileProject(
  ts: Compiler,
  { options, rootNames, errors }: Project,
  host: CompilerHost,
  output: Output,
): number {
  const program = ts.createProgram({ rootNames, options, host, configFileParsingDiagnostics: errors });
  const before = ts.getPreEmitDiagnostics(program);
  const { emitSkipped, diagnostics } = program.emit();
  const all = ts.sortAndDeduplicateDiagnostics([...before, ...diagnostics]);
  if (all.length > 0) output.print('stdout', `${host.format(all, options['pretty'] === true)}\n`);
  const hasErrors = all.some(({ category }) => category === ts.DiagnosticCategory.Error);
  if (!hasErrors) return SUCCESS;
  return emitSkipped ? NOTHING_WRITTEN : WRITTEN_WITH_ERRORS;
}

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
class CompilerHost implements TypeScript.CompilerHost {
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

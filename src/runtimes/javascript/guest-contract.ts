/** What the interpreter's host gives to the guest. Text is the only structured type that crosses. */
export interface GuestHost {
  /** Runs an operation; see `operations` of the host. Returns JSON. */
  call(operation: string, args: string): string;
  /** Returns the content of a file, or JSON with the error. */
  read(path: string): Uint8Array | string;
  /** Returns JSON with the error, or an empty text. */
  write(path: string, content: Uint8Array, append: boolean): string;
  print(stream: 'stdout' | 'stderr', content: string | Uint8Array): void;
  /** Runs a text with the file name for stack traces. Returns its value, or the error that it threw. */
  compile(source: string, name: string): { value: unknown } | { error: unknown };
  /** Runs pending promise jobs. */
  runJobs(): void;
  compare(a: string, b: string): number;
}

/** Facts about the program. */
export interface Start {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Absolute path of the main module, or null for `-e` and input. */
  main: string | null;
  versions: Record<string, string>;
}

/** Where a module is, as the host resolves it. */
export interface ResolvedModule {
  /** Absolute path, or the name of a built-in module. */
  path: string;
  kind: 'builtin' | 'commonjs' | 'module' | 'json';
}

/** Facts of an error of the host that the guest creates again. */
export interface ErrorFacts {
  name: string;
  message: string;
  code?: string;
  syscall?: string;
  path?: string;
}

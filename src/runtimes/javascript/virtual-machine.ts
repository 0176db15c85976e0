import './dispose-symbol.js';
import { CompileFlags, EvalFlags, JSException, QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { compilePacked } from '../packed-wasm.js';
import { joinPath } from '../paths.js';
import { engine, extensions } from './engine.js';
import type { Start } from './guest-contract.js';
import { guestSource } from './guest-source.js';
import { commonOperations, createHost, errorAsJson, type Operations } from './host-functions.js';
import { ProgramModules, ModuleError } from './modules.js';
import type { Exit, Process, ProgramSurroundings, TestReport } from './process.js';
import { importedNames, isModule, toJavaScript, withMeta } from './source.js';

/** Version of Node whose behavior the library follows. */
const NODE_VERSIONS = { node: '22.18.0', quickjs: '' };
/** Bytes of the interpreter's stack. More could exceed the stack of a thread. */
const STACK_BYTES = 256 * 1024;
/** The library needs no source text; its functions show no lines in stack traces. */
const WITHOUT_SOURCE = CompileFlags.STRIP_SOURCE | CompileFlags.STRIP_DEBUG;
/** Number of checks of the interpreter between two looks at the clock. */
const CHECKS_PER_LOOK = 64;

let compiled: Promise<Record<'engine' | 'encoding' | 'structured-clone', WebAssembly.Module>> | undefined;
/** The guest's library as bytecode of this interpreter. */
let library: Uint8Array | undefined;

async function compileAll(): Promise<Awaited<NonNullable<typeof compiled>>> {
  const [main, encoding, clone] = await Promise.all([
    compilePacked(engine),
    compilePacked(extensions.encoding),
    compilePacked(extensions['structured-clone']),
  ]);
  return { engine: main, encoding, 'structured-clone': clone };
}

/** Runs one program in an interpreter of its own, to its end. It can reach nothing but `surroundings`. */
export async function runProgram(process: Process, surroundings: ProgramSurroundings): Promise<Exit> {
  compiled ??= compileAll();
  const machine = new VirtualMachine(process, surroundings);
  return machine.run(await compiled);
}

class VirtualMachine {
  readonly #process: Process;
  readonly #surroundings: ProgramSurroundings;
  readonly #modules: ProgramModules;
  #stop: 'exit' | 'late' | 'output' | null = null;
  #exitCode = 0;
  #report: TestReport | undefined;
  #checks = 0;
  #vm: QuickJS | null = null;
  #guest: JSValueHandle | null = null;
  /** Texts of modules in the place of those that cannot be resolved. */
  readonly #failures: string[] = [];
  readonly #rejections = new Map<number, JSValueHandle>();

  constructor(process: Process, surroundings: ProgramSurroundings) {
    this.#process = process;
    this.#surroundings = surroundings;
    this.#modules = new ProgramModules(surroundings.files, surroundings.packages, isModule);
  }

  async run(code: Awaited<NonNullable<typeof compiled>>): Promise<Exit> {
    const vm = await QuickJS.create({
      wasm: code.engine,
      extensions: [
        { name: 'encoding', wasm: code.encoding },
        { name: 'structured-clone', wasm: code['structured-clone'] },
      ],
      memoryLimit: this.#surroundings.memoryBytes,
      maxStackSize: STACK_BYTES,
      interruptHandler: () => this.#mustStop(),
      onUnhandledRejection: (promise, reason, isHandled) => {
        if (isHandled) this.#rejections.delete(promise.identity);
        else this.#rejections.set(promise.identity, reason.dup());
      },
      moduleLoader: {
        normalize: (base, specifier) => this.#normalize(base, specifier),
        load: (name) => this.#load(name),
      },
    });
    this.#vm = vm;
    let guest: JSValueHandle | undefined;
    try {
      guest = this.#startGuest(vm);
      this.#guest = guest;
      this.#begin(vm, guest);
      await this.#loop(vm, guest);
      if (this.#stop === null) {
        this.#callGuest(vm, guest, 'emitExit').dispose();
        this.#exitCode = this.#callGuest(vm, guest, 'exitCode').consume((code) => code.toNumber());
      }
    } catch (error) {
      if (this.#stop === null) this.#reportFailureSafely(vm, guest, error);
    }
    return {
      exitCode: this.#stop === 'output' ? 1 : this.#exitCode,
      isLate: this.#stop === 'late',
      ...(this.#report === undefined ? {} : { report: this.#report }),
    };
  }

  #mustStop(): boolean {
    if (this.#stop !== null) return true;
    if (++this.#checks % CHECKS_PER_LOOK === 0 && performance.now() > this.#surroundings.deadline)
      this.#stop = 'late';
    return this.#stop !== null;
  }

  #startGuest(vm: QuickJS): JSValueHandle {
    library ??= vm.compile(
      `${guestSource}\n;guestLibrary`,
      'node:internal',
      EvalFlags.TYPE_GLOBAL,
      WITHOUT_SOURCE,
    );
    const start = vm.evalBytecode(library).consume((exported) => exported.getProp('start'));
    const { args, cwd, env, entry } = this.#process;
    const facts: Start = {
      args,
      cwd,
      env,
      main: 'path' in entry ? entry.path : null,
      versions: { ...NODE_VERSIONS, quickjs: vm.versions['quickjs'] ?? '' },
    };
    const parse = vm.evalCode('JSON.parse');
    const parsed = vm
      .newString(JSON.stringify(facts))
      .consume((text) => vm.callFunction(parse, vm.undefined, text));
    return vm.callFunction(start, vm.undefined, this.#createHost(vm), parsed);
  }

  #createHost(vm: QuickJS): JSValueHandle {
    return createHost(vm, {
      ...this.#surroundings,
      stdin: this.#process.stdin,
      operations: this.#operations(vm),
      runJobs: () => this.#runJobs(vm),
      hasEnded: () => this.#stop !== null,
      stopForOutput: () => void (this.#stop ??= 'output'),
    });
  }

  #operations(vm: QuickJS): Operations {
    return {
      ...commonOperations(this.#surroundings.files),
      resolve: (specifier: string, base: string) =>
        this.#modules.resolve(specifier, base, ['node', 'require', 'default']),
      source: (path: string) => toJavaScript(this.#modules.read(path), path),
      json: (path: string) => this.#readJson(path),
      exit: (code: number) => {
        this.#exitCode = code;
        this.#stop ??= 'exit';
      },
      memory: () => {
        const { memoryUsedSize } = vm.getMemoryUsage();
        return {
          rss: memoryUsedSize,
          heapTotal: memoryUsedSize,
          heapUsed: memoryUsedSize,
          external: 0,
          arrayBuffers: 0,
        };
      },
      report: (totals: TestReport['totals'], failures: string[]) => {
        this.#report = { totals, failures };
      },
    };
  }

  #readJson(path: string): unknown {
    try {
      return JSON.parse(this.#modules.read(path));
    } catch (error) {
      throw error instanceof SyntaxError ? new SyntaxError(`${path}: ${error.message}`) : error;
    }
  }

  #begin(vm: QuickJS, guest: JSValueHandle): void {
    const { entry, cwd } = this.#process;
    if (!('path' in entry)) {
      const source = toJavaScript(entry.text, `${entry.name}.ts`); // Node strips types here too
      if (entry.isModule || isModule(source, entry.name) || this.#awaits(vm, source)) {
        const path = joinPath(cwd, entry.name);
        vm.evalCode(withMeta(source, path), path, EvalFlags.TYPE_MODULE).dispose();
      } else {
        const print = entry.print ? vm.true : vm.false;
        this.#callGuest(
          vm,
          guest,
          'runText',
          vm.newString(source),
          vm.newString(entry.name),
          print,
        ).dispose();
      }
      return;
    }
    const resolved = this.#modules.main(entry.path);
    const source =
      resolved.kind === 'json' ? '' : toJavaScript(this.#modules.read(resolved.path), resolved.path);
    if (resolved.kind === 'module' || this.#awaits(vm, source)) {
      vm.evalCode(withMeta(source, resolved.path), resolved.path, EvalFlags.TYPE_MODULE).dispose();
      return;
    }
    this.#callGuest(vm, guest, 'runMain', vm.newString(JSON.stringify(resolved))).dispose();
  }

  /** Returns whether a text is a program only as an ES module, because it waits outside of functions. */
  #awaits(vm: QuickJS, source: string): boolean {
    const isValid = (text: string, flags: number): boolean => {
      try {
        vm.compile(text, 'check', flags);
        return true;
      } catch {
        return false;
      }
    };
    if (!/\bawait\b/u.test(source) || isValid(`(function () {${source}\n})`, EvalFlags.TYPE_GLOBAL))
      return false;
    return isValid(source, EvalFlags.TYPE_MODULE);
  }

  /** Runs jobs and timers until none is left. */
  async #loop(vm: QuickJS, guest: JSValueHandle): Promise<void> {
    for (;;) {
      this.#runJobs(vm);
      this.#failOnRejection(vm, guest);
      if (this.#stop !== null) return;
      const wait = this.#callGuest(vm, guest, 'untilNextTimer').consume((result) => result.toNumber());
      if (wait < 0) return;
      if (wait > 0) {
        const left = this.#surroundings.deadline - performance.now();
        await new Promise((resolve) => setTimeout(resolve, Math.min(wait, Math.max(0, left))));
        if (left <= wait) this.#stop ??= 'late';
      }
      try {
        this.#callGuest(vm, guest, 'runDueTimer').dispose();
      } catch (error) {
        if (this.#stop !== null || !(error instanceof JSException)) throw error;
        if (!this.#isHandled(vm, guest, 'uncaughtException', error.handle)) throw error;
      }
    }
  }

  #runJobs(vm: QuickJS): void {
    try {
      vm.executePendingJobs();
    } catch (error) {
      if (this.#stop === null) throw error;
    }
  }

  /** A rejection without a handler ends a program, unless the program listens for it. */
  #failOnRejection(vm: QuickJS, guest: JSValueHandle): void {
    if (this.#stop !== null) return;
    for (const [identity, reason] of this.#rejections) {
      this.#rejections.delete(identity);
      if (this.#isHandled(vm, guest, 'unhandledRejection', reason)) continue;
      this.#end(vm, guest, reason);
      return;
    }
  }

  #isHandled(vm: QuickJS, guest: JSValueHandle, event: string, error: JSValueHandle): boolean {
    return this.#callGuest(vm, guest, 'emitError', vm.newString(event), error).consume((value) =>
      value.toBoolean(),
    );
  }

  /** A thrown value may have getters that fail or never end. */
  #reportFailureSafely(vm: QuickJS, guest: JSValueHandle | undefined, error: unknown): void {
    this.#exitCode = 1;
    try {
      this.#reportFailure(vm, guest, error);
    } catch {
      this.#surroundings.output.print('stderr', 'The program ended with an error that cannot be shown.\n');
    }
  }

  #reportFailure(vm: QuickJS, guest: JSValueHandle | undefined, error: unknown): void {
    if (error instanceof JSException && guest !== undefined) {
      this.#end(vm, guest, error.handle);
      return;
    }
    const { output } = this.#surroundings;
    this.#exitCode = 1;
    const isExpected =
      error instanceof ModuleError || error instanceof SyntaxError || error instanceof JSException;
    if (isExpected) output.print('stderr', `${error.name}: ${error.message}\n`);
    else {
      const { message, code } = error as { message: string; code?: string };
      output.print('stderr', `${code === undefined ? 'The interpreter failed: ' : ''}${message}\n`);
    }
  }

  /** Prints an error that nothing handles, and ends the program. */
  #end(vm: QuickJS, guest: JSValueHandle, error: JSValueHandle): void {
    this.#exitCode = 1;
    const text = this.#callGuest(vm, guest, 'describe', error).consume((result) => result.toString());
    this.#surroundings.output.print('stderr', `${text}\n`);
    this.#stop ??= 'exit';
  }

  #callGuest(vm: QuickJS, guest: JSValueHandle, name: string, ...args: JSValueHandle[]): JSValueHandle {
    return guest.getProp(name).consume((method) => vm.callFunction(method, guest, ...args));
  }

  /** Returns the name of a module for `load`: the path of an ES module, or a prefix with what it needs. */
  #normalize(base: string, specifier: string): string {
    try {
      const module = this.#modules.resolve(specifier, base, ['node', 'import', 'module-sync', 'default']);
      return module.kind === 'module' ? module.path : ADAPTER + JSON.stringify(module);
    } catch (error) {
      const length = this.#failures.push(throwing(errorAsJson(error), this.#namesOf(specifier, base)));
      return `${FAILURE}${length - 1}`;
    }
  }

  /** Returns the names that a module imports from another one: without them, the interpreter would report a missing name. */
  #namesOf(specifier: string, base: string): string[] {
    const { entry } = this.#process;
    try {
      const source = 'text' in entry && base.endsWith(entry.name) ? entry.text : this.#modules.read(base);
      return importedNames(toJavaScript(source, base), specifier);
    } catch {
      return [];
    }
  }

  /** Returns the text of a module. An error becomes a module that throws it. */
  #load(name: string): string {
    try {
      if (name.startsWith(FAILURE)) return this.#failures[Number(name.slice(FAILURE.length))] ?? '';
      if (name.startsWith(ADAPTER)) return this.#adapter(name.slice(ADAPTER.length));
      return withMeta(toJavaScript(this.#modules.read(name), name), name);
    } catch (error) {
      return throwing(errorAsJson(error), []);
    }
  }

  /** Returns an ES module with the exports of another kind of module. The names must be known now, so that module runs now. */
  #adapter(resolved: string): string {
    const vm = this.#vm;
    const guest = this.#guest;
    if (vm === null || guest === null) throw new Error('The program has not started.');
    let names: string[] = [];
    try {
      names = JSON.parse(
        this.#callGuest(vm, guest, 'namesOf', vm.newString(resolved)).consume((text) => text.toString()),
      ) as string[];
    } catch (error) {
      if (!(error instanceof JSException)) throw error;
      error.dispose(); // running it again throws the error where the program can catch it
    }
    const values = names.map((name, at) => `const value${at} = loaded[${JSON.stringify(name)}];`).join(' ');
    const list = names.map((name, at) => `value${at} as ${name}`).join(', ');
    return `const loaded = __load(${resolved}); ${values} export default loaded; export { ${list} };`;
  }
}

/** Prefixes of the names of modules that the host writes. */
const ADAPTER = 'adapter:';
const FAILURE = 'failure:';

/** Returns a module that throws an error, and has some exports. */
function throwing(failed: string, names: readonly string[]): string {
  const list = names.map((name) => `nothing as ${name}`).join(', ');
  return `let nothing; export { ${list} }; const { error } = ${failed}; const { name, message, ...facts } = error;
    throw Object.assign(name === 'SyntaxError' ? new SyntaxError(message) : new Error(message), facts);`;
}

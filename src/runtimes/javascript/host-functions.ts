import { JSException, type QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { answer, failure, type Operations } from './operations.js';
import type { Surroundings } from './process.js';

/** What the functions of the host work with. */
interface HostContext extends Pick<Surroundings, 'files' | 'output'> {
  stdin: Uint8Array;
  operations: Operations;
  runJobs(): void;
  /** True once the program must stop. It may run on for a moment; nothing that it does then counts. */
  hasEnded(): boolean;
  stopForOutput(): void;
}

/** Creates the object that the guest's library receives; see `Host`. No object and no error of the host reaches the guest. */
export function createHost(vm: QuickJS, context: HostContext): JSValueHandle {
  const { files, output, stdin, operations } = context;
  const host = vm.newObject();
  let last: JSValueHandle | null = null;
  const define = (
    name: string,
    run: (...args: [JSValueHandle, JSValueHandle, JSValueHandle]) => JSValueHandle,
  ): void => {
    const callback = (a = vm.undefined, b = vm.undefined, c = vm.undefined): JSValueHandle => {
      if (context.hasEnded()) return vm.undefined;
      try {
        const result = run(a, b, c);
        last?.dispose(); // the caller has its own reference by now
        last = result;
        return result;
      } catch (error) {
        throw withoutStack(error);
      }
    };
    vm.newFunction(name, callback).consume((made) => host.setProp(name, made));
  };
  define('call', (name, args) => vm.newString(answer(operations, textOf(name), textOf(args))));
  define('read', (path) => {
    try {
      return vm.newUint8Array(textOf(path) === '/dev/stdin' ? stdin : files.read(textOf(path)));
    } catch (error) {
      return vm.newString(failure(error));
    }
  });
  define('write', (path, content, append) => {
    try {
      write(context, textOf(path), bytesOf(content), append.toBoolean());
      return vm.newString('');
    } catch (error) {
      return vm.newString(failure(error));
    }
  });
  define('print', (stream, content) => {
    const printed = content.isString ? content.toString() : bytesOf(content);
    if (!output.print(textOf(stream) === 'stderr' ? 'stderr' : 'stdout', printed)) context.stopForOutput();
    return vm.undefined;
  });
  define('compile', (source, name) => {
    const result = vm.newObject();
    try {
      vm.evalCode(textOf(source), textOf(name)).consume((value) => result.setProp('value', value));
    } catch (error) {
      if (!(error instanceof JSException)) throw error;
      result.setProp('error', error.handle);
      error.dispose();
    }
    return result;
  });
  define('runJobs', () => {
    context.runJobs();
    return vm.undefined;
  });
  define('compare', (a, b) => vm.newNumber(textOf(a).localeCompare(textOf(b), 'en-US')));
  return host;
}

function write(context: HostContext, path: string, content: Uint8Array, append: boolean): void {
  const { files, output } = context;
  if (path === '/dev/null') return;
  if (path === '/dev/stdout' || path === '/dev/stderr') {
    if (!output.print(path === '/dev/stdout' ? 'stdout' : 'stderr', content)) context.stopForOutput();
  } else if (append) files.append(path, content);
  else files.write(path, content);
}

function textOf(value: JSValueHandle): string {
  return value.toString();
}

function bytesOf(value: JSValueHandle): Uint8Array {
  return value.toUint8Array().slice();
}

/** The stack of the host is nothing for the guest. */
function withoutStack(error: unknown): Error {
  return Object.assign(new Error(error instanceof Error ? error.message : 'The host failed.'), { stack: '' });
}

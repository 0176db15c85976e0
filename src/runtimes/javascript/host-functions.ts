import { JSException, type QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { runOperation, errorAsJson, type Operations } from './operations.js';
import type { ProgramSurroundings } from './process.js';

/** What the functions of the host work with. */
interface HostContext extends Pick<ProgramSurroundings, 'files' | 'output'> {
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
  define('call', (name, args) => vm.newString(runOperation(operations, handleText(name), handleText(args))));
  define('read', (path) => {
    try {
      return vm.newUint8Array(handleText(path) === '/dev/stdin' ? stdin : files.read(handleText(path)));
    } catch (error) {
      return vm.newString(errorAsJson(error));
    }
  });
  define('write', (path, content, append) => {
    try {
      writeToFile(context, handleText(path), handleBytes(content), append.toBoolean());
      return vm.newString('');
    } catch (error) {
      return vm.newString(errorAsJson(error));
    }
  });
  define('print', (stream, content) => {
    const printed = content.isString ? content.toString() : handleBytes(content);
    if (!output.print(handleText(stream) === 'stderr' ? 'stderr' : 'stdout', printed))
      context.stopForOutput();
    return vm.undefined;
  });
  define('compile', (source, name) => {
    const result = vm.newObject();
    try {
      vm.evalCode(handleText(source), handleText(name)).consume((value) => result.setProp('value', value));
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
  define('compare', (a, b) => vm.newNumber(handleText(a).localeCompare(handleText(b), 'en-US')));
  return host;
}

function writeToFile(context: HostContext, path: string, content: Uint8Array, append: boolean): void {
  const { files, output } = context;
  if (path === '/dev/null') return;
  if (path === '/dev/stdout' || path === '/dev/stderr') {
    if (!output.print(path === '/dev/stdout' ? 'stdout' : 'stderr', content)) context.stopForOutput();
  } else if (append) files.append(path, content);
  else files.write(path, content);
}

function handleText(value: JSValueHandle): string {
  return value.toString();
}

function handleBytes(value: JSValueHandle): Uint8Array {
  return value.toUint8Array().slice();
}

/** The stack of the host is nothing for the guest. */
function withoutStack(error: unknown): Error {
  return Object.assign(new Error(error instanceof Error ? error.message : 'The host failed.'), { stack: '' });
}

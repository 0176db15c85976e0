import { describe, expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import type { TerminalOptions } from '../../../../src/tools/terminal/terminal-options.js';
import { play, run, shown, write } from '../../tools/terminal/harness.js';

/** Runs a program, then looks whether the next one is as usual. Returns what the program printed, and what the next one did. */
async function after(
  code: string,
  options: TerminalOptions = {},
  line = 'node /hostile.js',
): Promise<[string, string, string[]]> {
  const next =
    "node -p \"typeof leak + [1, 2].map((x) => x * 2) + JSON.stringify({}) + require('fs').existsSync('/half')\"";
  const steps = [write('/hostile.js', code), write('/secret.txt', 'secret'), run(line), run(next)];
  const { outputs, files } = await play(steps, {
    runtimes: [javascript({ memoryBytes: 32 * 1024 * 1024 })],
    ...options,
  });
  return [shown(outputs[2]), shown(outputs[3]), Object.keys(files).sort()];
}

const NEXT = 'undefined2,4{}false\n';
const FILES = ['/hostile.js', '/secret.txt'];

/** Names of the host that a program must not see. */
const OUTSIDE = `['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'indexedDB', 'caches', 'localStorage', 'navigator', 'location', 'document',
  'window', 'self', 'postMessage', 'importScripts', 'Worker', 'SharedWorker', 'BroadcastChannel', 'MessageChannel', 'WebAssembly', 'Deno', 'Bun', 'chrome',
  'addEventListener', 'open', 'SharedWorkerGlobalScope', 'XMLHttpRequestUpload', 'WebTransport', 'RTCPeerConnection', 'crossOriginIsolated']`;

describe('a hostile program finds nothing outside with', () => {
  it.each([
    ['the global object', `${OUTSIDE}.filter((name) => name in globalThis)`, '[]'],
    [
      'a constructor chain',
      `(() => { const g = [].constructor.constructor('return this')(); return ${OUTSIDE}.filter((name) => name in g); })()`,
      '[]',
    ],
    ['an async constructor', `await (async () => {}).constructor('return typeof fetch')()`, 'undefined'],
    [
      'a generator constructor',
      `(function* () {}).constructor('yield typeof fetch')().next().value`,
      'undefined',
    ],
    ['indirect eval', `(0, eval)('[typeof process.binding, typeof fetch].join()')`, 'undefined,undefined'],
    [
      'the constructor of process',
      `process.constructor.constructor('return typeof XMLHttpRequest')()`,
      'undefined',
    ],
    [
      'the constructor of a host function',
      `require('fs').readFileSync.constructor('return typeof fetch')()`,
      'undefined',
    ],
    [
      'the frames of a stack',
      `(() => { const before = Error.prepareStackTrace; let found = 'none'; Error.prepareStackTrace = (e, frames) => { found = frames.map((f) => typeof f.getThis?.()).join(); return ''; }; try { require('fs').readFileSync('/none'); } catch (e) { e.stack; } Error.prepareStackTrace = before; return /function|object/.test(found.replaceAll('undefined', '')) ? found : 'none'; })()`,
      'none',
    ],
    [
      'the stack of an error of the host',
      `(() => { try { require('fs').readFileSync('/none'); } catch (e) { return /node_modules|src|wasm/.test(e.stack); } })()`,
      'false',
    ],
    [
      'a value that the host cannot take',
      `(() => { try { process.stdout.write({}); } catch (e) { return e.constructor === Error && !/node_modules|src|wasm/.test(e.stack); } })()`,
      'true',
    ],
    [
      'a symbol for the host',
      `(() => { try { process.stdout.write(Symbol('x')); } catch (e) { return e instanceof Error; } })()`,
      'true',
    ],
    [
      'process.binding',
      `[typeof process.binding, typeof process.dlopen, typeof process._linkedBinding, typeof process.mainModule].join()`,
      'undefined,undefined,undefined,undefined',
    ],
    [
      'modules that start programs',
      `['child_process', 'worker_threads', 'vm', 'cluster', 'http', 'https', 'net', 'tls', 'dns', 'dgram', 'inspector', 'v8', 'repl', 'wasi'].filter((name) => { try { return require('node:' + name); } catch { return false; } })`,
      '[]',
    ],
    [
      'names of Object.prototype as modules',
      `['constructor', '__proto__', 'toString', 'hasOwnProperty', 'node:constructor'].filter((name) => { try { return require(name); } catch { return false; } })`,
      '[]',
    ],
    [
      'addresses as modules',
      `(await Promise.all(['https://example.org/x.js', 'data:text/javascript,export default 1', 'blob:x', 'file:///etc/passwd', 'http://localhost/'].map((a) => import(a).then(() => a, () => 'no')))).join()`,
      'no,no,no,no,no',
    ],
    [
      'names of the loader as modules',
      `(await Promise.all(['adapter:{"kind":"builtin","path":"fs"}', 'failure:{}', 'failure:{"error":{"message":"x"}};leak=1'].map((a) => import(a).then(() => a, () => 'no')))).join()`,
      'no,no,no',
    ],
    [
      'paths outside the files',
      `['/etc/passwd', '../../../../etc/passwd', '/proc/self/environ', '/work', '/dev/sda'].filter((path) => require('fs').existsSync(path))`,
      '[]',
    ],
    [
      'symbolic links',
      `[typeof require('fs').symlinkSync, typeof require('fs').linkSync].join()`,
      'undefined,undefined',
    ],
    [
      'the variables of the machine',
      `Object.keys(process.env).some((name) => /PATH_INFO|TOKEN|KEY|npm_config/.test(name))`,
      'false',
    ],
    [
      'Atomics and shared memory',
      `typeof Atomics + (() => { try { return new SharedArrayBuffer(8).byteLength; } catch { return 'none'; } })()`,
      /^undefined(?:8|none)$/u,
    ],
    [
      'operations that do not exist',
      `(() => { try { require('fs').constructor.call; return [typeof __load, typeof __meta].join(); } catch { return 'x'; } })()`,
      'function,function',
    ],
    [
      'the loader of the library',
      `(() => { try { return __load({ kind: 'commonjs', path: '/etc/passwd' }); } catch (e) { return e.code; } })()`,
      'ENOENT',
    ],
    ['the meta object of another module', `__meta('/etc/passwd').resolve('fs')`, 'node:fs'],
  ])('%s', async (_name, expression, expected) => {
    const [printed, next, files] = await after(`(async () => console.log(${expression}))()`);
    if (typeof expected === 'string') expect(printed).toBe(`${expected}\n`);
    else expect(printed.trim()).toMatch(expected);
    expect(next).toBe(NEXT);
    expect(files).toEqual(FILES);
  });
});

describe('a hostile program changes nothing for the next one with', () => {
  it.each([
    ['a global variable', 'globalThis.leak = 1; process.leak = 1;'],
    [
      'a changed prototype',
      'Array.prototype.map = () => "changed"; Object.prototype.leak = 1; Function.prototype.call = () => 1;',
    ],
    ['a changed JSON', 'JSON.parse = () => ({ value: "changed" }); JSON.stringify = () => "changed";'],
    [
      'a changed module',
      "require('fs').existsSync = () => true; require('fs').readFileSync = () => 'changed';",
    ],
    ['a changed promise', 'Promise.prototype.then = () => { throw 1; }; globalThis.queueMicrotask = null;'],
    [
      'a changed library',
      'globalThis.__load = 1; Error.prepareStackTrace = () => { throw new Error("x"); }; throw new Error("y");',
    ],
    [
      'a getter that everybody inherits',
      'Object.defineProperty(Object.prototype, "error", { get() { return { message: "changed" }; } });',
    ],
  ])('%s', async (_name, code) => {
    const [, next, files] = await after(code);
    expect(next).toBe(NEXT);
    expect(files).toEqual(FILES);
  });
});

describe('a hostile program ends at a limit with', () => {
  it.each([
    ['a growing list', 'const all = []; for (;;) all.push(new Array(10000).fill(1));', 'out of memory'],
    ['a growing text', 'let s = "x"; for (;;) s += s + s;', /out of memory|string too long/u],
    [
      'a huge buffer',
      'Buffer.alloc(2 ** 31 - 1); new ArrayBuffer(2 ** 40);',
      /out of memory|invalid|RangeError/iu,
    ],
    ['endless recursion', 'function f() { f(); } f();', 'Maximum call stack size exceeded'],
    [
      'recursion through the host',
      "require('fs').writeFileSync('/a.js', 'require(\"./b.js\")'); const f = (n) => { require('fs').writeFileSync('/m' + n + '.js', `require('/m${n + 1}.js')`); }; for (let n = 0; n < 3000; n++) f(n); require('/m0.js');",
      /\[exit code\]: 1$/u,
    ],
    [
      'nested JSON',
      'let a = []; for (let i = 0; i < 200000; i++) a = [a]; JSON.stringify(a);',
      /\[exit code\]: 1$/u,
    ],
    [
      'endless output',
      'for (;;) console.log("x".repeat(100000));',
      'stopped after more than 16777216 bytes of output',
    ],
    [
      'too many bytes of files',
      "const fs = require('fs'); try { for (;;) fs.writeFileSync('/f', new Uint8Array(4 * 1024 * 1024)); } catch (e) { fs.rmSync('/f'); console.log(e.code); }",
      'ENOSPC',
    ],
    [
      'an error that cannot be shown',
      'throw { get stack() { throw 1; }, toString() { throw 2; }, get [Symbol.toStringTag]() { throw 3; } };',
      /\[exit code\]: 1$/u,
    ],
    ['a thrown symbol', 'throw Symbol("x");', 'Uncaught Symbol(x)'],
    [
      'an exit that is caught',
      'try { process.exit(7); } catch { console.log("caught"); } finally { console.log("finally"); }',
      /^\n\[exit code\]: 7$/u,
    ],
    [
      'an exit in another module',
      "require('fs').writeFileSync('/half.js', 'process.exit(5)'); try { require('/half.js'); } catch {} console.log('on');",
      /^\n\[exit code\]: 5$/u,
    ],
  ])('%s', async (_name, code, expected) => {
    const [printed, next] = await after(code);
    if (typeof expected === 'string') expect(printed).toContain(expected);
    else expect(printed).toMatch(expected);
    expect(next).toBe(NEXT);
  });

  it.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches', 'for (;;) { try { for (;;); } catch {} finally { continue; } }'],
    ['a loop of promises', '(async () => { for (;;) await 0; })();'],
    ['a loop of microtasks', 'const again = () => queueMicrotask(again); again();'],
    ['a loop of timers', 'setInterval(() => {}, 1);'],
    ['a wait without end', 'setTimeout(() => {}, 1e9);'],
    ['a loop in a getter of an error', 'throw new Proxy(new Error("x"), { get() { for (;;); } });'],
    ['a loop in an exit handler', "process.on('exit', () => { for (;;); });"],
    ['a pattern with catastrophic backtracking', '/^(a+)+$/.test("a".repeat(40) + "!");'],
    ['a sort without end', '[3, 1, 2].sort(() => { for (;;); });'],
    [
      'a loop while it is imported',
      "require('fs').writeFileSync('/half.mjs', 'for (;;);'); import('/half.mjs');",
    ],
  ])('%s, with no changes', async (_name, code) => {
    const options = { timeoutMs: 600 };
    const [printed, , files] = await after(`require('fs').writeFileSync('/half', 'x'); ${code}`, options);
    expect(printed).toBe(''); // the whole command line was stopped
    expect(files).toEqual(FILES);
  });

  it('programs that start each other', async () => {
    const scripts = { a: 'npm run -s b', b: 'npm run -s a', many: 'npm run -s many; npm run -s many' };
    const manifest = `echo '${JSON.stringify({ scripts })}' > package.json`;
    const [chain] = await after('', {}, `${manifest}; npm run -s a; rm package.json`);
    expect(chain).toContain('16 programs are running already; no more can start.');
    const [tree, , files] = await after('', { timeoutMs: 1500 }, `${manifest}; npm run -s many`);
    expect(tree).toBe(''); // stopped at the time limit
    expect(files).toEqual(FILES);
  });
});

it('a program reads no file that a rule forbids', async () => {
  const files = { '/secret/key.txt': 'top secret' };
  const steps = [
    run(
      `node -e "try { console.log(require('fs').readFileSync('/secret/key.txt', 'utf8')) } catch (e) { console.log(e.code) }; console.log(require('fs').existsSync('/secret'))"`,
    ),
  ];
  const { outputs } = await play(
    steps,
    { runtimes: [javascript()] },
    { policy: [{ tool: 'Terminal.*', path: '/secret/**', do: 'deny' }], files },
  );
  expect(outputs[0]).toContain('forbids'); // as for a command of the shell that tries
  expect(outputs[0]).not.toContain('top secret');
});

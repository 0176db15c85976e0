/**
 * Names that remain in the worker's global scope: the language, and what Python itself needs. Everything else is removed, also what future
 * browsers add: network, storage, other workers, messages, and the browser's own modules.
 */
const ALLOWED_GLOBALS = new Set([
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date', 'Promise', 'RegExp', 'Error'],
  ...['AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError'],
  ...['JSON', 'Math', 'Intl', 'ArrayBuffer', 'SharedArrayBuffer', 'Atomics', 'DataView', 'Map', 'Set', 'WeakMap', 'WeakSet'],
  ...['WeakRef', 'FinalizationRegistry', 'Proxy', 'Reflect', 'Iterator', 'DisposableStack', 'AsyncDisposableStack'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array'],
  ...['Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'globalThis', 'undefined', 'NaN', 'Infinity'],
  ...['parseInt', 'parseFloat', 'isNaN', 'isFinite', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
  ...['WebAssembly', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'DOMException'],
  ...['performance', 'console', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'structuredClone'],
  ...['self', 'constructor', 'atob', 'btoa', 'eval'],
]); // prettier-ignore

/** Bytes that WebAssembly may use. */
const MAX_MEMORY = 1024 * 1024 * 1024;

/**
 * Takes from the current worker everything that leads out of it, for good. A program that reaches JavaScript, as Python's may, finds neither
 * network nor storage nor a way to make code from text, which could import from an address.
 */
export function lockDown(): void {
  refuseCodeFromText();
  limitMemory();
  const scope = globalThis as unknown as Record<string, unknown>;
  const replaced: [string, unknown][] = ['setTimeout', 'setInterval'].map((name) => [
    name,
    withoutText(scope[name] as StartTimer),
  ]);
  for (
    let owner: object | null = globalThis;
    owner !== null && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner) as object | null
  )
    for (const name of Object.getOwnPropertyNames(owner))
      if (!ALLOWED_GLOBALS.has(name)) removeGlobal(owner, name);
  for (const [name, value] of replaced) defineLocked(globalThis, name, value);
}

/** @throws Error if something other than a constant cannot be removed. */
function removeGlobal(owner: object, name: string): void {
  if (Reflect.deleteProperty(owner, name)) return;
  const property: PropertyDescriptor = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  const value: unknown = property.value;
  if (property.configurable === true || property.writable === true) defineLocked(owner, name, undefined);
  else if (typeof value !== 'number' && typeof value !== 'string')
    throw new Error(`${name} cannot be removed.`);
}

function defineLocked(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false, enumerable: false });
}

function refuseCode(): never {
  throw new TypeError('Code cannot be made from text here.');
}

function refuseCodeFromText(): void {
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds)
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', {
      get: () => refuseCode,
      // An object of Pyodide that inherits it may set its own.
      set(this: object, value: unknown) {
        Object.defineProperty(this, 'constructor', { value, writable: true, configurable: true });
      },
      configurable: false,
    });
  // Pyodide calls methods of the prototype.
  const replacement = Object.defineProperty(() => refuseCode(), 'prototype', { value: Function.prototype });
  defineLocked(globalThis, 'Function', replacement);
  defineLocked(globalThis, 'eval', refuseCode);
}

type StartTimer = (callback: unknown, ...rest: unknown[]) => unknown;

/** A timer would run a text as code. */
function withoutText(start: StartTimer): StartTimer {
  return (callback, ...rest) => {
    if (typeof callback !== 'function') refuseCode();
    return start.call(globalThis, callback, ...rest);
  };
}

function limitMemory(): void {
  const { prototype } = WebAssembly.Memory;
  const grow = Object.getOwnPropertyDescriptor(prototype, 'grow')?.value as (pages: number) => number;
  defineLocked(prototype, 'grow', function (this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > MAX_MEMORY) throw new RangeError('too much memory');
    return grow.call(this, pages);
  });
}

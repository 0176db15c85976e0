import inspection from 'node-inspect-extracted';

const { inspect, format, formatWithOptions } = inspection;

type AnyFunction = (...args: never[]) => unknown;

const CUSTOM = Symbol.for('nodejs.util.promisify.custom');

/** Returns a function with a promise for one with a callback. */
function promisify(original: AnyFunction & { [CUSTOM]?: AnyFunction }): AnyFunction {
  if (original[CUSTOM] !== undefined) return original[CUSTOM];
  return function (this: unknown, ...args: never[]) {
    return new Promise((resolve, reject) => {
      const callback = (error: Error | null, value: unknown): void =>
        error ? reject(error) : resolve(value);
      (original as (...all: unknown[]) => unknown).call(this, ...args, callback);
    });
  };
}

/** Returns a function with a callback for one with a promise. */
function callbackify(original: (...args: unknown[]) => Promise<unknown>): AnyFunction {
  return (...args: unknown[]) => {
    const callback = args.pop() as (error: unknown, value?: unknown) => void;
    original(...args).then(
      (value) => setTimeout(callback, 0, null, value),
      (error: unknown) => setTimeout(callback, 0, error),
    );
  };
}

function inherits(child: AnyFunction & { super_?: unknown }, parent: AnyFunction): void {
  child.super_ = parent;
  Object.setPrototypeOf(child.prototype as object, parent.prototype as object);
}

const objectKind = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const is =
  (...kinds: string[]) =>
  (value: unknown): boolean =>
    kinds.includes(objectKind(value));

const types = {
  isDate: is('Date'),
  isRegExp: is('RegExp'),
  isMap: is('Map'),
  isSet: is('Set'),
  isWeakMap: is('WeakMap'),
  isWeakSet: is('WeakSet'),
  isPromise: is('Promise'),
  isNativeError: (value: unknown): boolean => value instanceof Error,
  isArrayBuffer: is('ArrayBuffer'),
  isAnyArrayBuffer: is('ArrayBuffer', 'SharedArrayBuffer'),
  isArrayBufferView: (value: unknown): boolean => ArrayBuffer.isView(value),
  isTypedArray: (value: unknown): boolean => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: is('Uint8Array'),
  isFloat32Array: is('Float32Array'),
  isFloat64Array: is('Float64Array'),
  isAsyncFunction: is('AsyncFunction', 'AsyncGeneratorFunction'),
  isGeneratorFunction: is('GeneratorFunction', 'AsyncGeneratorFunction'),
  isGeneratorObject: is('Generator'),
  isSymbolObject: (value: unknown): boolean => typeof value === 'object' && is('Symbol')(value),
  isNumberObject: (value: unknown): boolean => typeof value === 'object' && is('Number')(value),
  isStringObject: (value: unknown): boolean => typeof value === 'object' && is('String')(value),
  isBooleanObject: (value: unknown): boolean => typeof value === 'object' && is('Boolean')(value),
  isBigIntObject: (value: unknown): boolean => typeof value === 'object' && is('BigInt')(value),
  isBoxedPrimitive: (value: unknown): boolean =>
    typeof value === 'object' && is('Symbol', 'Number', 'String', 'Boolean', 'BigInt')(value),
};

const stripVTControlCharacters = (text: string): string => text.replace(/\u001B\[[0-?]*[ -/]*[@-~]/gu, '');

/** Everything of `util` that `assert` needs; `util-for-assert.ts` is imported in the place of the package `util`. */
export const utilCore = {
  inspect,
  format,
  formatWithOptions,
  promisify: Object.assign(promisify, { custom: CUSTOM }),
  callbackify,
  inherits,
  types,
  stripVTControlCharacters,
  deprecate: (deprecated: AnyFunction) => deprecated,
  debuglog: () => () => {},
  isArray: Array.isArray,
  TextEncoder,
  TextDecoder,
};

export { format, inspect };

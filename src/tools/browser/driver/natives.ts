/**
 * Native platform functions, captured before any script of the page runs. The page may replace methods of prototypes; the driver is not
 * affected.
 */
const { apply, getOwnPropertyDescriptor } = Reflect;

type Callable = (...values: unknown[]) => unknown;

/** Returns `prototype[name]` as a function that takes the object as its first argument. */
export function method<Target extends object, Name extends keyof Target>(
  prototype: Target,
  name: Name,
): Target[Name] extends (...values: infer Values) => infer Result
  ? (self: object, ...values: Values) => Result
  : never {
  const native = getOwnPropertyDescriptor(prototype, name)?.value as Callable;
  const call = (self: object, ...values: unknown[]) => apply(native, self, values);
  return call as ReturnType<typeof method<Target, Name>>;
}

interface Field {
  value: string;
}

/**
 * Returns a function that sets `value` of a field with the native setter, bypassing overrides by the page or a framework. On a server,
 * where there are no fields, it does nothing.
 */
export function valueSetter(
  name: 'HTMLInputElement' | 'HTMLTextAreaElement' | 'HTMLSelectElement',
): (field: Field, value: string) => void {
  const made = (globalThis as Record<typeof name, { prototype: Field } | undefined>)[name];
  const native = made && (getOwnPropertyDescriptor(made.prototype, 'value')?.set as Callable | undefined);
  return (field, value) => {
    if (native !== undefined) apply(native, field, [value]);
  };
}

/** Replaces a method. `replacement` receives the object, the arguments, and the native method bound to both. */
export function replaceMethod(
  prototype: object,
  name: string,
  replacement: (self: unknown, values: unknown[], native: () => unknown) => unknown,
): void {
  const native = getOwnPropertyDescriptor(prototype, name)?.value as Callable;
  Object.defineProperty(prototype, name, {
    value(this: unknown, ...values: unknown[]) {
      return replacement(this, values, () => apply(native, this, values));
    },
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

/** Returns whether the browser's engine is WebKit, as in Safari. */
export function isWebKit(): boolean {
  return navigator.vendor.startsWith('Apple');
}

export function isFirefox(): boolean {
  return navigator.vendor === '';
}

/** Replaces a getter. Returns the native one as a function that takes the object. */
export function replaceGetter<Target extends object, Name extends keyof Target>(
  prototype: Target,
  name: Name,
  replacement: (self: unknown, native: () => Target[Name]) => Target[Name],
): (self: object) => Target[Name] {
  const get = getOwnPropertyDescriptor(prototype, name)?.get as Callable;
  const native = (self: unknown) => apply(get, self, []) as Target[Name];
  Object.defineProperty(prototype, name, {
    get(this: unknown) {
      return replacement(this, () => native(this));
    },
    configurable: true,
    enumerable: true,
  });
  return native;
}

/** Replaces a setter. `replacement` receives the object, the value, and the native setter of the object. */
export function replaceSetter<Target extends object>(
  prototype: Target,
  name: string,
  replacement: (self: Target, value: unknown, set: (value: unknown) => void) => void,
): void {
  const found = getOwnPropertyDescriptor(prototype, name);
  const native = found?.set as Callable | undefined;
  if (found === undefined || native === undefined) return;
  Object.defineProperty(prototype, name, {
    ...found,
    set(this: Target, value: unknown) {
      replacement(this, value, (allowed) => apply(native, this, [allowed]));
    },
  });
}

export const listen = method(EventTarget.prototype, 'addEventListener');
export const unlisten = method(EventTarget.prototype, 'removeEventListener');

export const { setTimeout: later, clearTimeout: cancelLater, requestAnimationFrame: onFrame } = globalThis;
// Firefox gives a frame that the HTML names no `performance` when its document is replaced at once.
const clock = (performance as Performance | null) ?? Date;
export const now = clock.now.bind(clock);

/** Resolves after `milliseconds`. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => later(resolve, milliseconds));
}

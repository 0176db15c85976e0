/**
 * Functions of the platform as they were before any script of the page ran: the page may replace what hangs at prototypes, for the driver
 * nothing changes.
 */
const { apply, getOwnPropertyDescriptor } = Reflect;

type Callable = (...values: unknown[]) => unknown;

/** `prototype[name]`, to be called with the object first. */
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

/** Sets `prototype[name]` of an object as the platform does, whatever the page or a framework put before it. */
export function setter<Target extends object, Name extends keyof Target>(
  prototype: Target,
  name: Name,
): (self: object, value: Target[Name]) => void {
  const native = getOwnPropertyDescriptor(prototype, name)?.set as Callable;
  return (self, value) => void apply(native, self, [value]);
}

/** Puts `replacement` in place of a method. It gets the object, the arguments and the native one, ready to be called with both. */
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

export const listen = method(EventTarget.prototype, 'addEventListener');
export const unlisten = method(EventTarget.prototype, 'removeEventListener');

export const { setTimeout: later, clearTimeout: cancelLater } = globalThis;
export const now = performance.now.bind(performance);

/** After `milliseconds`. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => later(resolve, milliseconds));
}

type MockFunction = (...args: unknown[]) => unknown;

interface MockCall {
  arguments: unknown[];
  result?: unknown;
  error?: unknown;
  this: unknown;
}

/** Returns `mock` of `node:test`: functions that record their calls. */
export function mock() {
  const restores: (() => void)[] = [];

  function fn(original: unknown = () => {}, replacement?: unknown) {
    const once = new Map<number, MockFunction>();
    let implementation = (typeof replacement === 'function' ? replacement : original) as MockFunction;
    const calls: MockCall[] = [];
    const mocked = function (this: unknown, ...args: unknown[]): unknown {
      const call: MockCall = { arguments: args, this: this };
      const run = once.get(calls.length) ?? implementation;
      calls.push(call);
      try {
        call.result = run.apply(this, args);
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      }
    };
    return Object.assign(mocked, {
      mock: {
        calls,
        callCount: () => calls.length,
        resetCalls: () => void calls.splice(0),
        mockImplementation: (next: MockFunction) => void (implementation = next),
        mockImplementationOnce: (next: MockFunction, at = calls.length) => void once.set(at, next),
        restore: () => void (implementation = original as MockFunction),
      },
    });
  }

  function method(target: Record<string, unknown>, name: string, replacement?: unknown) {
    const original = target[name] as MockFunction;
    const hadOwn = Object.hasOwn(target, name);
    const mocked = fn(original, replacement);
    target[name] = mocked;
    const restore = (): void => {
      if (hadOwn) target[name] = original;
      else Reflect.deleteProperty(target, name);
    };
    restores.push(restore);
    return Object.assign(mocked, { mock: { ...mocked.mock, restore } });
  }

  const restoreAll = () => {
    for (const restore of restores.splice(0)) restore();
  };
  return { fn, method, restoreAll, reset: restoreAll };
}

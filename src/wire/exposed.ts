type Method = (...args: unknown[]) => unknown;

/** What Comlink calls a method by. */
const CALLABLE: object = Object.freeze(
  Object.assign(Object.create(null) as object, {
    apply: bare(function (this: Method, self: unknown, args: unknown[]): unknown {
      return Reflect.apply(this, self, args);
    }),
  }),
);

/**
 * An object whose methods can be called over a port, and nothing else of it be reached. Comlink follows any path it is sent: through a
 * common function it would come to `constructor`, which makes code of a text, and it would set what it is told to.
 */
export function exposed<Api extends object>(methods: Readonly<Record<keyof Api, Method>>): Api {
  const api = Object.create(null) as Record<string, Method>;
  for (const [name, method] of Object.entries<Method>(methods)) {
    const own: Method = (...args) => method(...args);
    api[name] = Object.freeze(Object.setPrototypeOf(own, CALLABLE) as Method);
  }
  return Object.freeze(api) as unknown as Api;
}

function bare<Value extends object>(value: Value): Value {
  return Object.freeze(Object.setPrototypeOf(value, null) as Value);
}

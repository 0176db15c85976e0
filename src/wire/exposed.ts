type ExposedMethod = (...args: unknown[]) => unknown;

/** What Comlink calls a method by. */
const CALLABLE: object = Object.freeze(
  Object.assign(Object.create(null) as object, {
    apply: bare(function (this: ExposedMethod, self: unknown, args: unknown[]): unknown {
      return Reflect.apply(this, self, args);
    }),
  }),
);

/**
 * Returns an object whose methods can be called over a port, and nothing else of it can be reached. Comlink follows any path it
 * receives: through a plain function it would reach `constructor`, which turns text into code, and it would set any property.
 */
export function exposed<Api extends object>(methods: Readonly<Record<keyof Api, ExposedMethod>>): Api {
  const api = Object.create(null) as Record<string, ExposedMethod>;
  for (const [name, method] of Object.entries<ExposedMethod>(methods)) {
    const own: ExposedMethod = (...args) => method(...args);
    api[name] = Object.freeze(Object.setPrototypeOf(own, CALLABLE) as ExposedMethod);
  }
  return Object.freeze(api) as unknown as Api;
}

function bare<Value extends object>(value: Value): Value {
  return Object.freeze(Object.setPrototypeOf(value, null) as Value);
}

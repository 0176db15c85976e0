/**
 * Makes a value once for all projects of a run, each of which loads its own copy of a setup file.
 *
 * @param name names the value among those of all setup files.
 */
export function oncePerRun<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  const made = globalThis as unknown as Record<symbol, Promise<Value> | undefined>;
  return (made[Symbol.for(`rolezero test: ${name}`)] ??= make());
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder in which runs of the same sources share what they build, such as those of CI; unset elsewhere. */
const shared = process.env['SHARED_BUILDS'];

/**
 * Makes a value once for all projects of a run, each of which loads its own copy of a setup file, or for all runs that share their builds.
 *
 * @param name names the value among those of all setup files.
 * @param make returns the value, which must be JSON.
 * @returns the value, and what removes it at the end of the run, unless another run will use it.
 */
export async function oncePerRun<Value>(
  name: string,
  make: () => Promise<Value>,
  remove: (value: Value) => void,
): Promise<{ value: Value; remove: () => void }> {
  const made = globalThis as unknown as Record<symbol, Promise<Value> | undefined>;
  const value = await (made[Symbol.for(`rolezero test: ${name}`)] ??= makeShared(name, make));
  return { value, remove: () => (shared === undefined ? remove(value) : undefined) };
}

async function makeShared<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  if (shared === undefined) return make();
  const file = join(shared, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value;
  const value = await make();
  writeFileSync(file, JSON.stringify(value));
  return value;
}

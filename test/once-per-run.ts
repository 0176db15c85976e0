import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  return { value, remove: () => removeUnshared(value, remove) };
}

/**
 * Makes a value for each call, or once for all runs that share their builds. Two calls at the same time each make their own.
 *
 * @param name names the value among those of all callers.
 * @param make returns the value, which must be JSON.
 * @returns the value, and what removes it after use, unless another run will use it.
 */
export async function builtOnce<Value>(
  name: string,
  make: () => Promise<Value>,
  remove: (value: Value) => void,
): Promise<{ value: Value; remove: () => void }> {
  const value = await makeShared(name, make);
  return { value, remove: () => removeUnshared(value, remove) };
}

function removeUnshared<Value>(value: Value, remove: (value: Value) => void): void {
  if (shared === undefined) remove(value);
}

async function makeShared<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  if (shared === undefined) return make();
  const file = join(shared, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value;
  const value = await make();
  const part = `${file}.${process.pid}`;
  writeFileSync(part, JSON.stringify(value));
  renameSync(part, file); // others read it as soon as it exists
  return value;
}

import { vi, expect } from 'vitest';
import type { RunRoleResult } from '../../../src/testing/run-role.js';
import { run } from '../../unit/docs/snippets.js';

/** Runs a snippet as a module in Node and returns its exports. */
export async function exportsOf<Exports>(code: string): Promise<Exports> {
  return (await run({ where: 'snippet', language: 'ts', code })) as Exports;
}

/** Runs a snippet that is a test: it must assert, and every assertion must hold. */
export async function expectToPass(code: string): Promise<void> {
  const assert = vi.spyOn(console, 'assert').mockImplementation(() => {});
  await exportsOf(code);
  expect(assert).toHaveBeenCalled();
  expect(assert.mock.calls.filter(([holds]) => holds !== true)).toEqual([]);
}

/** Returns the output of each completed command in order. */
export function outputsOf({ events }: Pick<RunRoleResult, 'events'>): string[] {
  return events.flatMap((event) => (event.type === 'command-end' ? [event.output] : []));
}

import { describe, expect, it } from 'vitest';
import { remoteMethods } from '../../../src/client/worker-link.js';
import {
  APPROVAL_METHODS,
  BRANCH_METHODS,
  FILE_METHODS,
  MEMORY_METHODS,
  NOTE_METHODS,
} from '../../../src/wire/session-api.js';
import { METHODS } from '../../../src/worker/session-methods.js';

type Remote = Record<string, (...args: unknown[]) => unknown>;

/** The methods of `session.files` and the other groups, and the calls that reach the worker. */
function record(): {
  calls: unknown[];
  files: Remote;
  memory: Remote;
  notes: Remote;
  branches: Remote;
  approvals: Remote;
} {
  const calls: unknown[] = [];
  const call = async (...parts: unknown[]): Promise<string> => {
    calls.push(parts);
    return 'result';
  };
  return {
    calls,
    files: remoteMethods('files', FILE_METHODS, call) as unknown as Remote,
    memory: remoteMethods('memory', MEMORY_METHODS, call) as unknown as Remote,
    notes: remoteMethods('notes', NOTE_METHODS, call) as unknown as Remote,
    branches: remoteMethods('branches', BRANCH_METHODS, call) as unknown as Remote,
    approvals: remoteMethods('approvals', APPROVAL_METHODS, call) as unknown as Remote,
  };
}

describe('methods that work in the worker', () => {
  it('calls every method by its protocol name, with unchanged arguments', async () => {
    const { calls, ...groups } = record();
    const args = ['a', undefined, { some: 'option' }];
    for (const methods of Object.values(groups))
      for (const method of Object.values(methods)) expect(await method(...args)).toBe('result');
    const known = [...METHODS.keys()].filter((name) => String(name).includes('.'));
    expect(calls).toEqual(known.map((name) => [name, args]));
  });

  it('has only the methods of the table', () => {
    const { files, memory, notes } = record();
    for (const methods of [files, memory, notes])
      for (const name of ['then', 'toJSON', 'readFile']) expect(name in methods).toBe(false);
  });
});

import { RoleZeroError } from '../../core/error.js';
import type { Runtime } from '../../core/program.js';
import type { PythonOptions } from './python.js';

/** Creates a runtime that runs nothing: Python's worker exists in browsers only. Roles with it can be created in Node. */
export function python(_options: PythonOptions): Runtime {
  return {
    name: 'Python',
    commands: ['python', 'python3'],
    run: () => {
      throw new RoleZeroError('tool-failed', 'Python runs in browsers only; test roles that use it in one.');
    },
  };
}

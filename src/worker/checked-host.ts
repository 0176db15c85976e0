import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { exposed } from '../wire/exposed.js';
import type { HostApi, OpenOptions } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';
import type { MethodName } from '../wire/session-api.js';
import { argumentSchemas, checkArguments } from './check-arguments.js';
import { openArguments } from './open-arguments.js';
import { isMethodName } from './session-methods.js';

/**
 * Wraps a host so that every argument is checked before a call reaches it. A call with invalid arguments returns `invalid`, names the
 * argument, and has no effect. Only the methods of `HostApi` can be called: no inherited members.
 */
export function checkedHost(host: HostApi): HostApi {
  return exposed<HostApi>({
    open: checked(
      (args) => checkArguments('connect', openArguments(), args), // the name of the call on the page
      (options, page) => host.open(options as OpenOptions, page as MessagePort),
    ),
    callMethod: checked(
      ([method, args]) => checkCall(method, args),
      (method, args) => host.callMethod(method as MethodName, args as unknown[]),
    ),
    beat: checked(
      (args) => checkArguments('beat', [], args),
      () => host.beat(),
    ),
    close: checked(
      (args) => checkArguments('close', [], args),
      () => host.close(),
    ),
  });
}

function checked(
  check: (args: readonly unknown[]) => void,
  call: (...args: unknown[]) => Promise<Result<unknown>>,
): (...args: unknown[]) => Promise<Result<unknown>> {
  return async (...args) => {
    const result = await settle(() => check(args));
    return result.ok ? call(...args) : result;
  };
}

function checkCall(method: unknown, args: unknown): void {
  if (!isMethodName(method))
    throw new RoleZeroError('invalid', `There is no session method ${describeValue(method)}.`, {});
  if (!Array.isArray(args))
    throw new RoleZeroError('invalid', `The arguments of ${method}() must be an array.`, { call: method });
  checkArguments(method, argumentSchemas(method), args);
}

import type { ErrorFacts, GuestHost } from '../guest-contract.js';

let current: GuestHost | undefined;

export function setHost(host: GuestHost): void {
  current = host;
}

export function host(): GuestHost {
  if (current === undefined) throw new Error('The host is not set.');
  return current;
}

/** Runs an operation of the host, whose result the caller knows. @throws Error with the code and the message of the host. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function call<Result>(operation: string, ...args: unknown[]): Result {
  return valueOrThrow(JSON.parse(host().call(operation, JSON.stringify(args)))) as Result;
}

/** Runs a text with the file name for stack traces, and returns its value. @throws what the text throws. */
export function compile(source: string, name: string): unknown {
  const result = host().compile(source, name);
  if ('error' in result) throw result.error;
  return result.value;
}

/** Reads a file. @throws Error as Node does. */
export function readBytes(path: string): Uint8Array {
  const content = host().read(path);
  if (typeof content === 'string') valueOrThrow(JSON.parse(content));
  return content as Uint8Array;
}

export function writeBytes(path: string, content: Uint8Array, append: boolean): void {
  const failed = host().write(path, content, append);
  if (failed !== '') valueOrThrow(JSON.parse(failed));
}

function valueOrThrow(answer: unknown): unknown {
  const { error, value } = answer as { error?: ErrorFacts; value?: unknown };
  if (error === undefined) return value;
  const { name, message, ...facts } = error;
  const made =
    name === 'TypeError'
      ? new TypeError(message)
      : name === 'SyntaxError'
        ? new SyntaxError(message)
        : new Error(message);
  throw Object.assign(made, facts);
}

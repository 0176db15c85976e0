import { inspect } from './util-core.js';

interface Frame {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number;
  getColumnNumber(): number;
  isNative(): boolean;
}

/** Gives stack traces the form of Node: the error first, then the frames of the program, without those of this library. */
export function installStackTraces(): void {
  const prepare = (error: unknown, frames: Frame[]): string => {
    const shown = frames
      .filter((frame) => isOfProgram(frame))
      .map((frame) => `\n    at ${describeFrame(frame)}`);
    return errorHeader(error) + shown.join('');
  };
  (Error as { prepareStackTrace?: unknown }).prepareStackTrace = prepare;
}

function isOfProgram(frame: Frame): boolean {
  const file = frame.getFileName();
  return (
    file !== null &&
    file !== '' &&
    file !== 'node:internal' &&
    !frame.isNative() &&
    !file.startsWith('adapter:')
  );
}

function describeFrame(frame: Frame): string {
  const place = `${frame.getFileName()}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  const name = frame.getFunctionName();
  return name === null || name === '' || name === '<anonymous>' || name === '<eval>'
    ? place
    : `${name} (${place})`;
}

/** An error may have a message that fails. */
function errorHeader(error: unknown): string {
  try {
    return String(error).replace(/^(\w+) \[[A-Z_]+\]/u, '$1'); // `inspect` adds the code
  } catch {
    return 'Error';
  }
}

/** Returns an error as a program that ends with it shows it. The message of a failed assertion has its values already. */
export function showError(error: unknown): string {
  if (!(error instanceof Error)) return `Uncaught ${inspect(error)}`;
  const { code, stack } = error as { code?: unknown; stack?: unknown };
  return code === 'ERR_ASSERTION' && typeof stack === 'string' ? stack : inspect(error);
}

import { MESSAGE_LIMITS } from '../../limits.js';
import type { ErrorPlace } from '../../protocol.js';
import type { HostPort } from '../port.js';
import { cut, percentDecoded } from '../view/quote.js';

const MAX_LOGGED_CHARACTERS = 1_000;

/**
 * Reports the page's console output, uncaught errors, and policy violations to the host as text.
 *
 * @param frame address of the document if it is a frame in a page: the host does not know the lines of such documents
 */
export function reportConsole(host: HostPort, frame?: string): void {
  let entries = 0;
  const isTooMuch = () => ++entries > MAX_LOGGED_CHARACTERS;
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const native = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      if (!isTooMuch())
        host.event({
          event: 'console',
          level,
          text: cut(values.map(displayValue).join(' '), MESSAGE_LIMITS.message),
        });
      native(...values);
    };
  }
  const error = (text: string, place: ErrorPlace | null = null) => {
    const at =
      place?.isInline && frame !== undefined
        ? { ...UNKNOWN_PLACE, file: cut(frame, MESSAGE_LIMITS.url) }
        : place;
    if (!isTooMuch())
      host.event({ event: 'error', text: cut(text, MESSAGE_LIMITS.message), ...(at === null ? {} : { at }) });
  };
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent)
        error(event.message, errorPlaceAt(event.filename, event.lineno, event.colno));
      else if (event.target instanceof Element) error(`Could not load ${scriptAddress(event.target)}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) =>
    error(
      `Unhandled rejection: ${displayValue(reason)}`,
      reason instanceof Error ? placeInStack(reason) : null,
    ),
  );
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective === 'frame-src') return; // the driver itself loads frames
    error(`Blocked by the page's policy (${event.effectiveDirective}): ${cut(event.blockedURI, 300)}`);
  });
}

const UNKNOWN_PLACE: ErrorPlace = { file: '', line: 0, column: 0, isInline: false };

/** Returns the place of an error; null if the browser reports none. Scripts of files name their file in their address. */
function errorPlaceAt(address: string, line: number, column: number): ErrorPlace | null {
  if (line === 0) return null;
  const [, name] = /^data:[^,]{0,2000};file=([^;,]*)/.exec(address) ?? [];
  if (name !== undefined) return { file: percentDecoded(name), line, column, isInline: false };
  if (address === '' || address.startsWith('about:')) return { file: '', line, column, isInline: true };
  return address.startsWith('data:')
    ? null
    : { file: cut(address, MESSAGE_LIMITS.url), line, column, isInline: false };
}

/** Returns the place in the first line of a stack that has one. */
function placeInStack({ stack = '' }: Error): ErrorPlace | null {
  const [, address = '', line, column] =
    /((?:about|data|file|https?):[^\s()]*?):(\d+):(\d+)/.exec(stack) ?? [];
  return errorPlaceAt(address, Number(line ?? 0), Number(column ?? 0));
}

function scriptAddress(element: Element): string {
  const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
  return `${element.localName} ${cut(address, 300)}`;
}

function displayValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Element) return `<${value.localName}>`;
  try {
    // Not the stack: only Chromium's begins with the message.
    if (value instanceof Error) return String(value).split('\n')[0] ?? '';
    return cut(JSON.stringify(value), MESSAGE_LIMITS.message);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

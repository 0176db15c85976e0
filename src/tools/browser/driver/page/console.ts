import { LIMITS } from '../../limits.js';
import type { ErrorPlace } from '../../protocol.js';
import type { HostPort } from '../port.js';
import { cut } from '../view/quote.js';

const MOST = 1_000;

/**
 * Reports the page's console output, uncaught errors, and policy violations to the host as text.
 *
 * @param frame address of the document if it is a frame in a page: the host does not know the lines of such documents
 */
export function reportConsole(host: HostPort, frame?: string): void {
  let entries = 0;
  const isTooMuch = () => ++entries > MOST;
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const native = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      if (!isTooMuch())
        host.event({ event: 'console', level, text: cut(values.map(show).join(' '), LIMITS.message) });
      native(...values);
    };
  }
  const error = (text: string, place: ErrorPlace | null = null) => {
    const at = place?.isInline && frame !== undefined ? { ...UNKNOWN, file: cut(frame, LIMITS.url) } : place;
    if (!isTooMuch())
      host.event({ event: 'error', text: cut(text, LIMITS.message), ...(at === null ? {} : { at }) });
  };
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent)
        error(event.message, placeOf(event.filename, event.lineno, event.colno));
      else if (event.target instanceof Element) error(`Could not load ${addressOf(event.target)}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) =>
    error(`Unhandled rejection: ${show(reason)}`, reason instanceof Error ? placeInStack(reason) : null),
  );
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective === 'frame-src') return; // the driver itself loads frames
    error(`Blocked by the page's policy (${event.effectiveDirective}): ${cut(event.blockedURI, 300)}`);
  });
}

const UNKNOWN: ErrorPlace = { file: '', line: 0, column: 0, isInline: false };

/** Returns the place of an error; null if the browser reports none. Scripts of files name their file in their address. */
function placeOf(address: string, line: number, column: number): ErrorPlace | null {
  if (line === 0) return null;
  const [, name] = /^data:[^,]{0,2000};file=([^;,]*)/.exec(address) ?? [];
  if (name !== undefined) return { file: decoded(name), line, column, isInline: false };
  if (address === '' || address.startsWith('about:')) return { file: '', line, column, isInline: true };
  return address.startsWith('data:')
    ? null
    : { file: cut(address, LIMITS.url), line, column, isInline: false };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // of a script that the page has made itself
  }
}

/** Returns the place in the first line of a stack that has one. */
function placeInStack({ stack = '' }: Error): ErrorPlace | null {
  const [, address = '', line, column] =
    /((?:about|data|file|https?):[^\s()]*?):(\d+):(\d+)/.exec(stack) ?? [];
  return placeOf(address, Number(line ?? 0), Number(column ?? 0));
}

function addressOf(element: Element): string {
  const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
  return `${element.localName} ${cut(address, 300)}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Element) return `<${value.localName}>`;
  try {
    // Not the stack: only Chromium's begins with the message.
    if (value instanceof Error) return String(value).split('\n')[0] ?? '';
    return cut(JSON.stringify(value), LIMITS.message);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

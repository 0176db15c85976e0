import { LIMITS } from '../../limits.js';
import type { HostPort } from '../port.js';
import { cut } from '../view/quote.js';

const MOST = 1_000;

/** Reports the page's console output, uncaught errors, and policy violations to the host as text. */
export function reportConsole(host: HostPort): void {
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
  const error = (text: string) => {
    if (!isTooMuch()) host.event({ event: 'error', text: cut(text, LIMITS.message) });
  };
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent)
        error(`${event.message} (line ${event.lineno}, column ${event.colno})`);
      else if (event.target instanceof Element) error(`Could not load ${addressOf(event.target)}`);
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => error(`Unhandled rejection: ${show(event.reason)}`));
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective === 'frame-src') return; // the driver itself loads frames
    error(`Blocked by the page's policy (${event.effectiveDirective}): ${cut(event.blockedURI, 300)}`);
  });
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

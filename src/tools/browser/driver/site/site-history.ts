import { withoutHash } from '../../frame/addresses.js';
import { LIMITS } from '../../limits.js';
import { replaceMethod } from '../natives.js';
import type { HostPort } from '../port.js';
import { cut } from '../view/quote.js';

/** Reports address changes of the page to the host: `pushState`, `replaceState` and fragments. */
export function tellAddresses(host: HostPort): void {
  let reported = location.href;
  let index = 0;
  const tell = (how: 'push' | 'replace' | 'hash'): void => {
    if (location.href === reported) return;
    reported = location.href;
    if (how !== 'replace') index += 1;
    host.event({ event: 'history', url: cut(reported, LIMITS.url), how, index, length: index + 1 });
  };
  for (const [name, how] of [
    ['pushState', 'push'],
    ['replaceState', 'replace'],
  ] as const)
    replaceMethod(History.prototype, name, (_history, _values, native) => {
      native();
      tell(how);
    });
  addEventListener('hashchange', () => tell('hash'));
  addEventListener('popstate', () => {
    if (withoutHash(location.href) !== withoutHash(reported)) tell('replace'); // `hashchange` reports the others
  });
}

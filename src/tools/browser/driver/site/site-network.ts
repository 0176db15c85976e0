import { listen, replaceMethod, sleep } from '../natives.js';
import type { Quiet } from '../quiet.js';

/** Milliseconds after which a request counts as long-lived and is no longer waited for. */
const LONGEST = 3_000;

/** Counts the page as active while requests are pending, for a limited time. */
export function watchNetwork(quiet: Quiet): void {
  const wait = (request: Promise<unknown>): void =>
    void quiet.during(Promise.race([request.catch(() => undefined), sleep(LONGEST)]));
  const native = window.fetch.bind(window);
  window.fetch = (...values) => {
    const answer = native(...values);
    wait(answer);
    return answer;
  };
  replaceMethod(XMLHttpRequest.prototype, 'send', (request, _values, send) => {
    const ended = new Promise((resolve) => listen(request as XMLHttpRequest, 'loadend', resolve));
    wait(ended);
    return send();
  });
}

import { checkConnection, type Endpoint } from './state/connection-check.js';
import { withReportedWindow } from './state/reported-window.js';
import type { Settings } from './state/settings.js';

/** A question about a server: whether it can be used, or how large the window of its model is. */
export type ServerQuestion = { ask: 'check'; endpoint: Endpoint } | { ask: 'window'; settings: Settings };

/** Asks a server. A worker may reach servers that the user chose: see the policy in `index.html`. */
addEventListener('message', ({ data }: MessageEvent<ServerQuestion>) => {
  const answer =
    data.ask === 'check'
      ? checkConnection(data.endpoint, location.origin)
      : withReportedWindow(data.settings);
  void answer.then((found) => postMessage(found));
});

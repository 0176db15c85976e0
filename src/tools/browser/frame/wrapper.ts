import { contentPolicy } from './content-policy.js';

/** Sandbox permissions of a frame around pages. Never add `allow-same-origin`: with it, a page could remove its own sandbox. */
export const SANDBOX = 'allow-scripts allow-forms';

/** Message from host to wrapper, sent once with two ports: the wrapper's port, and the port that it forwards to the page's driver. */
export interface ShowPage {
  rolezero: 'show';
  /** Base URL for links of the page. */
  base: string;
  html: string;
  nonce: string;
}

/**
 * Message from wrapper to host. `loaded`: the page's frame has loaded its `count`th document. After the first load, the page has reloaded
 * itself or is gone. `blocked`: the page tried to navigate to this origin (the browser reveals no more than the origin).
 */
export type WrapperMessage = { loaded: number } | { blocked: string };

/** Script of the wrapper, a document between host and page. It contains the page's frame and detects navigation away from the page. */
const SCRIPT = `(() => {
  const show = (event) => {
    const { data, ports } = event;
    if (event.source !== parent || !data || data.rolezero !== 'show' || ports.length !== 2) return;
    removeEventListener('message', show);
    const [host, driver] = ports;
    const base = document.createElement('base');
    base.href = data.base;
    document.head.append(base);
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '${SANDBOX}');
    frame.setAttribute('referrerpolicy', 'no-referrer');
    let count = 0;
    frame.addEventListener('load', () => {
      count += 1;
      if (count === 1) frame.contentWindow.postMessage({ rolezero: data.nonce }, '*', [driver]);
      host.postMessage({ loaded: count });
    });
    addEventListener('securitypolicyviolation', (violation) => {
      if (violation.effectiveDirective === 'frame-src') host.postMessage({ blocked: violation.blockedURI });
    });
    frame.srcdoc = data.html;
    document.body.append(frame);
  };
  addEventListener('message', show);
})();`;

/**
 * Returns the wrapper's document. It also exists as a file (`page-frame.html`), for hosts whose Content-Security-Policy forbids inline
 * scripts.
 */
export function wrapperDocument(network: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(network)}; frame-src 'none'">
<title>Page</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; }</style>
<body>
<script>${SCRIPT}</script>
</html>
`;
}

import { contentPolicy } from './content-policy.js';

/** What a frame around pages may do; never `allow-same-origin`: with it, a page could take its own sandbox off. */
export const SANDBOX = 'allow-scripts allow-forms';

/** Host → wrapper, once, with two ports: the wrapper's, and the one it passes on to the page's driver. */
export interface ShowPage {
  rolezero: 'show';
  /** Links of the page are relative to this. */
  base: string;
  html: string;
  nonce: string;
}

/**
 * Wrapper → host. `loaded`: a document stands in the page's frame, for the `count`th time: after the first, the page has reloaded itself
 * or is gone. `blocked`: it tried to leave for this origin (the browser does not tell more).
 */
export type WrapperMessage = { loaded: number } | { blocked: string };

/** The script of the wrapper: a document between host and page which holds the page's frame and sees it leave. */
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

/** The wrapper's document, also as a file of its own (`page-frame.html`) for hosts whose Content-Security-Policy allows no inline script. */
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

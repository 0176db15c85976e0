import type { AgentEvent } from '../core/events.js';

/**
 * Returns the warning `insecure-context` for a page for which browsers disable some features: one on a plain `http://` address that is not
 * `localhost`. Returns null in a secure context.
 */
export function insecureContextWarning(session: string): AgentEvent | null {
  if (isSecureContext) return null;
  const { locks, storage, gpu } = navigator as { locks?: unknown; storage?: unknown; gpu?: unknown };
  const { subtle } = crypto as { subtle?: unknown };
  const features = {
    'Web Locks': locks,
    'origin private file system': storage,
    WebCrypto: subtle,
    WebGPU: gpu,
  };
  const missing = Object.entries(features).flatMap(([name, feature]) =>
    feature === undefined ? [name] : [],
  );
  return {
    type: 'warning',
    code: 'insecure-context',
    message: [
      `This page is not a secure context (${location.origin}), so the browser offers no ${missing.join(', no ')}.`,
      `If two tabs open session '${session}', the newer one takes it over, and the older one can no longer write (session-fenced).`,
      'The session has no replica to restore lost data from.',
      'Models on WebGPU and keyVault() do not work.',
      'Serve the page from https:// or http://localhost.',
    ].join(' '),
    detail: { session, origin: location.origin, missing },
  };
}

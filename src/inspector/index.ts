/** `<rolezero-inspector>`: what a session has done, for developers. Importing it defines the element. */
import type { ClientSession } from '../client/session.js';
import { RoleZeroInspector } from './rolezero-inspector.js';

export type { InspectorWords } from './words.js';
export { RoleZeroInspector };

if (typeof customElements !== 'undefined' && customElements.get('rolezero-inspector') === undefined)
  customElements.define('rolezero-inspector', RoleZeroInspector);

/**
 * Shows an inspector at the bottom of the page, above everything else. Returns a function that removes it.
 *
 * @example import('rolezero/inspector').then(({ showInspector }) => showInspector(session));
 */
export function showInspector(session: ClientSession | Promise<ClientSession>): () => void {
  const inspector = document.createElement('rolezero-inspector');
  inspector.session = session;
  inspector.style.cssText =
    'position: fixed; inset: auto 0 0; z-index: 2147483647; block-size: 45vh; max-block-size: 90vh; overflow: hidden; resize: block; border-block-start: 1px solid gray;';
  document.body.append(inspector);
  return () => inspector.remove();
}

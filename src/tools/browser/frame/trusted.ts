type Kind = 'createHTML' | 'createScript' | 'createScriptURL';
/** As much of Trusted Types as is needed; the browsers that have them do not all have them in TypeScript's library. */
type Policy = Record<Kind, (text: string) => string>;

const asItIs = (text: string): string => text;
const NO_POLICY: Policy = { createHTML: asItIs, createScript: asItIs, createScriptURL: asItIs };

let policy: Policy | undefined;

/**
 * Where the application demands Trusted Types, text becomes a document or part of one in these places only, under the policy `rolezero`:
 * a document here is inert, and in a frame it is without an origin.
 */
function trusted(kind: Kind, text: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  };
  policy ??= trustedTypes?.createPolicy('rolezero', NO_POLICY) ?? NO_POLICY;
  return policy[kind](text);
}

/** A document that runs no scripts and loads nothing. */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(trusted('createHTML', html), 'text/html');
}

/** The document of a sandboxed frame. */
export function setSource(frame: HTMLIFrameElement, html: string): void {
  frame.srcdoc = trusted('createHTML', html);
}

/** The text of a script in an inert document. */
export function setScript(script: Element, text: string): void {
  script.textContent = trusted('createScript', text);
}

/** The address of a script in an inert document. */
export function setScriptUrl(script: Element, url: string): void {
  script.setAttribute('src', trusted('createScriptURL', url));
}

type TrustedKind = 'createHTML' | 'createScript' | 'createScriptURL';
/** Subset of the Trusted Types API that this module needs. TypeScript's library does not declare it for every browser that supports it. */
type Policy = Record<TrustedKind, (text: string) => string>;

const asItIs = (text: string): string => text;
const NO_POLICY: Policy = { createHTML: asItIs, createScript: asItIs, createScriptURL: asItIs };

let policy: Policy | undefined;

/**
 * Converts text under the Trusted Types policy `rolezero`, if the browser supports Trusted Types. If the application enforces them, text
 * becomes a document or script only in this module. Documents created here are inert or belong to a frame without an origin.
 */
function trusted(kind: TrustedKind, text: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  };
  policy ??= trustedTypes?.createPolicy('rolezero', NO_POLICY) ?? NO_POLICY;
  return policy[kind](text);
}

/** Parses a document that runs no scripts and loads nothing. */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(trusted('createHTML', html), 'text/html');
}

/** Sets the document of a sandboxed frame. */
export function setSource(frame: HTMLIFrameElement, html: string): void {
  frame.srcdoc = trusted('createHTML', html);
}

/** Sets the text of a script in an inert document. */
export function setScript(script: Element, text: string): void {
  script.textContent = trusted('createScript', text);
}

/** Sets the address of a script in an inert document. */
export function setScriptUrl(script: Element, url: string): void {
  script.setAttribute('src', trusted('createScriptURL', url));
}

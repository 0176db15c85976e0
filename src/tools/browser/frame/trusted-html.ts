/** As much of Trusted Types as is needed; the browsers that have them do not all have them in TypeScript's library. */
interface HtmlPolicies {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string },
  ): { createHTML(html: string): string };
}

let policy: { createHTML(html: string): string } | undefined;

/**
 * Where the application demands Trusted Types, text becomes a document in these two places only, under the policy `rolezero`: here the
 * document is inert, and in a frame it is without an origin.
 */
function trusted(html: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: HtmlPolicies };
  policy ??= trustedTypes?.createPolicy('rolezero', { createHTML: (text) => text }) ?? {
    createHTML: (text) => text,
  };
  return policy.createHTML(html);
}

/** A document that runs no scripts and loads nothing. */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(trusted(html), 'text/html');
}

/** The document of a sandboxed frame. */
export function setSource(frame: HTMLIFrameElement, html: string): void {
  frame.srcdoc = trusted(html);
}

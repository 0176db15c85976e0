/** The used part of the Trusted Types API. */
interface Policies {
  createPolicy(name: 'default', rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * Creates the policy where Trusted Types are enforced: workers start from scripts of this origin, and no other text
 * becomes code.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin === location.origin) return url;
      throw new TypeError(`This script is not of this application: ${url}`);
    },
  });
}

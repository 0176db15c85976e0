/** As much of Trusted Types as is needed here. */
interface Policies {
  createPolicy(name: 'default', rules: { createScriptURL(url: string): string }): unknown;
}

/** Where Trusted Types are demanded: workers are started from scripts of this origin, and no other text becomes code. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin === location.origin) return url;
      throw new TypeError(`This script is not of this application: ${url}`);
    },
  });
}

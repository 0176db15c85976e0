/** Name of the page side of a sign-in; see `mcpSignIn`. */
export const SIGN_IN_PART = 'Mcp.sign_in';

/** Channel on which the page of the redirect reports that it has stored what the sign-in returned. */
export const SIGN_IN_CHANNEL = 'rolezero-mcp-sign-in';

/** What the worker asks of the page. */
export interface SignInRequest {
  /** Name of the MCP server. */
  server: string;
  /** Page of the authorization server. */
  url: string;
  /** Unguessable text that the authorization server returns. */
  state: string;
}

/** Stores secrets of a page between visits: `keyVault()` of `rolezero/keys`. */
export interface SecretStore {
  put(name: string, secret: string): Promise<void>;
  get(name: string): Promise<string | null>;
  remove(name: string): Promise<void>;
}

/** Name under which a vault marks a sign-in that has begun. */
export function startedName(state: string): string {
  return `mcp sign-in ${state}`;
}

/** Name under which a vault stores what a sign-in returned: the query of the redirect. */
export function returnedName(state: string): string {
  return `mcp returned ${state}`;
}

import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { defined } from '../../core/defined.js';
import { checkOptions } from '../../core/check-options.js';
import { newId } from '../../core/new-id.js';
import { returnedName, startedName, type SecretStore } from './sign-in-protocol.js';

/** Sign-in of the user by OAuth 2.1 with PKCE. */
export interface McpSignIn {
  /** Stores tokens and what a sign-in needs: `keyVault()` of `rolezero/keys`. The page uses the same one. */
  vault: SecretStore;
  /** Page of this application that calls `finishMcpSignIn`, relative to the worker. The authorization server returns the user to it. */
  redirectUrl: string;
  /** Id of this application at the authorization server. @default registered with the server, if it allows that */
  clientId?: string;
  /** Name of this application, which the authorization server shows. @default 'rolezero' */
  clientName?: string;
  /** Permissions to request. @default what the server asks for */
  scope?: string;
}

/** A sign-in that waits for the user. */
interface PendingSignIn {
  url: string;
  state: string;
}

/** The OAuth client of one server. It opens nothing by itself: `pending` returns where the user has to sign in. */
export interface SignInProvider extends OAuthClientProvider {
  pending(): PendingSignIn | null;
  clearPending(): void;
  /** Returns what the authorization server has returned for the last sign-in; null when it has not. */
  result(): Promise<URLSearchParams | null>;
  forgetResult(): Promise<void>;
}

export function signInProvider(options: McpSignIn, server: URL): SignInProvider {
  checkOptions(
    'signIn of mcp()',
    options,
    { vault: true, redirectUrl: 'text', clientId: 'text', clientName: 'text', scope: 'text' },
    ['vault', 'redirectUrl'],
  );
  const { vault, clientId, clientName = 'rolezero', scope } = options;
  const { location } = globalThis as { location?: { href: string } };
  const redirectUrl = new URL(options.redirectUrl, location?.href).href;
  const nameOf = (what: string): string => `mcp ${what} ${server.href}`;
  const stored = async <Value>(what: string): Promise<Value | undefined> => {
    const text = await vault.get(nameOf(what));
    return text === null ? undefined : (JSON.parse(text) as Value);
  };
  const store = (what: string, value: unknown): Promise<void> =>
    vault.put(nameOf(what), JSON.stringify(value));
  let pending: PendingSignIn | null = null;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...defined({ scope }),
    },
    async state() {
      const state = newId();
      const last = await stored<string>('state');
      if (last !== undefined) await vault.remove(startedName(last));
      await vault.put(startedName(state), server.href);
      await store('state', state);
      return state;
    },
    clientInformation: async () =>
      clientId === undefined ? stored<StoredOAuthClientInformation>('client') : { client_id: clientId },
    ...(clientId === undefined
      ? { saveClientInformation: (information: StoredOAuthClientInformation) => store('client', information) }
      : {}),
    tokens: () => stored<StoredOAuthTokens>('tokens'),
    saveTokens: (tokens) => store('tokens', tokens),
    redirectToAuthorization(url) {
      pending = { url: url.href, state: url.searchParams.get('state') ?? '' };
    },
    saveCodeVerifier: (verifier) => store('verifier', verifier),
    codeVerifier: async () => (await stored<string>('verifier')) ?? '',
    saveDiscoveryState: (state) => store('discovery', state),
    discoveryState: () => stored<OAuthDiscoveryState>('discovery'),
    async invalidateCredentials(what) {
      const all = {
        client: 'client',
        tokens: 'tokens',
        verifier: 'verifier',
        discovery: 'discovery',
      } as const;
      for (const each of Object.values(all))
        if (what === 'all' || what === each) await vault.remove(nameOf(each));
    },
    pending: () => pending,
    clearPending() {
      pending = null;
    },
    async result() {
      const state = await stored<string>('state');
      const query = state === undefined ? null : await vault.get(returnedName(state));
      return query === null ? null : new URLSearchParams(query);
    },
    async forgetResult() {
      const state = await stored<string>('state');
      if (state === undefined) return;
      await vault.remove(returnedName(state));
      await vault.remove(startedName(state));
      await vault.remove(nameOf('state'));
    },
  };
}

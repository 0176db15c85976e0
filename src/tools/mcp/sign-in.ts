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

/** Creates the OAuth client of a server. @throws RoleZeroError `invalid` naming the option that cannot be used. */
export function signInProvider(options: McpSignIn, server: URL): SignInProvider {
  checkOptions('signIn of mcp()', options, SIGN_IN_OPTION_KINDS, ['vault', 'redirectUrl']);
  const { location } = globalThis as { location?: { href: string } };
  const redirectUrl = new URL(options.redirectUrl, location?.href).href;
  const records = signInRecords(options.vault, server);
  return {
    redirectUrl,
    clientMetadata: metadataOf(options, redirectUrl),
    ...credentialsOf(records, options.clientId),
    ...signInProgress(records, options.vault, server),
  };
}

const SIGN_IN_OPTION_KINDS = {
  vault: true,
  redirectUrl: 'text',
  clientId: 'text',
  clientName: 'text',
  scope: 'text',
} as const;

/** The records of one server in a vault. */
interface Records {
  get<Value>(what: string): Promise<Value | undefined>;
  put(what: string, value: unknown): Promise<void>;
  remove(what: string): Promise<void>;
}

function signInRecords(vault: SecretStore, server: URL): Records {
  const nameOf = (what: string): string => `mcp ${what} ${server.href}`;
  return {
    async get<Value>(what: string) {
      const text = await vault.get(nameOf(what));
      return text === null ? undefined : (JSON.parse(text) as Value);
    },
    put: (what, value) => vault.put(nameOf(what), JSON.stringify(value)),
    remove: (what) => vault.remove(nameOf(what)),
  };
}

function metadataOf(
  { clientName = 'rolezero', scope }: McpSignIn,
  redirectUrl: string,
): OAuthClientProvider['clientMetadata'] {
  return {
    client_name: clientName,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...defined({ scope }),
  };
}

/** What remains between sign-ins: the registration, the tokens, and the authorization server that they belong to. */
function credentialsOf(records: Records, clientId: string | undefined) {
  const registration =
    clientId === undefined
      ? {
          clientInformation: () => records.get<StoredOAuthClientInformation>('client'),
          saveClientInformation: (information: StoredOAuthClientInformation) =>
            records.put('client', information),
        }
      : { clientInformation: () => ({ client_id: clientId }) };
  return {
    ...registration,
    tokens: () => records.get<StoredOAuthTokens>('tokens'),
    saveTokens: (tokens: StoredOAuthTokens) => records.put('tokens', tokens),
    saveCodeVerifier: (verifier: string) => records.put('verifier', verifier),
    codeVerifier: async () => (await records.get<string>('verifier')) ?? '',
    saveDiscoveryState: (state: OAuthDiscoveryState) => records.put('discovery', state),
    discoveryState: () => records.get<OAuthDiscoveryState>('discovery'),
    async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
      const all = ['client', 'tokens', 'verifier', 'discovery'] as const;
      for (const each of all) if (what === 'all' || what === each) await records.remove(each);
    },
  };
}

/** How far the current sign-in is. */
function signInProgress(records: Records, vault: SecretStore, server: URL) {
  let pending: PendingSignIn | null = null;
  return {
    async state() {
      const state = newId();
      const last = await records.get<string>('state');
      if (last !== undefined) await vault.remove(startedName(last));
      await vault.put(startedName(state), server.href);
      await records.put('state', state);
      return state;
    },
    redirectToAuthorization(url: URL) {
      pending = { url: url.href, state: url.searchParams.get('state') ?? '' };
    },
    pending: () => pending,
    clearPending() {
      pending = null;
    },
    async result() {
      const state = await records.get<string>('state');
      const query = state === undefined ? null : await vault.get(returnedName(state));
      return query === null ? null : new URLSearchParams(query);
    },
    async forgetResult() {
      const state = await records.get<string>('state');
      if (state === undefined) return;
      await vault.remove(returnedName(state));
      await vault.remove(startedName(state));
      await records.remove('state');
    },
  };
}

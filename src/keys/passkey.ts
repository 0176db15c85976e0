import { RoleZeroError } from '../core/error.js';

export interface PasskeyOptions {
  /** Name of the application, which the browser shows with the passkey. */
  application: string;
  /** Name of the account, which the browser shows with the passkey; default: `application`. */
  account?: string;
}

/** Input of the passkey's function. The browser hashes it together with a prefix of its own. */
const SALT = new TextEncoder().encode('rolezero key vault 1');
/** Key of the passkey's id in `localStorage`. The id is not secret. */
const STORED = 'rolezero-passkey';

/**
 * Returns a secret that only a passkey of the user can compute, for `keyVault({ passphrase })`. It is the same at each call, and is stored
 * nowhere. The first call creates the passkey. Each call makes the browser verify the user, by fingerprint for example, so it belongs into
 * the handler of a click.
 *
 * Uses WebAuthn with the PRF extension. For pages with a host name (not an IP address) in a secure context.
 *
 * @example const vault = keyVault({ passphrase: () => passkeySecret({ application: 'Notes' }) });
 * @throws RoleZeroError `permission` when the user declines or the passkey is gone, `invalid` when the browser or the passkey has no PRF.
 */
export async function passkeySecret({ application, account = application }: PasskeyOptions): Promise<string> {
  const known = localStorage.getItem(STORED);
  const id = known === null ? await createPasskey(application, account) : decodeBase64(known);
  const credential = await requestCredential(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        allowCredentials: [{ type: 'public-key', id }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: SALT } } },
      },
    }),
  );
  const secret = credential.getClientExtensionResults().prf?.results?.first;
  if (secret === undefined) throw withoutPrf();
  localStorage.setItem(STORED, encodeBase64(id)); // not before the passkey has proved to work
  return encodeBase64(new Uint8Array(secret instanceof ArrayBuffer ? secret : secret.buffer));
}

async function createPasskey(application: string, account: string): Promise<Uint8Array<ArrayBuffer>> {
  const credential = await requestCredential(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: random(32),
        rp: { name: application },
        user: { id: random(16), name: account, displayName: account },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 }, // ES256
          { type: 'public-key', alg: -257 }, // RS256
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: {} },
      },
    }),
  );
  if (credential.getClientExtensionResults().prf?.enabled !== true) throw withoutPrf();
  return new Uint8Array(credential.rawId);
}

/** @throws RoleZeroError `permission` with the browser's reason. */
async function requestCredential(call: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!('PublicKeyCredential' in globalThis)) throw withoutPrf();
  try {
    const credential = await call();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    throw new RoleZeroError(
      'permission',
      'The passkey was not used: the user declined, or it is gone. Ask again, or use a passphrase.',
      {},
      error,
    );
  }
  throw withoutPrf();
}

function withoutPrf(): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    'This browser or passkey cannot compute secrets (WebAuthn PRF). Use keyVault({ passphrase }) with a passphrase of the user.',
  );
}

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

import { isRecord } from './is-record.js';

/**
 * What a test of a server found. `windows`: the context windows that it reports for models, in tokens; `unlisted`: the model that the user named and the server does not list; `key`: it
 * rejects the key; `path`: there is no list of models at this address, and `better` is one where there is; `cors`: it does not permit this page; `silent`: nothing listens; `blocked`: the browser
 * sends no request from a secure page to an insecure server; `refused`: any other answer.
 */
export type Checked =
  | { kind: 'ok'; models: readonly string[]; windows?: Readonly<Record<string, number>>; unlisted?: string }
  | { kind: 'key'; status: number }
  | { kind: 'path'; better: string | null }
  | { kind: 'cors' | 'silent' | 'blocked' }
  | { kind: 'refused'; status: number };

/** A server to test. `apiKey`: empty for none. */
export interface Endpoint {
  baseURL: string;
  apiKey: string;
}

/** In ms, the maximum time for an answer. */
const PATIENCE = 10_000;
/** Services whose list of models needs no key, and the address that reports whether the key is valid. */
const KEY_ADDRESS: Readonly<Record<string, string>> = { 'openrouter.ai': '/key' };

/** Tests a server: lists its models, or finds the cause. Sends the key to this server only. */
export async function checkConnection({ baseURL, apiKey }: Endpoint, pageOrigin: string): Promise<Checked> {
  const base = baseURL.replace(/\/+$/, '');
  const { hostname, protocol } = new URL(base);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.');
  if (pageOrigin.startsWith('https:') && protocol === 'http:' && !isLocal) return { kind: 'blocked' };
  const listed = await modelsAt(base, apiKey);
  if (listed.kind === 'path' && !/\/v\d/.test(base)) {
    const better = `${base}/v1`;
    if ((await modelsAt(better, apiKey)).kind === 'ok') return { kind: 'path', better };
  }
  const keyAddress = KEY_ADDRESS[hostname];
  if (listed.kind === 'ok' && keyAddress !== undefined) {
    const answer = await request(`${base}${keyAddress}`, apiKey);
    if (answer !== null && isKeyFault(answer.status)) return { kind: 'key', status: answer.status };
  }
  return listed;
}

async function modelsAt(base: string, apiKey: string): Promise<Checked> {
  const answer = await request(`${base}/models`, apiKey);
  if (answer === null) return { kind: (await listens(base)) ? 'cors' : 'silent' };
  const { status, type } = answer;
  if (isKeyFault(status)) return { kind: 'key', status };
  if (type === 'opaqueredirect' || status === 404 || status === 405) return { kind: 'path', better: null };
  if (!answer.ok) return { kind: 'refused', status };
  const list: unknown = await answer.json().catch(() => null);
  if (!isRecord(list) || !Array.isArray(list['data'])) return { kind: 'path', better: null };
  const listed = list['data'].flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry['id'] === 'string' ? [{ id: entry['id'], window: windowOf(entry) }] : [],
  );
  const windows = listed.flatMap(({ id, window }) => (window === null ? [] : [[id, window] as const]));
  return {
    kind: 'ok',
    models: listed.map(({ id }) => id),
    ...(windows.length === 0 ? {} : { windows: Object.fromEntries(windows) }),
  };
}

/** Returns the context window in an entry of a list of models, under the names that servers use; null without one. */
export function windowOf(entry: Record<string, unknown>): number | null {
  const values = [
    entry['context_length'],
    entry['max_model_len'],
    entry['context_window'],
    entry['max_context_length'],
  ];
  return values.find((value): value is number => typeof value === 'number' && value >= 1_024) ?? null;
}

function isKeyFault(status: number): boolean {
  return status === 401 || status === 403;
}

/** Returns the response, or null when the browser reports none. */
async function request(url: string, apiKey: string): Promise<Response | null> {
  try {
    return await fetch(url, {
      headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
      credentials: 'omit',
      redirect: 'manual', // The key must not go to another server.
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return null;
  }
}

/** Whether anything answers there. A `no-cors` request succeeds for any server, also one that does not permit this page. */
async function listens(base: string): Promise<boolean> {
  try {
    await fetch(`${new URL(base).origin}/`, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
    });
    return true;
  } catch {
    return false;
  }
}

/** Returns true for texts that examples show in the place of a key, and for text that no key contains. */
export function isPlaceholderKey(key: string): boolean {
  const text = key.trim();
  if (text === '') return false;
  if (!/^[\x21-\x7e]+$/.test(text)) return true; // Spaces inside, an ellipsis, other alphabets: no HTTP header carries them.
  return (
    /^[<[{].*[>\]}]$/.test(text) ||
    /^(sk|gsk|key|api|or|v1|[-_])*[-_]*(\.{2,}|x{3,}|\*{3,}|0{6,}|1234\d*|abc(def)?\w{0,4})?$/i.test(text) ||
    /(your|my|the|insert|replace|enter|paste)[-_ ]?(own|open_?ai|open_?router|secret)?[-_ ]?(api)?[-_ ]?(key|token)/i.test(
      text,
    ) ||
    /^(test|none|null|undefined|changeme|secret|password|example|placeholder|todo|dummy)$/i.test(text)
  );
}

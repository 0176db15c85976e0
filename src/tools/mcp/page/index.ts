import type { PageTool } from '../../../core/page-tool.js';
import { RoleZeroError } from '../../../core/error.js';
import { isUrl } from '../../../core/is-url.js';
import { isRecord } from '../../../core/json.js';
import {
  returnedName,
  SIGN_IN_CHANNEL,
  SIGN_IN_PART,
  startedName,
  type SecretStore,
  type SignInRequest,
} from '../sign-in-protocol.js';

/** A sign-in that the user has to begin. */
interface McpSignInPrompt {
  /** Name of the MCP server. */
  server: string;
  /** Host where the user signs in. The server chose it: show it. */
  host: string;
  /** Opens the page of the sign-in in a popup. Call it from a click: browsers block popups otherwise. */
  open: () => void;
  /** Leaves this page for the sign-in. The run continues when the user is back. */
  redirect: () => void;
}

/** Options of `mcpSignIn`. */
interface McpSignInOptions {
  /** Shows the user where to sign in. @default opens the popup at once, which browsers may block */
  prompt?: (prompt: McpSignInPrompt) => void;
  /** Also opens sign-ins at an http page of this machine, for development: a server could otherwise open any local page. @default false */
  allowLocalhost?: boolean;
}

/**
 * Page side of the sign-in to MCP servers. The worker side is `mcp({ signIn })` of `rolezero/tools/mcp`.
 *
 * @example connect(worker, { tools: [mcpSignIn({ prompt: ({ host, open }) => showButton(`Sign in at ${host}`, open) })] })
 */
export function mcpSignIn({ prompt = openAtOnce, allowLocalhost = false }: McpSignInOptions = {}): PageTool {
  return {
    descriptor: {
      name: SIGN_IN_PART,
      description: 'Asks the user to sign in.',
      schema: {},
      effect: 'ui',
      replay: 'idempotent',
      onAmbiguous: 'fail',
      part: true,
    },
    async call(input, { signal }) {
      const { server, url, state } = readRequest(input, allowLocalhost);
      const returned = whenReturned(state, signal);
      prompt({
        server,
        host: url.host,
        open: () => void window.open(url.href, '_blank', 'popup,width=520,height=720'),
        redirect: () => window.location.assign(url.href),
      });
      await returned;
    },
  };
}

function openAtOnce(prompt: McpSignInPrompt): void {
  prompt.open();
}

/**
 * Finishes a sign-in on the page of `redirectUrl`: stores what the authorization server returned, for the worker, and closes the popup.
 * Does nothing on a page that no sign-in of this application has returned to.
 *
 * @param vault The one of `mcp({ signIn: { vault } })`.
 * @returns Whether a sign-in has returned.
 * @throws RoleZeroError `storage-…`
 */
export async function finishMcpSignIn(vault: SecretStore): Promise<boolean> {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  const isAnswer = query.has('code') || query.has('error');
  if (state === null || !isAnswer || (await vault.get(startedName(state))) === null) return false;
  await vault.put(returnedName(state), query.toString());
  history.replaceState(history.state, '', location.pathname + location.hash); // the code is used once
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  channel.postMessage(state);
  channel.close();
  window.close(); // has no effect on a page that no script opened
  return true;
}

function readRequest(input: unknown, allowLocalhost: boolean): Omit<SignInRequest, 'url'> & { url: URL } {
  const { server, url, state } = isRecord(input) ? input : {};
  if (typeof server !== 'string' || typeof state !== 'string' || typeof url !== 'string' || !isUrl(url))
    throw new RoleZeroError('invalid', 'The request to sign in is malformed.');
  const page = new URL(url);
  const isLocal = allowLocalhost && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(page.hostname);
  if (page.protocol !== 'https:' && !(page.protocol === 'http:' && isLocal))
    throw new RoleZeroError('permission', `A sign-in needs an https page, and ${page.origin} is none.`, {
      origin: page.origin,
    });
  return { server, state, url: page };
}

/** Resolves when the page of the redirect has stored the answer. Rejects when `signal` aborts. */
function whenReturned(state: string, signal: AbortSignal): Promise<void> {
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  return new Promise<void>((resolve, reject) => {
    channel.onmessage = ({ data }) => {
      if (data === state) resolve();
    };
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => channel.close());
}

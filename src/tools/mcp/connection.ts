import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
  type ListChangedHandlers,
  type Tool,
} from '@modelcontextprotocol/client';
import { defined } from '../../core/defined.js';
import { describe, RoleZeroError } from '../../core/error.js';
import { readDefinitions, unmatchedPatterns, type Definition } from '../foreign-tools.js';
import { limitedFetch, RECONNECTION, withAnswers } from './answers.js';
import { causeOf, isLost, failureKind, serverUnavailable, type LastResponse } from './failures.js';
import type { McpSettings } from './options.js';
import { signInProvider, type SignInProvider } from './sign-in.js';

/** Attempts of one call while the server is away. */
const MAX_CONNECT_ATTEMPTS = 3;
/** Milliseconds before the next attempt; doubled each time. */
const ATTEMPT_PAUSE_MS = 300;
/** Pages of a list that are read. */
const MAX_PAGES = 20;

/** Methods that this library adds to each server. */
const OWN_METHODS = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt', 'sign_in'];

/** What a server offers. */
export interface Offer {
  definitions: readonly Definition<Tool>[];
  /** Tools that were left out because of the limits. */
  leftOut: number;
  /** Patterns of the option `tools` that no tool matches. */
  unmatched: readonly string[];
  hasResources: boolean;
  hasPrompts: boolean;
}

interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** Requests in progress. */
  requests: number;
  /** It is closed as soon as no request is in progress. */
  isDropped: boolean;
}

/** Options of one request. */
interface CallSettings {
  signal: AbortSignal;
  /** The request may run twice. */
  isRepeatable: boolean;
  onProgress?: (text: string) => void;
}

/** The connection to one server: connects when it is needed, and again when it was lost. */
export class McpConnection {
  /** What the server offered last; null before the first connection. */
  offer: Offer | null = null;
  readonly provider: SignInProvider | null;
  readonly #settings: McpSettings;
  #connecting: Promise<Connected> | null = null;
  /** The list of tools has changed, or a change may have been missed. */
  #isStale = true;
  #seen: LastResponse = { status: null, hidesSession: false };

  constructor(settings: McpSettings) {
    this.#settings = settings;
    const { signIn, url } = settings;
    this.provider = signIn === null ? null : signInProvider(signIn, url);
  }

  /** Connects if necessary, and reads the list of tools if it has changed. @throws RoleZeroError `tool-failed` with the cause. */
  async refresh(): Promise<Offer> {
    const { client } = await this.#connected();
    try {
      if (this.#isStale || this.offer === null) this.offer = await this.#read(client);
      return this.offer;
    } catch (error) {
      this.#drop();
      throw await this.#unavailable(error);
    }
  }

  /**
   * Calls a tool. @throws RoleZeroError `conflict` when the server has changed the tool since `definition`, `tool-failed` otherwise.
   */
  async callTool(
    definition: Definition<Tool>,
    args: unknown,
    request: CallSettings,
  ): Promise<CallToolResult> {
    const { remote, name, hash } = definition;
    return this.request(name, request, (client, options) => {
      if (this.offer?.definitions.find((each) => each.name === name)?.hash !== hash)
        throw new RoleZeroError(
          'conflict',
          `The MCP server ${this.#settings.name} has changed or removed ${name} since. Read its new description, then decide whether to call it.`,
          { tool: name },
        );
      const params = { name: remote.name, arguments: args as Record<string, unknown> };
      return client.callTool(params, { ...options, toolDefinition: remote });
    });
  }

  /**
   * Sends a request. Connects again when the server is away, or has forgotten the connection.
   *
   * @param name Name of the command, for errors.
   */
  async request<Result>(
    name: string,
    { signal, isRepeatable, onProgress }: CallSettings,
    send: (client: Client, options: object) => Promise<Result>,
  ): Promise<Result> {
    const { callMs: timeout } = this.#settings.limits;
    const onprogress =
      onProgress &&
      (({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
        onProgress(`${progress}${total === undefined ? '' : `/${total}`} ${message ?? ''}`.trim()));
    const options = { signal, timeout, ...defined({ onprogress }) };
    let wasForgotten = false;
    for (let attempt = 1; ; attempt++) {
      let hasSent = false;
      try {
        await this.refresh();
        const connected = await this.#connected();
        hasSent = true;
        return await whileOpen(connected, (client) => send(client, options));
      } catch (error) {
        signal.throwIfAborted();
        const kind = failureKind(error);
        if (isLost(error)) this.#isStale = true;
        else if (hasSent && kind !== 'answered') this.#drop();
        const mayRepeat =
          !hasSent || (kind === 'forgotten' && !wasForgotten) || (kind === 'broken' && isRepeatable);
        if (!mayRepeat || attempt === MAX_CONNECT_ATTEMPTS || this.needsSignIn)
          throw this.#failure(error, name, hasSent);
        wasForgotten ||= kind === 'forgotten';
        await abortableDelay(ATTEMPT_PAUSE_MS * 2 ** (attempt - 1), signal);
      }
    }
  }

  /** The server requires that the user signs in. */
  get needsSignIn(): boolean {
    return (this.provider?.pending() ?? null) !== null;
  }

  /** Exchanges what the sign-in returned for tokens. @throws RoleZeroError `permission` */
  async finishSignIn(): Promise<boolean> {
    const { provider } = this;
    const parameters = (await provider?.result()) ?? null;
    if (provider === null || parameters === null) return false;
    try {
      await this.#newTransport().finishAuth(parameters);
    } catch (error) {
      throw new RoleZeroError(
        'permission',
        'The sign-in has failed.',
        { server: this.#settings.name },
        error,
      );
    } finally {
      await provider.forgetResult();
      provider.clearPending();
    }
    return true;
  }

  async close(): Promise<void> {
    const connecting = this.#connecting;
    this.#drop();
    const connected = await connecting?.catch(() => null);
    await connected?.transport.terminateSession().catch(() => undefined);
    await connected?.client.close();
  }

  /** The next request connects again. Others that are in progress end first. */
  #drop(): void {
    const connecting = this.#connecting;
    this.#connecting = null;
    this.#isStale = true;
    void connecting
      ?.then((connected) => {
        connected.isDropped = true;
        closeUnused(connected);
      })
      .catch(() => undefined);
  }

  /** @throws RoleZeroError `tool-failed` with the cause */
  async #connected(): Promise<Connected> {
    this.#connecting ??= this.#connect();
    try {
      return await this.#connecting;
    } catch (error) {
      this.#connecting = null;
      throw await this.#unavailable(error);
    }
  }

  async #connect(): Promise<Connected> {
    // The page may have been away for it. Another attempt would begin another sign-in.
    if (!(await this.finishSignIn()) && this.needsSignIn) throw new UnauthorizedError();
    try {
      return await this.#handshake('auto');
    } catch (error) {
      // A server of another origin may not allow the headers of the newer protocol, although it is there.
      if (failureKind(error) !== 'broken') throw error;
      return this.#handshake('legacy');
    }
  }

  async #handshake(mode: 'auto' | 'legacy'): Promise<Connected> {
    const stale = () => void (this.#isStale = true);
    const changed = { autoRefresh: false, debounceMs: 0, onChanged: stale };
    const listChanged: ListChangedHandlers = { tools: changed };
    const client = new Client(
      { name: 'rolezero', version: '1' },
      {
        capabilities: {},
        versionNegotiation: { mode },
        listChanged,
        listMaxPages: MAX_PAGES,
        // Schemas of a server are not evaluated: their patterns could take forever.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    client.onerror = stale;
    const transport = this.#newTransport();
    try {
      await client.connect(transport, { timeout: this.#settings.limits.connectMs });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
    this.#isStale = true;
    return { client, transport, requests: 0, isDropped: false };
  }

  #newTransport(): StreamableHTTPClientTransport {
    const settings = this.#settings;
    const fetch = limitedFetch(settings, (response) => {
      const hidesSession = response.type === 'cors' && !response.headers.has('mcp-session-id');
      this.#seen = { status: response.status, hidesSession };
    });
    return new StreamableHTTPClientTransport(settings.url, {
      fetch: withAnswers(fetch),
      reconnectionOptions: RECONNECTION,
      ...defined({ authProvider: this.provider ?? undefined }),
    });
  }

  async #read(client: Client): Promise<Offer> {
    this.#isStale = false;
    const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
    const options = { timeout: this.#settings.limits.connectMs, cacheMode: 'refresh' } as const;
    const listed = tools === undefined ? [] : (await client.listTools(undefined, options)).tools;
    const read = readDefinitions(listed, this.#settings, OWN_METHODS);
    const unmatched = unmatchedPatterns(
      this.#settings.tools,
      listed.map(({ name }) => name),
    );
    return { ...read, unmatched, hasResources: resources !== undefined, hasPrompts: prompts !== undefined };
  }

  async #unavailable(error: unknown): Promise<RoleZeroError> {
    if (error instanceof RoleZeroError) return error;
    return serverUnavailable(this.#settings, await causeOf(error, this.#settings, this.#seen));
  }

  #failure(error: unknown, name: string, hasSent: boolean): RoleZeroError {
    if (error instanceof RoleZeroError) return error;
    const server = this.#settings.name;
    const unknown =
      hasSent && failureKind(error) === 'broken'
        ? `The connection to the MCP server ${server} was lost, and it is not known whether ${name} took effect. Check before you call it again.`
        : `${name} failed: ${describe(error)}`;
    return new RoleZeroError('tool-failed', unknown, { server, tool: name }, error);
  }
}

/** Sends a request over a connection, which is not closed meanwhile. */
async function whileOpen<Result>(
  connected: Connected,
  send: (client: Client) => Promise<Result>,
): Promise<Result> {
  connected.requests += 1;
  try {
    return await send(connected.client);
  } finally {
    connected.requests -= 1;
    closeUnused(connected);
  }
}

function closeUnused({ client, requests, isDropped }: Connected): void {
  if (isDropped && requests === 0) void client.close().catch(() => undefined);
}

function abortableDelay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal.addEventListener('abort', done);
  });
}

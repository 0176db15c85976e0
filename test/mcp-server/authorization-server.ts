import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { startMcpServer, text, type TestMcpServer } from './mcp-server.js';

/** An authorization server (OAuth 2.1 with PKCE and dynamic registration) whose user agrees to everything. */
interface AuthorizationServer {
  readonly origin: string;
  /** Paths of the requests, in order. */
  readonly paths: string[];
  /** Access tokens that are valid. */
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const codes = new Map<string, URLSearchParams>();
  const state = { origin: '', paths: [] as string[], tokens: new Set<string>() };
  const answers: Record<string, (url: URL, body: string) => unknown> = {
    '/.well-known/oauth-authorization-server': () => ({
      issuer: state.origin,
      authorization_endpoint: `${state.origin}/authorize`,
      token_endpoint: `${state.origin}/token`,
      registration_endpoint: `${state.origin}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/register': (_, body) => ({ ...(JSON.parse(body) as object), client_id: 'client-1' }),
    '/token': (_, body) => {
      const given = new URLSearchParams(body);
      const asked = codes.get(given.get('code') ?? '');
      codes.delete(given.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(given.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        asked?.get('code_challenge') === challenge &&
        asked.get('redirect_uri') === given.get('redirect_uri') &&
        given.get('client_id') === 'client-1';
      if (!isRight) return null;
      const token = randomUUID();
      state.tokens.add(token);
      return { access_token: token, token_type: 'Bearer', expires_in: 3_600, refresh_token: randomUUID() };
    },
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', state.origin);
    allowPages(response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await textOf(request);
    state.paths.push(url.pathname);
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      codes.set(code, url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      back.searchParams.set('iss', state.origin);
      return void response.writeHead(302, { location: back.href }).end();
    }
    const answer = answers[url.pathname]?.(url, body) ?? null;
    const status = answer === null ? 400 : url.pathname === '/register' ? 201 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** An MCP server that needs a sign-in at an authorization server. Its only tool is `whoami`. */
export interface ProtectedServer {
  readonly server: TestMcpServer;
  readonly authorization: AuthorizationServer;
  close(): Promise<void>;
}

export async function startProtectedServer(): Promise<ProtectedServer> {
  const authorization = await startAuthorizationServer();
  const server = await startMcpServer({
    tools: [{ name: 'whoami', description: 'Who has signed in.', run: () => text('Ada') }],
    intercept(request, response) {
      allowPages(response);
      const { origin } = new URL(server.url);
      const metadata = '/.well-known/oauth-protected-resource/mcp';
      if (request.method === 'OPTIONS') response.writeHead(204).end();
      else if (request.url === metadata)
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ resource: server.url, authorization_servers: [authorization.origin] }));
      else if (authorization.tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
        return false;
      else
        response
          .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}${metadata}"` })
          .end();
      return true;
    },
  });
  return {
    server,
    authorization,
    async close() {
      await Promise.all([server.close(), authorization.close()]);
    },
  };
}

function allowPages(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', '*');
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, accept, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id',
  );
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
}

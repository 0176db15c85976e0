import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { vi } from 'vitest';
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type EventStore,
  type JSONRPCMessage,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

/** A tool of the server, and what it does. */
interface ServedTool extends Omit<Tool, 'inputSchema'> {
  inputSchema?: Tool['inputSchema'];
  run?: (args: Record<string, unknown>, context: ServerContext) => Promise<CallToolResult> | CallToolResult;
}

export interface McpServerOptions {
  /** `legacy`: sessions of 2025-11-25, which can be resumed. `modern`: 2026-07-28. @default 'legacy' */
  era?: 'legacy' | 'modern';
  tools?: readonly ServedTool[];
  /** Answers a request in the place of the server, or returns false. */
  intercept?: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
}

/** A real MCP server (Streamable HTTP) whose tools may change. */
export interface TestMcpServer {
  readonly url: string;
  /** The tools now. Assign to change them; `notify` tells the clients. */
  tools: readonly ServedTool[];
  /** Methods of the requests, in order. */
  readonly methods: string[];
  /** Names and arguments of the calls that have run. */
  readonly calls: { name: string; args: unknown }[];
  intercept: McpServerOptions['intercept'];
  /** Reports that the list of tools has changed. */
  notify(): Promise<void>;
  /** Forgets all sessions, as a restarted server does. */
  forget(): Promise<void>;
  /** Ends the responses of calls after their first event, before their result. */
  cut(): Promise<void>;
  close(): Promise<void>;
}

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

export async function startMcpServer(options: McpServerOptions = {}): Promise<TestMcpServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const servers = new Set<McpServer>();
  /** Responses of calls of which something was sent. */
  const begun = new Set<ServerResponse>();
  const modern = createMcpHandler(() => newServer(state), { legacy: 'reject' });
  const state: TestMcpServer = {
    url: '',
    tools: options.tools ?? [],
    methods: [],
    calls: [],
    intercept: options.intercept,
    notify: async () => {
      modern.notify.toolsChanged();
      await Promise.all([...servers].map(async (server) => server.sendToolListChanged()));
    },
    forget: async () => {
      const all = [...sessions.values()];
      sessions.clear();
      servers.clear();
      await Promise.all(all.map((transport) => transport.close()));
    },
    cut: async () => {
      await vi.waitUntil(() => [...begun].some((response) => !response.writableEnded));
      for (const response of begun) response.emit('cut');
    },
    close: async () => {
      await state.forget();
      await modern.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const legacy = async (request: Request, body: string): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response('Session not found', { status: 404 });
    if (!body.includes('"initialize"')) return new Response('No session', { status: 400 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: eventStore(),
      retryInterval: 50,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    const server = newServer(state);
    servers.add(server);
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const http: HttpServer = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { method } = body === '' ? {} : (JSON.parse(body) as { method?: string });
      if (method !== undefined) state.methods.push(method);
      if (state.intercept?.(request, response, body) === true) return;
      const asked = asRequest(request, body, response);
      const onData = () => void (method === 'tools/call' && begun.add(response));
      await reply(
        options.era === 'modern' ? await modern.fetch(asked) : await legacy(asked, body),
        response,
        onData,
      );
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return Object.defineProperty(state, 'url', { value: `http://127.0.0.1:${port}/mcp` });
}

function newServer(state: TestMcpServer): McpServer {
  const all = new McpServer(
    { name: 'test', version: '1' },
    { capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} } },
  );
  const { server } = all;
  server.setRequestHandler('tools/list', () => ({
    tools: state.tools.map(({ run: _, inputSchema = { type: 'object' }, ...tool }) => ({
      ...tool,
      inputSchema,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) => {
    state.calls.push({ name, args });
    const tool = state.tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    return (await tool.run?.(args, context)) ?? text(`${name} done`);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: 'test://readme', name: 'readme', description: 'About this server' }],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://user/{id}', name: 'user' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [{ uri, text: `The text of ${uri}` }],
  }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }],
  }));
  server.setRequestHandler('prompts/get', ({ params: { arguments: args = {} } }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${args['who'] ?? ''}` } }],
  }));
  return all;
}

/** Stores the events of streams, so that a client can continue after a broken connection. */
function eventStore(): EventStore {
  const events: { stream: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      events.push({ stream, message });
      return String(events.length - 1);
    },
    async replayEventsAfter(last, { send }) {
      const stream = events[Number(last)]?.stream ?? '';
      for (const [index, event] of events.entries())
        if (index > Number(last) && event.stream === stream && 'jsonrpc' in event.message)
          await send(String(index), event.message);
      return stream;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function asRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Request {
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') all.set(name, value);
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: all,
    signal: closed.signal,
    ...(method === 'POST' ? { body } : {}),
  });
}

async function reply(answer: Response, response: ServerResponse, onData: () => void): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) {
    response.end();
    return;
  }
  const stream = Readable.fromWeb(answer.body as ReadableStream);
  response.on('close', () => stream.destroy());
  response.on('cut', () => {
    stream.unpipe(response);
    stream.destroy();
    response.end();
  });
  stream.on('error', () => response.destroy());
  stream.on('data', onData);
  stream.pipe(response);
}

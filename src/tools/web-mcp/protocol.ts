/** Name of the page side of WebMCP; see `webMcpTools`. */
export const WEB_MCP_PART = 'WebMcp.page';

/** A tool that scripts of the page have registered, as plain data. */
export interface SharedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
}

/** What the worker asks of the page: the tools that are registered now, or a call of one as it was described. */
export type WebMcpRequest = { do: 'list' } | { do: 'call'; tool: SharedTool; input: unknown };

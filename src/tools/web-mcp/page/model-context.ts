/** A tool as `registerTool` takes it. */
interface RegisteredTool {
  name: string;
  description: string;
  inputSchema?: object;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
  execute(input: Record<string, unknown>): unknown;
}

/** A tool as `getTools` lists it. Its schema is text in older versions of Chromium. */
export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
}

/** The part of WebMCP that this library uses. `executeTool` is an extension of Chromium. */
export interface ModelContext {
  registerTool(tool: RegisteredTool, options?: { signal?: AbortSignal }): Promise<void> | void;
  getTools?(): Promise<ListedTool[]>;
  executeTool?(tool: ListedTool, input: object, options?: { signal?: AbortSignal }): Promise<string | null>;
}

/** Returns the WebMCP of this document, also under its earlier name; null when the browser has none. */
export function modelContext(): ModelContext | null {
  const { document, navigator } = globalThis as {
    document?: { modelContext?: ModelContext };
    navigator?: { modelContext?: ModelContext };
  };
  return document?.modelContext ?? navigator?.modelContext ?? null;
}

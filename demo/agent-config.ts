/** What the page tells the worker: which model is to think. `none` opens a session to look at it. */
export type AgentConfig =
  | { kind: 'none' }
  | { kind: 'tour' }
  | { kind: 'remote'; baseURL: string; model: string; apiKey: string; contextWindow: number };

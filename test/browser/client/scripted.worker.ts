import { longTermMemory, serve, RoleZero, RoleZeroError, type ChatModel } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { scriptedModel, type Script } from 'rolezero/testing';

/** Options of this worker. */
export interface ScriptedConfig {
  script?: Script;
  /** Delay before each reply of the model, in milliseconds. */
  delay?: number;
  /** Calls that break off in the middle of their reply, before the next one is whole. */
  breaks?: number;
  /** The model never replies. */
  silent?: boolean;
  fail?: string;
  /** Creating the role never completes. */
  loops?: boolean;
  /** Messages in the role's window; older ones go to its long-term memory. Default: all, without long-term memory. */
  window?: number;
  policy?: { tool: string; do: 'ask' | 'deny' | 'allow'; lifetime?: 'session' }[];
}

serve<ScriptedConfig>((config) => {
  const { script = [], delay = 0, silent = false, fail, loops, window, policy = [] } = config;
  let { breaks = 0 } = config;
  while (loops === true);
  if (fail !== undefined) throw new Error(fail);
  const scripted = scriptedModel(script);
  const model: ChatModel = {
    ...scripted,
    async *chat(request) {
      if (silent) await new Promise(() => {});
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      if (breaks > 0) {
        breaks -= 1;
        yield { type: 'text-delta', text: 'I am about to write ' };
        const detail = { retryable: true };
        throw new RoleZeroError('model-request', 'The connection was closed.', detail);
      }
      yield* scripted.chat(request);
    },
  };
  return new RoleZero({
    model,
    tools: editor(),
    policy,
    ...(window === undefined ? {} : { longTermMemory: longTermMemory({ maxMessages: window }) }),
  });
});

// An endless loop, like a bad regular expression.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  while (data === 'hang');
});

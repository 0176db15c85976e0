import { longTermMemory, serve, RoleZero, type ChatModel } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { scriptedModel, type Script } from 'rolezero/testing';

/** What the tests ask of this worker. */
export interface ScriptedConfig {
  script?: Script;
  /** The model waits this long before each reply, in milliseconds. */
  delay?: number;
  /** The model never answers. */
  silent?: boolean;
  fail?: string;
  /** Never comes to an end of making its role. */
  loops?: boolean;
  /** Messages the role keeps in its window; older ones go to its long-term memory. Default: all, and it has none. */
  window?: number;
  policy?: { tool: string; do: 'ask' | 'deny' | 'allow' }[];
}

serve<ScriptedConfig>(({ script = [], delay = 0, silent = false, fail, loops, window, policy = [] }) => {
  while (loops === true);
  if (fail !== undefined) throw new Error(fail);
  const scripted = scriptedModel(script);
  const model: ChatModel = {
    ...scripted,
    async *chat(request) {
      if (silent) await new Promise(() => {});
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      yield* scripted.chat(request);
    },
  };
  return new RoleZero({
    model,
    tools: editor(),
    policy,
    ...(window === undefined ? {} : { longTermMemory: longTermMemory({ memoryK: window }) }),
  });
});

// A loop that never ends, as a bad regular expression would be.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  while (data === 'hang');
});

import type { AgentEvent } from '../../../../src/core/events.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import type { RunRoleOptions } from '../../../../src/testing/run-role.js';
import { editor } from '../../../../src/tools/index.js';
import { terminal } from '../../../../src/tools/terminal/node.js';
import type { TerminalOptions } from '../../../../src/tools/terminal/terminal-options.js';

export type Step = readonly [name: string, args: Record<string, JsonValue>];

export const run = (cmd: string): Step => ['Terminal.run_command', { cmd }];
export const write = (path: string, content: string): Step => ['Editor.write', { path, content }];

export interface Played {
  /** The observation of each command. */
  outputs: string[];
  files: Record<string, string>;
  events: AgentEvent[];
}

type Given = RunRoleOptions & Pick<RoleZeroOptions, 'policy'>;

/** Runs commands one per reply, so that a failing one does not stop the others. */
export function play(
  steps: readonly Step[],
  options: TerminalOptions = {},
  given: Given = {},
): Promise<Played> {
  return playReplies(
    steps.map((step) => [step]),
    options,
    given,
  );
}

/** Runs replies of several commands each. Of two equal replies, only the first would be run. */
export async function playReplies(
  replies: readonly (readonly Step[])[],
  options: TerminalOptions = {},
  given: Given = {},
): Promise<Played> {
  const think = [...replies.map((steps) => commands(...steps)), commands(['end', {}])];
  const tools = [...editor(), ...terminal(options)];
  const { policy, ...others } = given;
  const rules = policy === undefined ? {} : { policy };
  const role = new RoleZero({ model: scriptedModel({ think }), tools, maxSteps: 100, ...rules });
  const { files, events } = await runRole(role, 'do it', others);
  const ends = events.filter((event) => event.type === 'command-end');
  return { outputs: ends.slice(0, -1).map(({ output }) => output), files, events };
}

/** The part of an observation that the command printed, with the line about its end. */
export function shown(observation: string | undefined): string {
  return (
    /\[command output\] : ([^]*)$/u.exec(observation ?? '')?.[1]?.replace(' (pay attention to this.)', '') ??
    ''
  );
}

/** Sub-agents: a command that gives a task to a fresh role with a window of its own. Imported by the worker file. */
import * as s from '../core/schema.js';
import { RoleZeroError } from '../core/error.js';
import { builtInTool, type Tool } from '../core/tool.js';
import { withCloseCall } from '../agent/commands/close-turn.js';
import { callerOf } from '../agent/commands/tool-call.js';
import { closeDelegation, delegate } from './delegate.js';
import { checkSubagentsOptions, type SubagentsOptions } from './options.js';

/** Maximum characters of a task. */
const MAX_TASK = 20_000;

/**
 * The command `Subagent.run`: gives a task to a fresh role, which works on it with a window, a plan and limits of its own. The model of the
 * role receives its result, not its messages. Use it for tasks that read much and report little, such as research.
 *
 * A sub-agent may do nothing that the role may not: it has the rules, capabilities and approvals policy of the role, and some of its tools.
 * The user is asked for approvals, never for other things. Labels of untrusted and private content pass from the role to the sub-agent, and
 * from there to its result. It is stored with the session: a run that was interrupted resumes in the middle of its work.
 *
 * @example new RoleZero({ model, tools: [editor(), search(), subagents({ tools: ['Search'], steps: 10 })] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function subagents(options: SubagentsOptions = {}): Tool {
  checkSubagentsOptions(options);
  const tool = builtInTool({
    name: 'Subagent.run',
    activity: { verb: 'Giving a task to a sub-agent' },
    description:
      'Give a task to a sub-agent: a fresh copy of you that knows nothing but the task, works on it alone with your tools, and returns its result. Use it for a task that reads much and reports little. Write all that it needs to know, and what the result must contain.',
    input: s.args({
      task: s.string({
        minLength: 1,
        maxLength: MAX_TASK,
        description: 'The whole task, with paths and addresses.',
      }),
    }),
    aliases: { prompt: 'task', description: 'task', instruction: 'task' },
    replay: 'idempotent', // run again, it resumes the stored sub-agent
    timeoutMs: Infinity, // its steps are limited
    async run({ task }, context) {
      const caller = callerOf(context);
      if (caller === undefined)
        throw new RoleZeroError('invalid', 'Subagent.run works only as a command of a role.', {});
      const work = delegate(caller, { task, context, options });
      caller.agent.delegated = work.catch(() => {});
      try {
        return await work;
      } finally {
        caller.agent.delegated = null;
      }
    },
  });
  return withCloseCall(tool, (caller, callId) => closeDelegation(caller, { callId, options }));
}

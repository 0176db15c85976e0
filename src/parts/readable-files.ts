import { RoleZeroError } from '../core/error.js';
import type { StagedFiles } from '../core/files.js';
import { ruling } from '../agent/policy/policy.js';
import type { PartAgent } from '../agent/runtime/part.js';

/**
 * Returns the files of the session for reading outside of a command. Files that a rule denies or asks about for `Editor.read` are rejected
 * with `permission`.
 */
export function readableFiles(agent: PartAgent): StagedFiles {
  const files = agent.context.workspace.stage();
  files.guard((path) => {
    const tool = 'Editor.read';
    const aliases = agent.registry.aliasesOf(tool);
    const asked = { role: agent.ruleName, tool, aliases, args: { path }, path, origin: null };
    if ((ruling(asked, agent.settings.rules)?.do ?? 'allow') !== 'allow')
      throw new RoleZeroError('permission', `A rule of this application restricts ${path}.`);
  });
  return files;
}

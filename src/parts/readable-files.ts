import { RoleZeroError } from '../core/error.js';
import type { StagedFiles } from '../core/files.js';
import { ruling } from '../agent/policy/policy.js';
import type { PartAgent } from '../agent/runtime/part.js';

/** Files of the session for reading outside of a command. Each method waits until they are read from the store. */
export type RestrictedFiles = Pick<StagedFiles, 'glob' | 'read' | 'readBytes' | 'stat' | 'touched'>;

/** Files that a rule denies or asks about for `Editor.read` are rejected with `permission`. */
export function readableFiles(agent: PartAgent): RestrictedFiles {
  const { workspace, whole } = agent.context;
  const files = workspace.stage();
  files.guard((path) => {
    const tool = 'Editor.read';
    const aliases = agent.registry.aliasesOf(tool);
    const asked = { role: agent.ruleName, tool, aliases, args: { path }, path, origin: null };
    if ((ruling(asked, agent.settings.rules)?.do ?? 'allow') !== 'allow')
      throw new RoleZeroError('permission', `A rule of this application restricts ${path}.`);
  });
  const ready = async (): Promise<StagedFiles> => {
    await whole?.();
    return files;
  };
  return {
    glob: async (...args) => (await ready()).glob(...args),
    read: async (...args) => (await ready()).read(...args),
    readBytes: async (...args) => (await ready()).readBytes(...args),
    stat: async (...args) => (await ready()).stat(...args),
    touched: () => files.touched(),
  };
}

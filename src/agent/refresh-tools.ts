import { RoleZeroError } from '../core/error.js';
import type { ToolSourceContext } from '../core/tool-source.js';
import { offerTools } from './offer-tools.js';
import type { Agent } from './runtime/agent.js';
import { readableFiles } from './runtime/readable-files.js';
import { addSources } from './runtime/state.js';

/**
 * Reads the tools of each source, before the model is asked. Who wrote their descriptions counts as an untrusted source that the role has
 * read. The model receives a notice when tools are missing.
 */
export async function refreshTools(agent: Agent): Promise<void> {
  const { sources, registry } = agent;
  if (sources.length === 0) return;
  const all = await Promise.all(sources.map((source) => source.current(contextOf(agent, source.group))));
  agent.run.signal.throwIfAborted();
  let hasChanged = false;
  for (const [index, { tools, untrusted, notice }] of all.entries()) {
    const { group } = sources[index] as (typeof sources)[number];
    hasChanged = registry.replace(group, tools) || hasChanged;
    if (untrusted !== null && tools.length > 0) addSources(agent.state, [untrusted]);
    report(agent, group, notice);
  }
  const turn = agent.turn();
  if (!hasChanged || turn.offered === undefined) return;
  delete turn.offered;
  await offerTools(agent);
}

function contextOf(agent: Agent, group: string): ToolSourceContext {
  const { callPage } = agent.context;
  const { signal } = agent.run;
  const files = readableFiles(agent);
  if (callPage === undefined) return { signal, files };
  const callId = `tools:${agent.name}:${group}`;
  return { signal, files, callPage: (name, input) => callPage(callId, name, input, signal) };
}

/** Notifies model and application of a notice, once. */
function report(agent: Agent, group: string, notice: string | null): void {
  if (notice === (agent.notices.get(group) ?? null)) return;
  if (notice === null) {
    agent.notices.delete(group);
    return;
  }
  agent.notices.set(group, notice);
  agent.state.notes.push(notice);
  agent.warn(notice, new RoleZeroError('tool-failed', notice, { group }));
}

import { RoleZeroError } from '../core/error.js';
import { groupOf } from '../core/tool.js';
import type { ToolSource, ToolSourceContext } from '../core/tool-source.js';
import { argumentSchema } from '../tools/registry.js';
import type { AgentPart, PartAgent } from '../agent/runtime/part.js';
import { readableFiles } from './readable-files.js';
import { addSources } from '../agent/runtime/state.js';

/**
 * Reads the tools of sources before the model is asked, such as those of an MCP server. Who wrote their descriptions counts as an untrusted
 * source that the role has read. The model receives a notice when tools are missing.
 */
export class ToolSources implements AgentPart {
  readonly name = 'tool-sources';
  readonly groups: readonly string[];
  readonly #agent: PartAgent;
  readonly #sources: readonly ToolSource[];
  /** The last notice of each source that the model has received, by group. */
  readonly #notices = new Map<string, string>();

  constructor(agent: PartAgent, sources: readonly ToolSource[]) {
    this.#agent = agent;
    this.#sources = sources;
    this.groups = sources.map(({ group }) => group);
  }

  async beforeStep(signal: AbortSignal): Promise<void> {
    const { registry, state } = this.#agent;
    const all = await Promise.all(
      this.#sources.map(async (source) => ({
        group: source.group,
        ...(await source.current(this.#contextOf(source.group, signal))),
      })),
    );
    signal.throwIfAborted();
    for (const { group, tools, untrusted, notice } of all) {
      registry.replace(group, tools);
      if (untrusted !== null && tools.length > 0) addSources(state, [untrusted]);
      this.#report(group, notice);
    }
  }

  /** The descriptions of the tools. */
  untrusted(): string[] {
    return this.#agent.registry.tools
      .filter(({ name }) => this.groups.includes(groupOf(name)))
      .map((tool) => `${tool.description} ${JSON.stringify(argumentSchema(tool))}`);
  }

  #contextOf(group: string, signal: AbortSignal): ToolSourceContext {
    const { name, context } = this.#agent;
    const { callPage } = context;
    const files = readableFiles(this.#agent);
    if (callPage === undefined) return { signal, files };
    const callId = `tools:${name}:${group}`;
    return { signal, files, callPage: (tool, input) => callPage(callId, tool, input, signal) };
  }

  /** Notifies model and application of a notice, once. */
  #report(group: string, notice: string | null): void {
    if (notice === (this.#notices.get(group) ?? null)) return;
    if (notice === null) {
      this.#notices.delete(group);
      return;
    }
    this.#notices.set(group, notice);
    this.#agent.state.notes.push(notice);
    this.#agent.warn(notice, new RoleZeroError('tool-failed', notice, { group }));
  }
}

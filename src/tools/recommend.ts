import { isRecord } from '../core/json.js';
import type { Tool } from '../core/tool.js';
import type { ToolRegistry } from './registry.js';
import { resolveTools } from './resolve-tools.js';
import { ToolSearch } from './tool-search.js';

export interface ToolRecommenderOptions {
  /** Tools that are always recommended, named as for `resolveTools`: `['Plan', 'RoleZero', 'end']`. */
  core?: readonly string[];
  /**
   * Asks a model to choose among the candidate tools. Receives a prompt (purpose `rank`) and returns the model's reply parsed as JSON, or
   * undefined if it cannot be parsed. Without this option, or if the reply is unusable, the search order applies.
   */
  rank?: (prompt: string) => Promise<unknown>;
}

export interface RecommendRequest {
  /** Description of the current work, used if there is no task. */
  context?: string;
  /** Instruction of the plan's current task. */
  task?: string;
  /**
   * Maximum number of candidate tools.
   *
   * @default 20
   */
  recallTopk?: number;
  /**
   * Maximum number of recommended tools in addition to the core tools.
   *
   * @default 5
   */
  topk?: number;
  /**
   * Recommends every tool.
   *
   * @default false
   */
  force?: boolean;
}

/**
 * Finds the tools that fit the current work, so that a role with many tools shows its model only a few. The result for a request is cached
 * until the request or the registry's tools change. Calling it at every step is therefore cheap and returns the same tools.
 *
 * @example await new ToolRecommender(registry, { core: ['Plan', 'RoleZero', 'end'] }).recommend({ task: 'Draw the cover' })
 */
export class ToolRecommender {
  readonly #registry: ToolRegistry;
  readonly #core: readonly string[];
  readonly #rank: ToolRecommenderOptions['rank'];
  #index: { version: number; search: ToolSearch } | null = null;
  #last: { key: string; tools: readonly Tool[] } | null = null;

  constructor(registry: ToolRegistry, options: ToolRecommenderOptions = {}) {
    this.#registry = registry;
    this.#core = options.core ?? [];
    this.#rank = options.rank;
  }

  /** Returns the tools that best fit a query or one of its sentences, best first. Returns at most `topk` tools. */
  recall(query: string, topk = 20): Tool[] {
    return this.#currentSearch().search(query, topk);
  }

  /**
   * Returns the core tools, followed by the tools for the task, or for the context if there is no task. Returns every tool if neither is
   * known, or if `force` is set.
   *
   * @throws the errors of `rank`
   */
  async recommend(request: RecommendRequest = {}): Promise<Tool[]> {
    const { context = '', task = '', recallTopk = 20, topk = 5, force = false } = request;
    const query = task.trim() === '' ? context.trim() : task.trim();
    const all = this.#registry.tools;
    if (force || query === '') return all;
    const core = resolveTools(all, this.#core).tools;
    const key = JSON.stringify([this.#registry.version, recallTopk, topk, query]);
    if (this.#last?.key !== key) {
      const found = this.recall(query, recallTopk + core.length);
      const candidates = found.filter((tool) => !core.includes(tool)).slice(0, recallTopk);
      this.#last = { key, tools: await this.#choose(query, candidates, topk) };
    }
    return [...core, ...this.#last.tools];
  }

  /** Chooses the best candidates. Does not call `rank` if there are no more candidates than requested. */
  async #choose(query: string, candidates: readonly Tool[], topk: number): Promise<Tool[]> {
    const found = candidates.slice(0, topk);
    if (this.#rank === undefined || candidates.length <= topk) return found;
    const names = namesIn(await this.#rank(rankPrompt({ query, candidates, topk })));
    if (names === null) return found;
    // Names that the model invented, or that are not candidates, match no tool.
    const chosen = resolveTools(candidates, names).tools.slice(0, topk);
    return chosen.length === 0 && names.length > 0 ? found : chosen;
  }

  /** Returns the search index, which is rebuilt after a tool is added. */
  #currentSearch(): ToolSearch {
    const { version, tools } = this.#registry;
    if (this.#index?.version !== version) this.#index = { version, search: new ToolSearch(tools) };
    return this.#index.search;
  }
}

function rankPrompt(about: { query: string; candidates: readonly Tool[]; topk: number }): string {
  const tools = about.candidates.map((tool) => `- ${tool.name}: ${tool.description}`);
  return `Choose the tools that help with this work, at most ${about.topk}:
<work>
${about.query}
</work>
Tools:
${tools.join('\n')}
Reply with a JSON list of their names, the most helpful first, for example ["${about.candidates[0]?.name ?? ''}"]. Reply [] when none helps.`;
}

/** Returns the list in a reply, or in the first value of an object; null if that is not a list. */
function namesIn(reply: unknown): string[] | null {
  const list: unknown = isRecord(reply) ? Object.values(reply)[0] : reply;
  return Array.isArray(list) ? list.map(String) : null;
}

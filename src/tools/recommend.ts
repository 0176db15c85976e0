import { isRecord } from '../base/json.js';
import type { Tool } from '../base/tool.js';
import type { ToolRegistry } from './registry.js';
import { resolveTools } from './resolve-tools.js';
import { ToolSearch } from './tool-search.js';

export interface ToolRecommenderOptions {
  /** Tools that are recommended whatever the work is, named as for `resolveTools`: `['Plan', 'RoleZero', 'end']`. */
  core?: readonly string[];
  /**
   * Lets a model choose among the tools that were found: its reply to the prompt (purpose `rank`) read as JSON, undefined when it
   * cannot be read. Without it, or when the reply is of no use, the order in which they were found stands.
   */
  rank?: (prompt: string) => Promise<unknown>;
}

export interface RecommendRequest {
  /** What is being done, in words; used when there is no task. */
  context?: string;
  /** The instruction of the plan's current task. */
  task?: string;
  /** How many tools are looked at; default 20. */
  recallTopk?: number;
  /** How many are recommended besides the core; default 5. */
  topk?: number;
  /** Recommend every tool. Default false. */
  force?: boolean;
}

/**
 * Finds the tools that fit the work in hand, so that a role with many needs to show its model only a few (spec 13). What was found for
 * a request is kept until the request or the registry's tools change: asking at every step costs nothing and gives the same tools.
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

  /** The tools that fit a query or one of its sentences best, best first: at most `topk`, and all of them when there are no more. */
  recall(query: string, topk = 20): Tool[] {
    return this.#currentSearch().search(query, topk);
  }

  /**
   * The core tools, then those for the task, or for the context when there is no task; every tool when neither is known or `force` is
   * set. Throws what `rank` throws.
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

  /** The best of the candidates; with no more of them than wanted there is nothing to ask. */
  async #choose(query: string, candidates: readonly Tool[], topk: number): Promise<Tool[]> {
    const found = candidates.slice(0, topk);
    if (this.#rank === undefined || candidates.length <= topk) return found;
    const names = namesIn(await this.#rank(rankPrompt({ query, candidates, topk })));
    if (names === null) return found;
    // A name the model made up, or one of a tool that was not found, is nobody's.
    const chosen = resolveTools(candidates, names).tools.slice(0, topk);
    return chosen.length === 0 && names.length > 0 ? found : chosen;
  }

  /** What was read of the tools is good until one is added. */
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

/** The list a reply is, or the first value of an object; null when that is no list. */
function namesIn(reply: unknown): string[] | null {
  const list: unknown = isRecord(reply) ? Object.values(reply)[0] : reply;
  return Array.isArray(list) ? list.map(String) : null;
}

import { isRecord } from '../core/json.js';
import type { Tool } from '../core/tool.js';
import { LexicalIndex } from '../memory/lexical-index.js';
import { termsOf } from '../memory/words.js';
import { argumentSchema, type ToolRegistry } from './registry.js';
import { resolveTools } from './resolve-tools.js';

/** Weight of matching the whole request, relative to the best match of a single sentence. */
const WHOLE_REQUEST_WEIGHT = 0.6;
/** Maximum number of sentences that are searched individually. The whole request is always searched as well. */
const MAX_SENTENCES = 40;
const SENTENCE_END = /(?<=[.!?;。！？；])\s*(?=\S)|\n+/u;

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
    const names = namesIn(await this.#rank(rankToolsPrompt({ query, candidates, topk })));
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

function rankToolsPrompt(about: { query: string; candidates: readonly Tool[]; topk: number }): string {
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

/**
 * Finds tools by the words of a request. A request with several intents needs a tool for each. Every sentence therefore scores relative to
 * its best tool, so that a long part does not outweigh a short one. Immutable after construction.
 */
class ToolSearch {
  /** Index of name, tags and description. */
  readonly #named = new LexicalIndex();
  /** Index of name, tags, description and arguments. */
  readonly #all = new LexicalIndex();

  constructor(readonly tools: readonly Tool[]) {
    for (const [place, tool] of tools.entries()) {
      const named = termsOf([tool.name, ...(tool.tags ?? []), tool.description].join('\n'));
      this.#named.add(place, named);
      this.#all.add(place, [...named, ...termsOf(argumentText(tool))]);
    }
  }

  /**
   * Returns the best `count` tools, best first; ties stay in their original order. Tools without a word in common with the request come
   * last.
   */
  search(request: string, count: number): Tool[] {
    const sentences = request.split(SENTENCE_END).filter((part) => part.trim() !== '');
    const scores = this.#tools();
    for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
      const shares = sharesOf(this.#both(sentence));
      for (const [place, share] of shares) scores.set(place, Math.max(scores.get(place) ?? 0, share));
    }
    const whole = sharesOf(new Map(this.#all.search(termsOf(request), this.tools.length).map(asEntry)));
    for (const [place, share] of whole)
      scores.set(place, (scores.get(place) ?? 0) + WHOLE_REQUEST_WEIGHT * share);
    return [...scores]
      .sort(([, one], [, other]) => other - one) // stable sort: ties stay in their order
      .slice(0, Math.max(0, count))
      .flatMap(([place]) => this.tools[place] ?? []);
  }

  #tools(): Map<number, number> {
    return new Map(this.tools.map((_tool, place) => [place, 0]));
  }

  #both(sentence: string): Map<number, number> {
    const terms = termsOf(sentence);
    const scores = new Map(this.#all.search(terms, this.tools.length).map(asEntry));
    for (const { document, score } of this.#named.search(terms, this.tools.length))
      scores.set(document, (scores.get(document) ?? 0) + score);
    return scores;
  }
}

function asEntry({ document, score }: { document: number; score: number }): [number, number] {
  return [document, score];
}

/** Returns scores as shares of the best score. */
function sharesOf(scores: ReadonlyMap<number, number>): [place: number, share: number][] {
  let most = 0;
  for (const score of scores.values()) most = Math.max(most, score);
  return most === 0 ? [] : [...scores].map(([place, score]) => [place, score / most]);
}

/** Returns the names and descriptions of a tool's arguments. */
function argumentText(tool: Tool): string {
  const { properties } = argumentSchema(tool);
  const lines = Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const description = isRecord(schema) ? schema['description'] : undefined;
    return typeof description === 'string' ? `${name} ${description}` : name;
  });
  return lines.join('\n');
}

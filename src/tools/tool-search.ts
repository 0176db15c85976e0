import { isRecord } from '../core/json.js';
import type { Tool } from '../core/tool.js';
import { LexicalIndex } from '../memory/lexical-index.js';
import { termsOf } from '../memory/terms.js';
import { argumentSchema } from './registry.js';

/** Weight of matching the whole request, relative to the best match of a single sentence. */
const WHOLE = 0.6;
/** Maximum number of sentences that are searched individually. The whole request is always searched as well. */
const SENTENCES = 40;
const SENTENCE_END = /(?<=[.!?;。！？；])\s*(?=\S)|\n+/u;

/**
 * Finds tools by the words of a request. A request with several intents needs a tool for each. Every sentence therefore scores relative to
 * its best tool, so that a long part does not outweigh a short one. Immutable after construction.
 */
export class ToolSearch {
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
    for (const sentence of sentences.slice(0, SENTENCES)) {
      const shares = sharesOf(this.#both(sentence));
      for (const [place, share] of shares) scores.set(place, Math.max(scores.get(place) ?? 0, share));
    }
    const whole = sharesOf(new Map(this.#all.search(termsOf(request), this.tools.length).map(asEntry)));
    for (const [place, share] of whole) scores.set(place, (scores.get(place) ?? 0) + WHOLE * share);
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

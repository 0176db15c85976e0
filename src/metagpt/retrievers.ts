import type { ExperienceRetriever } from '../core/experience.js';
import { DEPLOY, FIX_ISSUE, LEAD_A_TEAM, READ_A_PAGE, SCRAPE_PAGES } from './examples.js';

/** Returns no examples. */
export class DummyExpRetriever implements ExperienceRetriever {
  retrieve(): string {
    return '';
  }
}

/** Always returns the same examples; by default, those of a team leader. */
export class SimpleExpRetriever implements ExperienceRetriever {
  readonly #examples: string;

  constructor(examples = LEAD_A_TEAM) {
    this.#examples = examples;
  }

  retrieve(): string {
    return this.#examples;
  }
}

/** Returns the example for the first keyword in the context, ignoring case: deploy, issue, then URLs and searches. */
export class KeywordExpRetriever implements ExperienceRetriever {
  retrieve(context: string): string {
    const text = context.toLowerCase();
    const holds = (word: string): boolean => text.includes(word);
    if (holds('deploy')) return DEPLOY;
    if (holds('issue')) return FIX_ISSUE;
    if (!holds('https:') && !holds('http:') && !holds('search')) return '';
    return holds('search') || holds('click') ? SCRAPE_PAGES : READ_A_PAGE;
  }
}

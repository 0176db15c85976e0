import type { ExperienceRetriever } from '../base/experience.js';
import { DEPLOY, FIX_ISSUE, LEAD_A_TEAM, READ_A_PAGE, SCRAPE_PAGES } from './examples.js';

/** No examples. */
export class DummyExpRetriever implements ExperienceRetriever {
  retrieve(): string {
    return '';
  }
}

/** The same examples whatever the context: those of a team leader, unless others are given. */
export class SimpleExpRetriever implements ExperienceRetriever {
  readonly #examples: string;

  constructor(examples = LEAD_A_TEAM) {
    this.#examples = examples;
  }

  retrieve(): string {
    return this.#examples;
  }
}

/** The example for the first of these words that the context holds, in any case: deploy, issue, then addresses and searches. */
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

import { documents, snippetsOf } from '../../unit/docs/snippets.js';
import { GUIDE_STORIES } from './guide-stories.js';
import { HOW_TO_STORIES } from './how-to-stories.js';
import { PAGE_STORIES } from './page-stories.js';
import { README_STORIES } from './readme-stories.js';
import type { Story } from './story.js';

/** All stories of the documents. */
export const STORIES: readonly Story[] = [
  ...README_STORIES,
  ...HOW_TO_STORIES,
  ...PAGE_STORIES,
  ...GUIDE_STORIES,
];

const HOW_TO = documents.filter((name) => name.startsWith('docs/how-to/'));

/** The snippets of the documents whose snippets must all be run by a test. */
export const SNIPPETS = ['README.md', 'docs/start.md', 'docs/guide.md', ...HOW_TO].flatMap(snippetsOf);

type Snippet = (typeof SNIPPETS)[number];

/** Returns whether a story selects the snippet by this text. */
export const isNamed = (story: Story, text: string, { where, code }: Snippet): boolean =>
  story.documents.some((name) => where.startsWith(name)) && code.includes(text);

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { snippetsOf } from '../unit/docs/snippets.js';
import { GUIDE_STORIES } from './snippets/guide-stories.js';
import { README_STORIES } from './snippets/readme-stories.js';
import { Stage } from './snippets/stage.js';
import type { Files, Story } from './snippets/story.js';

const STORIES = [...README_STORIES, ...GUIDE_STORIES];
const SNIPPETS = ['README.md', 'docs/start.md', 'docs/how-to.md', 'docs/guide.md'].flatMap(snippetsOf);

type Snippet = (typeof SNIPPETS)[number];

/** Returns whether a story selects the snippet by this text. */
const isNamed = (story: Story, text: string, { where, code }: Snippet): boolean =>
  story.documents.some((name) => where.startsWith(`${name}:`)) && code.includes(text);

/** Code of a story's snippets, with a real key instead of the placeholder. */
function codeOf(story: Story): string[] {
  return story.snippets.map((text) => {
    const snippet = SNIPPETS.find((each) => isNamed(story, text, each));
    if (snippet === undefined)
      throw new Error(`No snippet of ${story.documents.join(' or ')} contains: ${text}`);
    return snippet.code.replaceAll("'sk-…'", "'sk-snippets'");
  });
}

/** Files of all stories without duplicates. */
function filesOf(stories: readonly Story[]): Files {
  const files = new Map<string, string>();
  for (const story of stories) {
    for (const [path, code] of Object.entries(story.files?.(...codeOf(story)) ?? {})) {
      if ((files.get(path) ?? code) !== code) throw new Error(`Two stories have a different ${path}.`);
      files.set(path, code);
    }
  }
  return Object.fromEntries(files);
}

describe('the snippets of the README, Start, How-to, and the guide', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(filesOf(STORIES));
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await stage.clear();
  });
  afterAll(() => stage?.close());

  it('have a story each', () => {
    const names = STORIES.flatMap((story) => story.snippets.map((text) => ({ story, text })));
    const withoutStory = SNIPPETS.filter(
      (each) => !names.some(({ story, text }) => isNamed(story, text, each)),
    );
    expect(withoutStory.map(({ where }) => where)).toEqual([]);
    const ambiguous = names.filter(
      ({ story, text }) => SNIPPETS.filter((each) => isNamed(story, text, each)).length !== 1,
    );
    expect(ambiguous.map(({ text }) => text)).toEqual([]);
  });

  it.each(STORIES)('$documents: $title', async (story) => {
    vi.stubGlobal('fetch', stage.fetch);
    await story.play(stage, ...codeOf(story));
  });
});

import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { Stage } from './snippets/stage.js';
import { isNamed, SNIPPETS, STORIES } from './snippets/stories.js';
import type { Files, Story } from './snippets/story.js';
import { firstOf } from '../size.js';

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

describe('the snippets of the README, Start, the guide, and the how-to pages', () => {
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

  it.each(firstOf(STORIES))('$documents: $title', async (story) => {
    vi.stubGlobal('fetch', stage.fetch);
    await story.play(stage, ...codeOf(story));
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { documents, snippetsOf } from '../unit/docs/snippets.js';
import { GUIDE_STORIES } from './snippets/guide-stories.js';
import { HOW_TO_STORIES } from './snippets/how-to-stories.js';
import { README_STORIES } from './snippets/readme-stories.js';
import { Stage } from './snippets/stage.js';
import type { Files, Story } from './snippets/story.js';

const STORIES = [...README_STORIES, ...HOW_TO_STORIES, ...GUIDE_STORIES];
const HOW_TO = documents.filter((name) => name.startsWith('docs/how-to/'));
const SNIPPETS = ['README.md', 'docs/start.md', 'docs/guide.md', ...HOW_TO].flatMap(snippetsOf);

type Snippet = (typeof SNIPPETS)[number];

/** A text of each snippet that another test runs, by the path of that test. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'test/unit/docs/pages.test.ts': [
    ...['export const order', 'export const librarian', 'export class Scout', 'export const thrifty'],
    ...['export const builder', 'export const rememberer', 'plainText(url', 'export function mirrored'],
    ...['export async function install', 'subagents({', 'export function observe'],
    ...['export async function reviewed', 'export async function explain', 'export const toolOf'],
    ...[
      'export function offerRoom',
      'export const assistant',
      'export async function tidy',
      'export const colleague',
    ],
  ],
  'test/unit/docs/conversation-pages.test.ts': [
    ...['export async function edit', 'export async function versions', 'export async function undoRun'],
    ...['export const builder', 'export const explain'],
  ],
  'test/unit/docs/program-pages.test.ts': [
    ...['python({ address', "'csv-parse/sync'", 'export const database', "name: 'Shout'"],
    "'https://git.example.com/'",
  ],
  'test/unit/docs/keys-page.test.ts': [
    ...['export const modelProxy', 'export const nodeServer', '`${location.origin}/llm/v1`'],
  ],
  'test/browser/keys/keys-page.long.test.ts': ['async function askForKey', 'ownModel', 'withPasskey'],
  'test/unit/docs/shell-page.test.ts': ['export const coder', 'export const online'],
  'test/package/readme-apps.ts': [...["from 'rolezero/vue'", "from 'rolezero/svelte'", 'useChat({']],
  'test/browser/memory/cross-encoder.long.test.ts': ['AutoModelForSequenceClassification'],
  'test/e2e/mcp.long.test.ts': ["name: 'everything'"],
  'test/e2e/web-mcp.long.test.ts': ['webMcp()]'],
};

/** Returns whether a story selects the snippet by this text. */
const isNamed = (story: Story, text: string, { where, code }: Snippet): boolean =>
  story.documents.some((name) => where.startsWith(name)) && code.includes(text);

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

  it('have a story each, or another test', () => {
    const names = STORIES.flatMap((story) => story.snippets.map((text) => ({ story, text })));
    const elsewhere = Object.values(ELSEWHERE).flat();
    const withoutStory = SNIPPETS.filter(
      (each) => !names.some(({ story, text }) => isNamed(story, text, each)),
    );
    const withoutTest = withoutStory.filter(({ code }) => !elsewhere.some((text) => code.includes(text)));
    expect(withoutTest.map(({ where }) => where)).toEqual([]);
    const unused = elsewhere.filter((text) => !withoutStory.some(({ code }) => code.includes(text)));
    expect(unused).toEqual([]);
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

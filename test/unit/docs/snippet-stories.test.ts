import { expect, it } from 'vitest';
import { isNamed, SNIPPETS, STORIES } from '../../e2e/snippets/stories.js';

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
    'new DataAnalyst({',
    'export const compiler',
  ],
  'test/unit/docs/parts-page.test.ts': ['const wordCount: PartFactory'],
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

it('the samples of the README, Start, the guide, and the how-to pages have a story each, or another test', () => {
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

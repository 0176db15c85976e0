import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { commands } from '../../../src/testing/index.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../../fault-server/fault-server.js';
import { done, finish, hold, json, streaming, text, usage, type Reply } from '../../fault-server/replies.js';
import { useServedDemo } from './served-demo.js';
import { startVisit, type Visit } from './visit.js';
import { openPart } from './visitor.js';

export const REQUEST = 'Build a tip calculator';
export const PAGE = '<!doctype html>\n<title>Tip</title>\n<p>Tip: <b>10</b> %</p>\n';

/** Replies of the model in the loop, step by step; the last two depend on the user's answer. */
const steps = (answer: string): string[] => [
  commands(
    [
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'Write the page', assignee: 'Zero' },
    ],
    [
      'Plan.append_task',
      { task_id: '2', dependent_task_ids: ['1'], instruction: 'Set the tip', assignee: 'Zero' },
    ],
    ['RoleZero.reply_to_human', { content: 'I **begin** with the page.' }],
  ),
  commands(['Editor.write', { path: '/tip/index.html', content: PAGE }], ['Plan.finish_current_task', {}]),
  commands(['RoleZero.ask_human', { question: 'How large a tip?', options: ['15', '20'] }]),
  commands([
    'Editor.edit_file_by_replace',
    {
      path: '/tip/index.html',
      first_replaced_line_number: 3,
      first_replaced_line_content: '<p>Tip: <b>10</b> %</p>',
      last_replaced_line_number: 3,
      last_replaced_line_content: '<p>Tip: <b>10</b> %</p>',
      new_content: `<p>Tip: <b>${answer}</b> %</p>`,
    },
  ]),
  commands(
    ['Plan.finish_current_task', {}],
    ['RoleZero.reply_to_human', { content: `The calculator is ready, with ${answer} %.` }],
    ['end', {}],
  ),
];

/** The step in the middle of which the model pauses. */
let pausesAt: number | null = null;

/** Sets the step in the middle of which the model pauses; null for none. */
export function pauseAt(step: number | null): void {
  pausesAt = step;
}

/** A model whose replies follow from the conversation alone, so that they are right after every reload. */
export function model({ method, body }: SeenRequest): Reply {
  if (method === 'GET') return json(200, { data: [{ id: 'test-model' }] }); // its list of models
  const { messages } = body as { messages: { role: string; content: string }[] };
  const answer = /Human response: (.*)/.exec(messages.map(({ content }) => content).join('\n'))?.[1] ?? '';
  const said = new Set(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content));
  const step = steps(answer).findLastIndex((known) => said.has(known)) + 1;
  const next = steps(answer)[step] ?? 'Nothing more was recorded.';
  const pause = pausesAt === step ? [hold] : [];
  return [streaming, text(next.slice(0, 12)), ...pause, text(next.slice(12)), finish(), usage(100, 10), done];
}

export let url: string;
export let server: FaultServer;
let visit: Visit;
export let page: Page;

/** Serves the demo and opens a visit with a scripted model server for each test of the calling file. */
export function useDemo(): void {
  const demo = useServedDemo();
  beforeAll(() => {
    ({ url } = demo);
  });
  beforeEach(async () => {
    pausesAt = null;
    server = await startFaultServer();
    server.script([model], 'repeat');
    visit = await startVisit(demo.browser);
    ({ page } = visit);
  });
  afterEach(async () => {
    await server.close();
    await visit.end();
  });
}

/** Expects this error of the page so far, and no other. */
export function forgive(text: string): void {
  visit.forgive(text);
}

/** The text of the conversation, without durations and text being streamed. */
export function conversation(): Promise<string[]> {
  return page.locator('rolezero-chat .entries').evaluate((entries) => {
    const left = '.live, .aside, .duration, .undo';
    const contentOf = (node: Node): Node[] => {
      if (!(node instanceof HTMLSlotElement)) return [...node.childNodes];
      const assigned = node.assignedNodes();
      return (assigned.length > 0 ? assigned : [...node.childNodes]).flatMap((each) =>
        each instanceof Element && each.slot !== '' ? [...each.childNodes] : [each],
      );
    };
    const textOf = (node: Node): string => {
      if (node instanceof Element && node.matches(left)) return '';
      return node instanceof Text ? node.data : contentOf(node).map(textOf).join('');
    };
    return contentOf(entries)
      .flatMap((node) => (node instanceof HTMLSlotElement ? contentOf(node) : [node]))
      .filter((node) => node instanceof Element && !node.matches('.live, .aside'))
      .map((node) => textOf(node).replace(/\s+/g, ' ').trim());
  });
}

/** Each task of the plan and whether it is done, in progress or to do. */
export async function plan(): Promise<string[]> {
  await openPart(page, 'plan');
  return page
    .locator('[data-task]')
    .evaluateAll((tasks) =>
      tasks.map((task) => `${task.getAttribute('data-task')} ${task.getAttribute('class')}`),
    );
}

export async function files(): Promise<(string | null)[]> {
  await openPart(page, 'files');
  return page.locator('[data-file]').evaluateAll((all) => all.map((file) => file.getAttribute('data-file')));
}

/** The content of a file as the page shows it. */
export async function fileContent(path: string): Promise<string | null> {
  await openPart(page, 'files');
  await page.locator(`[data-file="${path}"]`).click();
  await page.locator('.viewer .path', { hasText: path }).waitFor();
  return editorText();
}

/** The text in the code editor. */
export async function editorText(): Promise<string> {
  await page.locator('.cm-content').waitFor();
  const lines = await page.locator('.cm-line:not(.cm-deletedLine)').allTextContents();
  return lines.join('\n');
}

export const finished = () => page.locator('[data-entry="finished"]').waitFor();
export const question = () => page.getByRole('group', { name: 'How large a tip?' });
export const paused = () => page.locator('[data-entry="paused"]');

import type { FrameLocator, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { MORE } from '../../../demo/state/more-tabs.js';

/** The visitor connects a server in the dialog for models. Its list of models is answered here, outside of its script. */
export async function connectModel(
  page: Page,
  baseURL: string,
  { key = '', remember = false }: { key?: string; remember?: boolean } = {},
): Promise<void> {
  await page.context().route(`${baseURL}/models`, (route) =>
    route.fulfill({
      json: { data: [{ id: 'test-model' }] },
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    }),
  );
  await page.locator('button.model').click();
  await fillServer(page, baseURL);
  if (remember) await page.getByLabel('Remember the key').check();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByText('Advanced').click();
  await page.getByLabel('Context window').fill('32000');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

/** In the open dialog for models, names a server with the OpenAI API. */
export async function fillServer(page: Page, baseURL: string): Promise<void> {
  await page.locator('[data-card="key"]').click();
  await page.getByLabel('Service').selectOption('');
  await page.getByLabel('Base URL').fill(baseURL);
  await page.getByLabel('Base URL').blur(); // The page then fills in the key of this server.
}

export async function ask(page: Page, request: string): Promise<void> {
  await page.getByLabel('Your request').fill(request);
  await page.getByLabel('Your request').press('Control+Enter');
}

/**
 * Opens a part of the workbench, or the plan above the conversation. The page shows it with its next frame, which takes
 * time on a busy machine.
 */
export async function openPart(page: Page, name: string): Promise<void> {
  if (name === 'plan') return openPlan(page);
  const isMore = MORE.some((part) => part === name);
  await openWorkbench(page, page.locator(`#tab-${isMore ? 'more' : name}`));
  if (isMore) await page.locator('#tab-more').click();
  await page.locator(`#tab-${name}`).click();
  await page.locator(`#tab-${name}[aria-selected="true"]`).waitFor();
}

/** The workbench appears with its first content: the visitor opens it before, if it is closed. */
async function openWorkbench(page: Page, tab: Locator): Promise<void> {
  const show = page.locator('[data-workbench="show"]');
  await tab.or(show).filter({ visible: true }).first().waitFor();
  // In one task of the page: it may appear meanwhile. On a narrow screen the button is hidden.
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('[data-workbench="show"]');
    if (button?.checkVisibility() === true) button.click();
  });
}

async function openPlan(page: Page): Promise<void> {
  const plan = page.locator('.plan');
  await plan.waitFor();
  if ((await plan.getAttribute('open')) === null) await plan.locator('summary').click();
  await page.locator('.plan[open]').waitFor();
}

/** The page in the preview: in the frame of the user, or in that of the agent. */
export function previewOf(page: Page, by: 'user' | 'agent' = 'user'): FrameLocator {
  return page.frameLocator(`iframe[data-stage="${by}"]`).frameLocator('iframe').frameLocator('iframe');
}

/** The visitor confirms a deletion with the button of this name. */
export async function confirmDeletion(page: Page, action: string): Promise<void> {
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: action, exact: true }).click();
  await question.waitFor({ state: 'detached' });
}

/** Waits until the preview shows a text once. A reload replaces the frame, and a locator that waits inside it then fails. */
export async function previewShows(page: Page, text: string, by: 'user' | 'agent' = 'user'): Promise<void> {
  const found = previewOf(page, by).getByText(text, { exact: true });
  await expect.poll(() => found.count().catch(() => 0), { timeout: 30_000 }).toBe(1);
}

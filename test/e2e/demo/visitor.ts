import type { BrowserContext, Page } from 'playwright';

/** The visitor picks a remote endpoint in the dialog for models. */
export async function connectModel(
  page: Page,
  baseURL: string,
  { key = '', remember = false }: { key?: string; remember?: boolean } = {},
): Promise<void> {
  await page.locator('button.model').click();
  await page.getByLabel('Base URL').fill(baseURL);
  await page.getByLabel('Model name').fill('test-model');
  if (remember) await page.getByLabel('Remember the key').check();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByLabel('Context window').fill('32000');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

export async function ask(page: Page, request: string): Promise<void> {
  await page.getByLabel('Your request').fill(request);
  await page.getByLabel('Your request').press('Control+Enter');
}

/** Opens a part of the workbench; the page shows it with its next frame, which on a busy machine takes its time. */
export async function openPart(page: Page, name: string): Promise<void> {
  await page.locator(`#tab-${name}`).click();
  await page.locator(`#tab-${name}[aria-selected="true"]`).waitFor();
}

/** Nothing that is foreign is answered; what the pages asked for of it comes to stand in the list. */
export async function keepFromForeign(
  context: BrowserContext,
  isForeign: (url: URL) => boolean,
): Promise<string[]> {
  const asked: string[] = [];
  await context.route(isForeign, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  return asked;
}

/** What the page complains about from now on, but for what it asked for and did not get: that is what the page tells itself. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refused = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refused) complaints.push(message.text());
  });
  return complaints;
}

/** Whether the dialog for models may ask there: it looks whether one is served on this machine. */
export function isUsualServer(url: string): boolean {
  return /^http:\/\/localhost:(11434|1234|8080)\/v1\/models$/.test(url);
}

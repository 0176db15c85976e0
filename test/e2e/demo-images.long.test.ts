import { expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { connectModel } from './demo/visitor.js';

useDemo();

const END = reply(commands(['RoleZero.reply_to_human', { content: 'I see.' }], ['end', {}]));
const WARNING = 'This model does not see images';

/** A picture of one pixel. */
const picture = {
  name: 'sketch.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Whether a request to the model had a picture. */
const seesPicture = () =>
  server.requests.some(({ body }) => JSON.stringify(body ?? '').includes('"image_url"'));

async function send(request: string): Promise<void> {
  await page.locator('rolezero-chat input[type="file"]').setInputFiles(picture);
  await page.getByLabel('Your request').fill(request);
  await page.getByLabel('Your request').press('Enter');
}

/** The user says in the settings of the model whether it sees images. */
async function choose(images: 'yes' | 'no'): Promise<void> {
  await page.locator('button.model').click();
  await page.locator('[data-card="key"]').click();
  await page.locator('.advanced summary').click();
  await page.getByLabel('Images').selectOption(images);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

it('sends pictures to a model of which nothing is known once the user says that it sees them', async () => {
  server.script([END], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  await send('Look at this');
  await finished();
  await page.getByText(WARNING).waitFor();
  expect(seesPicture()).toBe(false);

  await choose('yes');
  await page.locator('.status.ready').waitFor();
  await send('Look again');
  await page.locator('[data-entry="finished"]').nth(1).waitFor();
  expect(seesPicture()).toBe(true);
  expect(await page.getByText(WARNING).count()).toBe(0); // A warning is not stored.

  await choose('no');
  await page.locator('.status.ready').waitFor();
  const before = server.requests.length;
  await send('And now');
  await page.locator('[data-entry="finished"]').nth(2).waitFor();
  await page.getByText(WARNING).waitFor();
  const after = JSON.stringify(server.requests.slice(before).map(({ body }) => body));
  expect(after).toContain('You cannot see images');
});

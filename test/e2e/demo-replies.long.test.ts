import { expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { connectModel } from './demo/visitor.js';

useDemo();

const answer = (content: string) => reply(commands(['RoleZero.reply_to_human', { content }], ['end', {}]));

/** So many lines between boxes that no layout of them ends. */
const ENDLESS = `graph TD\n ${boxes('A')} --> ${boxes('B')}`;

function boxes(letter: string): string {
  return Array.from({ length: 300 }, (_, number) => `${letter}${number}`).join(' & ');
}

const REPLY = `The energy is $E = mc^2$, and it costs $5.

$$
\\sum_{i=1}^{n} \\frac{1}{i^2} < \\frac{\\pi^2}{6}
$$

This cannot be read: $\\unknown{1}$.

\`\`\`mermaid
graph TD
  A[Request] --> B{Plan?}
  B -->|Yes| C[Tasks]
  B -->|No| D[Answer]
\`\`\`

\`\`\`mermaid
pie title Pets
  "Dogs" : 3
\`\`\``;

async function ask(request: string): Promise<void> {
  await page.getByLabel('Your request').fill(request);
  await page.getByLabel('Your request').press('Enter');
}

it('shows formulas and diagrams of a reply', async () => {
  server.script([answer(REPLY)], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  await ask('Explain it');
  await finished();
  const chat = page.locator('rolezero-chat');
  const diagram = chat.locator('img.diagram');
  await diagram.waitFor();
  expect(await chat.locator('math').count()).toBe(2);
  expect(await chat.locator('math annotation').first().textContent()).toBe('E = mc^2');
  const text = await chat.locator('.markdown').last().innerText();
  expect(text).toContain('it costs $5.');
  expect(text).toContain('$\\unknown{1}$');
  expect(text).toContain('pie title Pets');
  const width = (image: SVGElement | HTMLElement) => (image as HTMLImageElement).naturalWidth;
  expect(await diagram.evaluate(width)).toBeGreaterThan(100);
  expect(await diagram.getAttribute('src')).not.toContain(encodeURIComponent('@import'));

  await page.reload();
  await diagram.waitFor();
  expect(await chat.locator('math').count()).toBe(2);
});

it(
  'gives up a diagram that takes too long to draw, and draws the next one',
  { tags: 'nightly' },
  async () => {
    const next = 'stateDiagram-v2\n  [*] --> Open';
    server.script([answer(`\`\`\`mermaid\n${ENDLESS}\n\`\`\`\n\n\`\`\`mermaid\n${next}\n\`\`\``)], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask('Draw it');
    await finished();
    const chat = page.locator('rolezero-chat');
    await chat.locator('img.diagram').waitFor();
    expect(await chat.locator('img.diagram').count()).toBe(1);
    expect(await chat.locator('.markdown').last().innerText()).toContain('A1 & A2');
  },
);

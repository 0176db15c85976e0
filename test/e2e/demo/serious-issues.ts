import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious issues that axe finds, as `rule: places`. `only`: one rule instead of all. */
export async function seriousIssues(page: Page, only?: string): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (rule) => {
    const axe = (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe;
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      iframes: false,
      ...(rule === undefined ? {} : { runOnly: [rule] }),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }, only);
}
interface AxeResults {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

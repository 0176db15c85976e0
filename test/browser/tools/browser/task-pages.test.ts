import { afterEach, describe, expect, it } from 'vitest';
import { DrivenPage } from './driven-page.js';
import { flows } from './pages/flows.js';
import { forms } from './pages/forms.js';
import { frameworks } from './pages/frameworks.js';
import { jquery } from './pages/jquery.js';
import { motion } from './pages/motion.js';
import { widgets } from './pages/widgets.js';
import { driveDirectly, follow } from './steps.js';

let page: DrivenPage | undefined;
afterEach(() => page?.close());

describe.each([
  ['forms', forms],
  ['widgets', widgets],
  ['motion', motion],
  ['flows', flows],
  ['frameworks', frameworks],
  ['jQuery', jquery],
] as const)('pages of %s are solved by commands alone', (_group, pages) => {
  // A browser that is busy elsewhere draws the frame about once a second, and pages that live by frames then do otherwise: once more.
  it.each(pages)('$name', { retry: 1 }, async ({ html, steps, solved, files }) => {
    page = await DrivenPage.open(html, {}, files);
    expect(page.events.filter(({ event }) => event === 'error')).toEqual([]);
    const view = await follow(driveDirectly(page), steps);
    for (const text of [solved].flat()) expect(view).toContain(text);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../../size.js';
import { Hand } from './hand.js';
import { flows } from './pages/flows.js';
import { forms } from './pages/forms.js';
import { frameworks } from './pages/frameworks.js';
import { jquery } from './pages/jquery.js';
import { measures } from './pages/measures.js';
import { motion } from './pages/motion.js';
import { appRequests } from './pages/requests/apps.js';
import { dataRequests } from './pages/requests/data.js';
import { formRequests } from './pages/requests/forms.js';
import { overlayRequests } from './pages/requests/overlays.js';
import { variousRequests } from './pages/requests/various.js';
import { signs } from './pages/signs.js';
import { smallTasks } from './pages/small-tasks.js';
import { tasks } from './pages/tasks.js';
import { widgets } from './pages/widgets.js';
import type { TaskPage } from './steps.js';

let hand: Hand;
beforeAll(async () => {
  hand = await Hand.open({ quiet: 60 });
});
afterAll(() => hand.close());

describe.each([
  ['forms', forms],
  ['widgets', widgets],
  ['motion', motion],
  ['flows', flows],
  ['frameworks', frameworks],
  ['jQuery', jquery],
  ['other suites', tasks],
  ['mini tasks', smallTasks],
  ['measures', measures],
  ['signs', signs],
  ['requests', variousRequests],
  ['requests about forms', formRequests],
  ['requests about data', dataRequests],
  ['requests about overlays', overlayRequests],
  ['requests about applications', appRequests],
] as const)('pages of %s are solved with commands alone', (_group, pages) => {
  // Some pages depend on animation frames, of which a busy browser draws about one a second.
  it.each(sampled<TaskPage>(pages))('$name', async (page) => {
    const view = await hand.solve(page);
    for (const text of [page.solved].flat()) expect(view).toContain(text);
    expect(await hand.say('Browser.console')).not.toContain('Uncaught');
  });
});

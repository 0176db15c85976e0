import { hasJson, hasText, unchanged } from '../checks.js';
import type { Task } from '../task.js';

const MENU = `# Menu

* Black tea: 3.00
* Green tea: 3.00
* Milk: 0.50
* Green salad: 3.00
`;

const price: Task = {
  id: 'edit/price',
  requests: ['In /menu.md, raise the price of green tea to 3.50. Change nothing else.'],
  files: { '/menu.md': MENU },
  steps: 12,
  minutes: 10,
  check: (result) => hasText(result, '/menu.md', MENU.replace('Green tea: 3.00', 'Green tea: 3.50')),
};

const CONFIG = {
  name: 'weather',
  debug: true,
  network: { port: 80, hosts: ['a.example', 'b.example'], timeout: 30 },
};

const config: Task = {
  id: 'edit/config',
  requests: [
    'Change /config.json: the port becomes 8080, "network" gets a new entry "retries" with the number 3, and "debug" is removed. Everything else stays.',
  ],
  files: { '/config.json': `${JSON.stringify(CONFIG, null, 2)}\n` },
  steps: 12,
  minutes: 10,
  check: (result) =>
    hasJson(result, '/config.json', {
      name: 'weather',
      network: { ...CONFIG.network, port: 8080, retries: 3 },
    }),
};

const GUIDE = `# Acorn guide

Install Acorn, then start it. Acorn needs 2 GB of memory.
`;
const FAQ = `# Questions

Is Acorn free? Yes.
How do I remove Acorn? Delete the folder of Acorn.
`;
const HISTORY = `# History

2019: Acorn was founded as a project of two friends.
`;

const rename: Task = {
  id: 'edit/rename',
  requests: [
    'Our product Acorn is now called Chestnut. Replace the name everywhere in the files of /docs, except in /docs/history.md, which stays as it is.',
  ],
  files: { '/docs/guide.md': GUIDE, '/docs/faq.md': FAQ, '/docs/history.md': HISTORY },
  steps: 20,
  minutes: 15,
  check: (result) =>
    unchanged(result, rename, '/docs/history.md') ??
    hasText(result, '/docs/guide.md', GUIDE.replaceAll('Acorn', 'Chestnut')) ??
    hasText(result, '/docs/faq.md', FAQ.replaceAll('Acorn', 'Chestnut')),
};

export const editTasks: readonly Task[] = [price, config, rename];

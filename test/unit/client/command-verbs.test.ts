import { expect, it } from 'vitest';
import { CommandVerbs } from '../../../src/client/command-verbs.js';

it('knows the verbs of the tools at the start, and learns those of tools that come later', () => {
  const verbs = new CommandVerbs();
  verbs.add({ 'Editor.write': 'Writing' });
  const activity = { verb: 'Searching GitHub for', about: 'a bug' };
  const start = { type: 'command-start', role: 'Zero', callId: 'c', args: {} } as const;
  verbs.learn({ ...start, name: 'GitHub.search', activity });
  verbs.learn({ type: 'phase', role: 'Zero', phase: 'idle' });
  const names = ['Editor.write', 'GitHub.search', 'constructor'];
  expect(names.map(verbs.of)).toEqual(['Writing', 'Searching GitHub', undefined]);
});

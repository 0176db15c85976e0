import { expect, it } from 'vitest';
import type { ToolDescriptor } from '../../../src/core/tool.js';
import { pageTool } from '../../../src/worker/page-tools.js';

const DESCRIPTOR: ToolDescriptor = {
  name: 'Cart.read',
  description: 'The cart.',
  schema: { type: 'object' },
  effect: 'session',
  replay: 'atomic',
  onAmbiguous: 'ask',
};

it('marks results of the page as untrusted, unless the application vouches for them', () => {
  const untrusted = (traits: Partial<ToolDescriptor>) =>
    pageTool({ ...DESCRIPTOR, ...traits }, {} as never).untrusted;
  expect(untrusted({})).toBe(true);
  expect(untrusted({ trusted: true })).toBe(false);
});

import * as z from 'zod';
import { expect, it } from 'vitest';
import { Page } from '../../../src/client/page.js';
import { pageTool as definePageTool } from '../../../src/client/page-tool.js';
import type { ToolDescriptor } from '../../../src/core/tool.js';
import { remotePageTool } from '../../../src/worker/page-tools.js';

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
    remotePageTool({ ...DESCRIPTOR, ...traits }, {} as never).untrusted;
  expect(untrusted({})).toBe(true);
  expect(untrusted({ trusted: true })).toBe(false);
});

it('asks the page for the words of an approval request', async () => {
  const save = definePageTool({
    name: 'Notes.save',
    description: 'Saves a note.',
    input: z.object({ title: z.string() }),
    approval: ({ title }) => `save the note ${title}`,
    run: () => 'saved',
  });
  const page = new Page({ tools: [save] }, 's', {} as never, {} as never);
  const tool = remotePageTool(save.descriptor, page as never);
  expect(await tool.approval?.({ title: 'Bread' })).toBe('save the note Bread');
  await expect(tool.approval?.({ title: 1 })).rejects.toMatchObject({ code: 'tool-input' });
  expect(remotePageTool(DESCRIPTOR, page as never).approval).toBeUndefined();
});

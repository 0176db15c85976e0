import * as z from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';

/** A tool that reads web pages. `visit` returns the text of the page at an address, which is untrusted. */
export function webRead(visit: (url: string) => string): Tool {
  return defineTool({
    name: 'Web.read',
    description: 'Reads a page.',
    input: z.object({ url: z.string() }),
    effect: 'egress-read',
    address: 'url',
    run({ url }, { untrusted }) {
      untrusted?.(url);
      return visit(url);
    },
  });
}

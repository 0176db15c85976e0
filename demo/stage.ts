import { RoleZeroError, type PageToolContext } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import type { Answer, Stage } from './stage-api.js';

/**
 * The container for pages. It is a separate frame of the same origin, because the application's own policy allows no
 * inline scripts, and frames inherit the policy of the page around them.
 */
const tool = frame({ element: document.body });

const stage: Stage = {
  descriptor: tool.descriptor,
  async call(input: unknown, context: PageToolContext): Promise<Answer> {
    try {
      return { ok: true, value: await tool.call(input, context) };
    } catch (error) {
      // Error classes differ on both sides.
      return error instanceof RoleZeroError
        ? { ok: false, error: error.toData() }
        : { ok: false, error: { code: 'tool-failed', message: String(error) } };
    }
  },
};
window.pageStage = stage;

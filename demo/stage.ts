import { RoleZeroError } from 'rolezero';
import { frame, standalonePage } from 'rolezero/tools/frame';
import type { Answer, Stage } from './stage-api.js';

/**
 * The container for pages. It is a separate frame of the same origin, because the application's own policy allows no
 * inline scripts, and frames inherit the policy of the page around them.
 */
const tool = frame({ element: document.body });

const stage: Stage = {
  descriptor: tool.descriptor,
  call: (input, context) => answered(() => tool.call(input, context)),
  share: (files, path) => answered(() => standalonePage(files, path)),
};
window.pageStage = stage;

async function answered<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    // Error classes differ on both sides.
    return error instanceof RoleZeroError
      ? { ok: false, error: error.toData() }
      : { ok: false, error: { code: 'tool-failed', message: String(error) } };
  }
}

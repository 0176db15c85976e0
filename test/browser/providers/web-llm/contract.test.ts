/** @module-tag chromium */
import { MLCEngine } from '@mlc-ai/web-llm';
import { inject, vi } from 'vitest';
import { webLLM } from '../../../../src/providers/web-llm/index.js';
import { chatModelContract, type TestReply } from '../../../contracts/chat-model.js';
import { CONTEXT_WINDOW, saying } from '../../../tiny-model/model-files.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';

/** The tiny model replies with the text that its prompt contains. */
function prompted({ reasoning, pieces = [], then }: TestReply): string {
  if (then === 'fail' || then === 'overflow') return 'x'.repeat(CONTEXT_WINDOW + 1);
  const text = pieces.join('');
  if (then === 'hang') return saying(`${text}${' and more'.repeat(100)}`);
  return saying(reasoning === undefined ? text : `<think>${reasoning}</think>\n\n${text}`);
}

chatModelContract('webLLM, the real engine,', () => {
  const { model, appConfig } = tinyModel(inject('modelServer'));
  const engine = vi.spyOn(MLCEngine.prototype, 'chatCompletion'); // The engine continues to work.
  const shared = webLLM({ model, appConfig });
  return {
    row: 'webLLM',
    offline: true,
    failure: 'context-overflow', // No other fault can be triggered.
    constrains: true,
    seeds: true,
    counts: false,
    waits: false,
    torn: (whole) => ({ pieces: [whole] }), // One token per byte.
    request: (reply) => ({ messages: [{ role: 'user', content: prompted(reply) }] }),
    open: () => shared,
    calls: () => ({ begun: engine.mock.calls.length, open: shared.calls }),
    async close() {
      await shared.unload();
      engine.mockRestore();
    },
  };
});

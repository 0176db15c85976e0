import { chrome } from '../../src/providers/chrome/index.js';
import { PromptApi } from '../fixtures/language-model.js';
import type { ModelHarness } from './chat-model.js';

/** Chrome's built-in model, simulated from its documented interface. */
export function overPromptApi(renamed: boolean, row?: 'chrome'): ModelHarness {
  let api = new PromptApi([]);
  let begun = 0;
  return {
    ...(row === undefined ? {} : { row }),
    failure: 'model-request',
    offline: true,
    seenSchema: () => api.asked.at(-1)?.options.responseConstraint,
    reasons: false,
    counts: false,
    cuts: false,
    torn: (whole) => ({ pieces: Array.from(whole) }),
    open(replies) {
      begun += api.asked.length;
      api = new PromptApi(replies, { renamed });
      return chrome({ languageModel: api });
    },
    calls: () => ({ begun: begun + api.asked.length, open: api.open }),
  };
}

import { describe, expect, it } from 'vitest';
import { CHINESE_PROMPTS } from '../../../src/agent/prompt/chinese.js';
import type { ChatRequest } from '../../../src/core/model.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { RoleZero, type RoleZeroOptions } from '../../../src/worker/index.js';

const WRITE = commands(['Editor.write', { path: '/b.txt', content: 'one' }]);
const DONE = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
const UNREADABLE = 'nothing to see [1, 2';

/** All words of the library in the requests of a run with an unreadable, a repaired, and a repeated reply. */
async function requestsOf(jsonSchema: boolean, options: RoleZeroOptions = {}): Promise<ChatRequest[]> {
  const model = scriptedModel(
    {
      think: [UNREADABLE, WRITE, WRITE, DONE],
      repair: ['nothing to read'],
      regenerate: [DONE],
    },
    { supports: { jsonSchema } },
  );
  const role = new RoleZero({ model, tools: editor(), ...options });
  const { requests } = await runRole(role, 'Write the file /b.txt');
  expect(requests.map(({ purpose }) => purpose)).toEqual(['think', 'repair', 'think', 'think', 'regenerate']);
  return requests;
}

/** What a request asks for: the system prompt and its last message, without quoted replies. */
const asked = ({ messages }: ChatRequest) =>
  [messages[0], messages.at(-1)].map((message) => String(message?.content)).join('\n');

describe('a prompt that asks for a reply', () => {
  it.each([
    ['full', {}],
    ['small', {}],
    ['full', { prompts: CHINESE_PROMPTS }],
    ['small', { prompts: CHINESE_PROMPTS }],
  ] as const)('fits the form in use (preset %s, %#)', async (preset, options) => {
    for (const request of await requestsOf(true, { preset, ...options })) {
      expect(asked(request)).not.toMatch(/fence|JSON array|代码块|JSON 数组/u);
      expect(request.responseSchema).toBeDefined();
    }
    for (const request of await requestsOf(false, { preset, ...options })) {
      expect(asked(request)).toMatch(/fence|代码块/u);
      expect(request.responseSchema).toBeUndefined();
    }
  });
});

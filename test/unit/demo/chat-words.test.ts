import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { chatWords } from '../../../demo/text/chat-words.js';
import { zh } from '../../../demo/text/zh.js';

describe('the words of the conversation', () => {
  it('translate the warning that a reply was interrupted', async () => {
    const model = scriptedModel({ think: [commands(['end', {}])] });
    let isBroken = true;
    const breaking: typeof model = {
      ...model,
      async *chat(request) {
        if (isBroken) {
          isBroken = false;
          throw new RoleZeroError('model-request', 'The connection broke.', { retryable: true });
        }
        yield* model.chat(request);
      },
    };
    const { events } = await runRole(new RoleZero({ model: breaking }), 'Write');
    const [warning] = events.filter(({ type }) => type === 'warning');
    const text = warning?.type === 'warning' ? warning.message : '';
    expect(text).toContain('The connection broke.');
    expect(chatWords(zh).warning?.({ code: 'model-request', text })).toBe(
      '回复中断，正在重新请求（第 1 次，共 2 次）。',
    );
  });

  it('leave other warnings as they are', () => {
    expect(chatWords(zh).warning?.({ code: 'budget', text: 'Other' })).toBe('Other');
    expect(chatWords(zh).warning?.({ code: 'exhausted', text: '' })).toBe('已达到这次运行的上限。');
  });
});

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

  it('say in Chinese what an approval is about, why, what could be disclosed, and what a yes covers', () => {
    const words = chatWords(zh);
    const facts = {
      action: { do: 'open' as const, host: 'evil.test' },
      why: 'unnamed' as const,
      sources: ['https://news.example/'],
      receiver: 'evil.test',
      secrets: ['/notes.md'],
      lasts: 'run' as const,
      covers: { tool: 'Web.read', at: 'https://evil.test', links: true as const },
    };
    const question = {
      id: '1',
      role: 'Zero',
      kind: 'approval' as const,
      text: 'May Zero open evil.test?',
      reason: 'You have not mentioned this address.',
      disclosure: 'Zero has read /notes.md; something from it could reach evil.test.',
      command: { name: 'Web.read', args: {} },
      facts,
    };
    expect([words.approval?.(question), words.reason?.(question), words.disclosure?.(question)]).toEqual([
      '允许 Zero 打开 evil.test 吗？',
      '你没有提到过这个地址。Zero 读过 https://news.example/ 的内容：它可能让 Zero 这样做，而你并不想要。',
      'Zero 读过 /notes.md；其中的内容可能传到 evil.test。',
    ]);
    expect(words.coverage?.(question)).toBe(
      '除非只允许一次，否则你的许可有效期为：到这个请求完成为止。在此期间允许每次 Web.read，地点：https://evil.test（仅限你或某个页面提到过的地址）。',
    );
    expect(words.coverage?.({ ...question, facts: { ...facts, lasts: 'once' } })).toBeUndefined();
    const ofService = { ...facts, lasts: 'session' as const, covers: { service: 'http://127.0.0.1/mcp' } };
    expect(words.coverage?.({ ...question, facts: ofService })).toBe(
      '除非只允许一次，否则你的许可有效期为：整个对话。在此期间允许所有只从 http://127.0.0.1/mcp 读取的操作。',
    );
    const further = { ...question, facts: { ...facts, why: 'further' as const, reads: 12 } };
    expect(words.reason?.(further)).toContain('之前已打开 12 个这样的页面');
    const { facts: _, ...older } = question;
    expect(words.reason?.(older)).toBe(question.reason);
  });
});

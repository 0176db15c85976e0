import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AIMessage, Message, UserMessage } from '../../../src/core/message.js';
import type { ChatMessage } from '../../../src/core/model.js';
import { compressMessages, toChatMessages } from '../../../src/providers/messages/index.js';

describe('toChatMessages', () => {
  it('A-258 accepts messages, strings and objects with role and content', () => {
    expect(toChatMessages([new UserMessage('hi'), new AIMessage('hello')])).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
    expect(toChatMessages('hi')).toEqual([{ role: 'user', content: 'hi' }]);
    expect(toChatMessages(['a', { role: 'system', content: 'b' }])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: 'b' },
    ]);
  });

  it.each([
    [{ role: 'user', content: 'a', name: 'x' }],
    [{ content: 'a' }],
    [{ role: 'user', content: 7 }],
    [{}],
    [7],
    [null],
    [[['a']]],
  ])('A-258 rejects %j', (input) => {
    expect(() => toChatMessages(input as never)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('R-158 gives every message a role that models know', () => {
    const roles = ['User', 'SYSTEM', 'Boss', 'tool', ''].map((role) => new Message('x', { role }));
    expect(toChatMessages(roles).map(({ role }) => role)).toEqual([
      'user',
      'system',
      'assistant',
      'assistant',
      'assistant',
    ]);
  });

  it('A-259 puts images after the text where the model sees them', () => {
    const message = (images: string[]) => new UserMessage('look', { metadata: { images } });
    const both = message(['https://a.example/b.png', 'AAAA']);
    expect(toChatMessages(both, { images: true })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', url: 'https://a.example/b.png' },
          { type: 'image', url: 'data:image/jpeg;base64,AAAA' },
        ],
      },
    ]);
    expect(toChatMessages([both, message([])])).toEqual([
      { role: 'user', content: 'look' },
      { role: 'user', content: 'look' },
    ]);
    expect(toChatMessages(message([]), { images: true })).toEqual([{ role: 'user', content: 'look' }]);
  });
});

type CompressType = NonNullable<NonNullable<Parameters<typeof compressMessages>[1]>['type']>;

const TYPES: Exclude<CompressType, ''>[] = [
  'post_cut_by_token',
  'post_cut_by_msg',
  'pre_cut_by_token',
  'pre_cut_by_msg',
];
/** One token per character, so that sizes are exact. */
const countTokens = (text: string) => text.length;
const system: ChatMessage = { role: 'system', content: 'sys' };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const size = (messages: readonly ChatMessage[]) =>
  messages.reduce((sum, { content }) => sum + (content as string).length, 0);

describe('compressMessages', () => {
  const long = Array.from({ length: 100 }, (_, index) => user(`${index}`.padStart(10, '0')));

  it('changes nothing by default, or when everything fits', () => {
    expect(compressMessages([system, ...long], { maxTokens: 1 })).toEqual([system, ...long]);
    for (const type of TYPES)
      expect(compressMessages([system, ...long], { type })).toEqual([system, ...long]);
  });

  it.each(TYPES)(
    'A-261 %s of a long history: system messages first, then fewer messages than before',
    (type) => {
      const [first, ...others] = compressMessages([system, ...long], { type, maxTokens: 100, countTokens });
      expect(first).toEqual(system);
      expect(others.length).toBeGreaterThan(0);
      expect(others.length).toBeLessThan(long.length);
    },
  );

  it('keeps the newest, or the oldest, and a part of the next one where tokens count', () => {
    const cut = (type: CompressType) =>
      compressMessages([system, user('aaaa'), user('bbbb'), user('cccc')], {
        type,
        maxTokens: 10,
        threshold: 1,
        countTokens,
      })
        .slice(1)
        .map(({ content }) => content);
    expect(TYPES.map(cut)).toEqual([['bbb', 'cccc'], ['cccc'], ['aaaa', 'bbb'], ['aaaa']]);
  });

  it.each(TYPES)('A-262 %s shortens a single message that is too long, and does not drop it', (type) => {
    const text = 'abcdefghij'.repeat(1_000);
    const [only, ...more] = compressMessages([user(text)], { type, maxTokens: 100, countTokens });
    expect(more).toEqual([]);
    expect(only?.content).toBe(type.startsWith('post') ? text.slice(-80) : text.slice(0, 80));
  });

  it.each(TYPES)('A-264 %s does not change system messages', (type) => {
    expect(compressMessages([system, system], { type, maxTokens: 1, countTokens })).toEqual([system, system]);
  });

  it.each(TYPES)('A-264 %s keeps no complete message when nothing fits', (type) => {
    const [, only, ...more] = compressMessages([system, user('abc')], {
      type,
      maxTokens: 3,
      threshold: 1,
      countTokens,
    });
    expect([only?.content, more]).toEqual([type.startsWith('post') ? 'c' : 'a', []]);
  });

  it('keeps a part of the text of a message with images', () => {
    const pictures: ChatMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    };
    const options = { type: 'pre_cut_by_token', maxTokens: 10, countTokens } as const;
    expect(compressMessages([pictures], options)).toEqual([user('what is ')]);
  });

  it('R-158 never exceeds the limit, keeps order and system messages, and always another message', () => {
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.string({ minLength: 1, maxLength: 60 }),
    });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...TYPES),
        fc.integer({ min: 0, max: 300 }),
        (others, type, maxTokens) => {
          const stored = compressMessages([system, ...others], { type, maxTokens, countTokens });
          const room = Math.floor(maxTokens * 0.8);
          expect(stored[0]).toEqual(system);
          expect(stored.length).toBeGreaterThan(1);
          if (room > size([system])) expect(size(stored)).toBeLessThanOrEqual(room);
          if (size([system, ...others]) <= room) expect(stored).toEqual([system, ...others]);
          const run = type.startsWith('post')
            ? others.slice(-(stored.length - 1))
            : others.slice(0, stored.length - 1);
          const within = stored
            .slice(1)
            .map(({ content }, index) => String(run[index]?.content).includes(String(content)));
          expect(within).toEqual(within.map(() => true));
        },
      ),
    );
  });
});

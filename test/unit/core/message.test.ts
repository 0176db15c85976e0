import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { JsonValue } from '../../../src/core/json.js';
import {
  Action,
  AIMessage,
  idOf,
  Message,
  MESSAGE_TO_ALL,
  messageFromRecord,
  RunCommand,
  SystemMessage,
  UserMessage,
  UserRequirement,
  type MessageInit,
} from '../../../src/core/message.js';
import { registerContentType } from '../../../src/core/structured-content.js';

const reload = (message: Message) => Message.load(message.dump());

describe('a message', () => {
  test('A-001 with only a content has every default', () => {
    const message = new Message('a');
    expect({ ...message.toData(), id: 'x' }).toEqual({
      id: 'x',
      content: 'a',
      role: 'user',
      causeBy: UserRequirement.id,
      sentFrom: '',
      sendTo: [MESSAGE_TO_ALL],
      metadata: {},
    });
    expect(message.id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Message({ content: 'a' }).content).toBe('a');
    expect(new Message({ content: 'a', id: '' }).id).toMatch(/^[0-9a-f]{32}$/);
  });

  test('A-002 goes to all without recipients, also when they are removed later', () => {
    const noUser = [new Set<string>(), [], '', null, ['']];
    expect(noUser.map((sendTo) => [...new Message({ sendTo }).sendTo])).toEqual(
      noUser.map(() => [MESSAGE_TO_ALL]),
    );
    const message = new Message({ sendTo: 'b' });
    message.sendTo = [];
    expect([...message.sendTo]).toEqual([MESSAGE_TO_ALL]);
  });

  test('accepts a name, a class, an instance or many of them as recipients', () => {
    class Engineer {
      static readonly id = 'Engineer';
    }
    const given = ['b', Engineer, new Engineer(), ['b', Engineer], new Set(['b', 'b'])];
    expect(given.map((sendTo) => [...new Message({ sendTo }).sendTo])).toEqual([
      ['b'],
      ['Engineer'],
      ['Engineer'],
      ['b', 'Engineer'],
      ['b'],
    ]);
  });

  test('A-004 names its cause by a class, an instance or a string', () => {
    class WritePlan extends Action {
      static override readonly id: string = 'WritePlan';
    }
    const message = new Message('a');
    const causes = [WritePlan, new WritePlan(), 'whatever', '', RunCommand].map((cause) => {
      message.causeBy = cause;
      return message.causeBy;
    });
    expect(causes).toEqual(['WritePlan', 'WritePlan', 'whatever', 'UserRequirement', 'RunCommand']);
    expect(new Message({ causeBy: new WritePlan() }).causeBy).toBe('WritePlan');
    expect(new Message({ causeBy: null }).causeBy).toBe('UserRequirement');
  });

  test('uses the name of a class without an id', () => {
    class Nameless {}
    expect([idOf(Nameless), idOf(new Nameless()), idOf('x')]).toEqual(['Nameless', 'Nameless', 'x']);
  });

  test('A-005 an AI message is from the assistant for any given role', () => {
    const kinds = [AIMessage, UserMessage, SystemMessage].map((Kind) => [
      new Kind('a', { role: 'user' }).role,
      new Kind({ content: 'a', role: 'tool' }).role,
    ]);
    expect(kinds).toEqual([
      ['assistant', 'assistant'],
      ['user', 'user'],
      ['system', 'system'],
    ]);
    expect([new AIMessage('a').isAiMessage, new AIMessage('a').isUserMessage]).toEqual([true, false]);
  });

  test('ignores unknown keys', () => {
    const init = { content: 'a', id: '1', mood: 'good' } as MessageInit;
    expect(new Message(init).toData()).toEqual(new Message({ content: 'a', id: '1' }).toData());
    expect(Object.keys(new Message(init))).not.toContain('mood');
  });

  test('an AI message stores which agent spoke', () => {
    const message = new AIMessage('a');
    expect(message.agent).toBe('');
    expect(message.withAgent('Zero')).toBe(message);
    expect([message.agent, message.metadata]).toEqual(['Zero', { agent: 'Zero' }]);
    expect(message.addMetadata('agent', 'Ann').agent).toBe('Ann');
  });

  test('converts to text for the model and for a search', () => {
    const plain = new AIMessage('hello');
    const structured = new AIMessage('hello', { instructContent: { type: null, value: { a: 1 } } });
    expect([String(plain), String(structured)]).toEqual(['assistant: hello', 'assistant: {"a":1}']);
    expect([plain.toDict(), plain.ragKey]).toEqual([{ role: 'assistant', content: 'hello' }, 'hello']);
  });

  test('A-011 has recipients', () => {
    const [direct, broadcast] = [new Message({ sendTo: ['b'] }), new Message('x')];
    const received = (message: Message) =>
      [['a'], ['a', 'b']].map((addresses) => message.isSendTo(addresses));
    expect([received(direct), received(broadcast)]).toEqual([
      [false, true],
      [true, true],
    ]);
    expect([direct.isSendTo(new Set(['b'])), direct.isSendTo([])]).toEqual([true, false]);
    expect([direct.isSendTo('b'), direct.isSendTo('ab'), broadcast.isSendTo('x')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('equals another one only when every field and the kind match', () => {
    const given: MessageInit = {
      id: '1',
      content: 'a',
      sendTo: ['b', 'c'],
      metadata: { n: 1, m: { a: 1, b: 2 } },
    };
    const message = new UserMessage(given);
    const same = [
      new UserMessage({ ...given, metadata: { m: { b: 2, a: 1 }, n: 1 } }),
      new UserMessage({ ...given, sendTo: ['c', 'b'] }),
      message,
    ];
    const other = [
      { ...given, id: '2' },
      { ...given, content: 'b' },
      { ...given, causeBy: 'X' },
      { ...given, sentFrom: 'X' },
      { ...given, sendTo: ['b'] },
      { ...given, metadata: { n: 2 } },
      { ...given, instructContent: { type: null, value: 1 } },
    ].map((init) => new UserMessage(init));
    expect(same.map((each) => message.equals(each))).toEqual([true, true, true]);
    expect([...other, new Message(given)].map((each) => message.equals(each))).toEqual(
      Array.from({ length: 8 }, () => false),
    );
  });

  test('copies its input', () => {
    const metadata = { a: 1 };
    const message = new Message({ metadata });
    message.addMetadata('b', 2);
    expect(metadata).toEqual({ a: 1 });
  });
});

describe('messages as JSON', () => {
  test('A-008 restores an AI message as an AI message, and every other kind too', () => {
    const messages = [AIMessage, UserMessage, SystemMessage].map((Kind) => new Kind('hi').withAgent('Zero'));
    const loaded = messages.map(reload);
    expect(loaded.map((message) => message?.constructor)).toEqual([AIMessage, UserMessage, SystemMessage]);
    expect(loaded.map((message, at) => message?.equals(messages[at] as Message))).toEqual([true, true, true]);
    const tool = reload(new Message('hi', { role: 'tool' }));
    expect([tool?.constructor, tool?.role]).toEqual([Message, 'tool']);
  });

  test('restores every field', () => {
    const init = fc.record({
      id: fc.string({ minLength: 1 }),
      content: fc.string(),
      role: fc.constantFrom('user', 'assistant', 'system'),
      causeBy: fc.string(),
      sentFrom: fc.string(),
      sendTo: fc.array(fc.string()),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()),
      instructContent: fc.option(fc.record({ type: fc.constant(null), value: fc.jsonValue() })),
    });
    const Kinds = { user: UserMessage, assistant: AIMessage, system: SystemMessage };
    fc.assert(
      fc.property(init, (given) => {
        const message = new Kinds[given.role](given as MessageInit);
        const loaded = reload(message);
        expect(loaded?.equals(message)).toBe(true);
        expect(loaded?.dump()).toBe(message.dump());
      }),
    );
  });

  test('returns null for JSON that is not an object', () => {
    expect(['', '{', 'null', '[]', '"a"', '7', '{"content": "a"'].map((text) => Message.load(text))).toEqual(
      Array.from({ length: 7 }, () => null),
    );
  });

  test('accepts names in snake case, and ignores unknown keys and wrong types', () => {
    const text = JSON.stringify({
      id: '1',
      content: 'a',
      role: 'assistant',
      cause_by: 'X',
      sent_from: 'Y',
      send_to: ['Z'],
      instruct_content: { a: 1 },
      mood: 'good',
    });
    expect(Message.load(text)?.toData()).toEqual({
      id: '1',
      content: 'a',
      role: 'assistant',
      causeBy: 'X',
      sentFrom: 'Y',
      sendTo: ['Z'],
      metadata: {},
      instructContent: { a: 1 },
    });
    const odd = Message.load(
      '{"id": 7, "content": 1, "role": null, "causeBy": [], "sendTo": "b", "metadata": []}',
    );
    expect({ ...odd?.toData(), id: 'x' }).toEqual({
      id: 'x',
      content: '',
      role: 'user',
      causeBy: 'UserRequirement',
      sentFrom: '',
      sendTo: ['b'],
      metadata: {},
    });
  });

  test('reports a stored record without an id as corrupt', () => {
    expect(messageFromRecord({ id: '1', content: 'a' }).content).toBe('a');
    for (const record of [null, 'a', {}, { id: 1 }]) {
      expect(() => messageFromRecord(record)).toThrow(
        expect.objectContaining({ code: 'storage-corrupt' }) as RoleZeroError,
      );
    }
  });
});

describe('structured content', () => {
  const withContent = (instructContent: JsonValue) =>
    JSON.stringify({ id: '1', content: 'a', instructContent });

  test('A-014 rejects a type without schema or module, and names the missing key', () => {
    expect(() => Message.load(withContent({ class: 'Design', value: { a: 1 } }))).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining('the key "module" is missing') as string,
        detail: { type: 'Design', missing: 'module' },
      }) as RoleZeroError,
    );
  });

  test('validates a registered type on input, and evaluates nothing', () => {
    registerContentType('Test.Point', (value) => {
      if (typeof (value as { x?: unknown }).x !== 'number')
        throw new RoleZeroError('invalid', 'x must be a number.');
      return value;
    });
    const message = new AIMessage('p', { instructContent: { type: 'Test.Point', value: { x: 1 } } });
    expect(message.toData().instructContent).toEqual({
      class: 'Test.Point',
      module: 'registry',
      value: { x: 1 },
    });
    expect(reload(message)?.instructContent).toEqual({ type: 'Test.Point', value: { x: 1 } });
    expect(() => Message.load(withContent({ class: 'Test.Point', module: 'm', value: {} }))).toThrow(
      'x must be a number.',
    );
    expect(() => Message.load(withContent({ class: 'Test.None', module: 'os', value: {} }))).toThrow(
      'Call registerContentType("Test.None", …) before loading it.',
    );
  });

  test('needs no registration for a type described in place', () => {
    const instructContent = { type: 'Node', value: { a: 'x' }, mapping: { a: 'str' } };
    const message = new AIMessage('n', { instructContent });
    expect(message.toData().instructContent).toEqual({
      class: 'Node',
      mapping: { a: 'str' },
      value: { a: 'x' },
    });
    expect(reload(message)?.instructContent).toEqual(instructContent);
  });

  test('accepts any JSON value without a type', () => {
    const values: JsonValue[] = [
      { a: [1, { b: null }] }, [1, 2], 'text', 0, false, {}, null,
      { class: 'btn' }, { class: null, value: 1 }, { class: 'Design', module: 'm', value: 1 }, // An instance of a class is data, too.
    ]; // prettier-ignore
    const loaded = values.map((value) =>
      reload(new Message('a', { instructContent: { type: null, value } })),
    );
    expect(loaded.map((message) => message?.instructContent)).toEqual(
      values.map((value) => ({ type: null, value })),
    );
    expect(Message.load(withContent(null))?.instructContent).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import {
  Action,
  AIMessage,
  Message,
  RunCommand,
  UserMessage,
  UserRequirement,
} from '../../../src/core/message.js';
import { Memory } from '../../../src/memory/memory.js';

const filled = (...contents: string[]) => {
  const memory = new Memory();
  const messages = contents.map((content) => new UserMessage(content));
  memory.addBatch(messages);
  return { memory, messages };
};
const contents = (messages: readonly Message[]) => messages.map((message) => message.content);

describe('short-term memory', () => {
  test('A-015 deletes the newest message, until there is none', () => {
    const memory = new Memory();
    const message = new UserMessage('1');
    memory.add(message);
    expect(memory.count()).toBe(1);
    expect(memory.deleteNewest()).toBe(message);
    expect(memory.count()).toBe(0);
    expect(memory.deleteNewest()).toBeNull();
    expect(memory.getByAction(UserRequirement)).toEqual([]);
  });

  test('A-016 stores the same message once, and equal content of another message again', () => {
    const memory = new Memory();
    const message = new UserMessage('hello');
    expect([memory.add(message), memory.add(message), memory.count()]).toEqual([true, false, 1]);
    expect(memory.add(Message.load(message.dump()) as Message)).toBe(false);
    expect([memory.add(new UserMessage('hello')), memory.count()]).toEqual([true, 2]);
  });

  test('A-018 finds messages by their cause', () => {
    class WriteDesign extends Action {
      static override readonly id: string = 'WriteDesign';
    }
    const memory = new Memory();
    const messages = ['a', 'b'].map((content) => new Message(content, { causeBy: WriteDesign }));
    expect(memory.addBatch([...messages, new UserMessage('other')])).toBe(3);
    expect(memory.index.get('WriteDesign')).toEqual(messages);
    expect(memory.getByAction(WriteDesign)).toEqual(messages);
    expect(memory.getByAction(new WriteDesign())).toEqual(messages);
    expect(memory.getByActions([WriteDesign])).toEqual(messages);
    expect(memory.getByActions([RunCommand, 'WriteDesign', WriteDesign])).toEqual(messages);
  });

  test('A-019 returns the last k messages, or all', () => {
    const { memory } = filled('1', '2');
    expect(contents(memory.get(1))).toEqual(['2']);
    expect(contents(memory.get(5))).toEqual(['1', '2']);
    expect(contents(memory.get(0))).toEqual(['1', '2']);
    expect(contents(memory.get())).toEqual(['1', '2']);
  });

  test('A-021 finds messages by role and by words', () => {
    const memory = new Memory();
    const [one, two, other] = [
      new Message('this is a test message', { role: 'user1' }),
      new Message('a second test message', { role: 'user11' }),
      new Message('something else', { role: 'user1' }),
    ];
    memory.addBatch([one, two, other]);
    expect(memory.getByRole('user1')).toEqual([one, other]);
    expect(memory.getByContent('test message')).toEqual([one, two]);
    expect(memory.tryRemember('test message')).toEqual([one, two]);
  });

  test('A-022 finds messages by position, and returns null beyond the end', () => {
    const { memory, messages } = filled('1', '2');
    expect([0, 1, -1, -2].map((at) => memory.getByPosition(at)?.content)).toEqual(['1', '2', '2', '1']);
    expect(memory.getByPosition(0)).toBe(messages[0]);
    expect([memory.getByPosition(99), memory.getByPosition(-3)]).toEqual([null, null]);
  });

  test('rejects a negative number of messages', () => {
    const { memory } = filled('1');
    for (const ask of [() => memory.get(-1), () => memory.get(1.5), () => memory.findNews([], -2)]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'invalid' }) as RoleZeroError);
    }
  });

  test('returns copies that can be changed without changing the memory', () => {
    const { memory } = filled('1', '2');
    memory.get().pop();
    memory.getByAction(UserRequirement).pop();
    expect([memory.count(), memory.getByAction(UserRequirement).length]).toEqual([2, 2]);
  });

  test('returns observed messages that are not among the last k as unread', () => {
    const { memory, messages } = filled('1', '2', '3');
    const fresh = new UserMessage('4');
    const observed = [...messages, fresh];
    expect(contents(memory.findNews(observed))).toEqual(['4']);
    expect(contents(memory.findNews(observed, 1))).toEqual(['1', '2', '4']);
    expect(contents(memory.findNews(observed, 9))).toEqual(['4']);
  });

  test('deletes an equal message, and rejects an absent one', () => {
    const { memory, messages } = filled('1', '2', '3');
    memory.delete(Message.load((messages[1] as Message).dump()) as Message);
    expect(contents(memory.storage)).toEqual(['1', '3']);
    expect(contents(memory.getByAction(UserRequirement))).toEqual(['1', '3']);
    expect(() => memory.delete(new UserMessage('1'))).toThrow(
      expect.objectContaining({ code: 'not-found' }) as RoleZeroError,
    );
    expect(() => memory.delete(messages[1] as Message)).toThrow(RoleZeroError);
  });

  test('distinguishes messages of different kinds with the same fields', () => {
    const memory = new Memory();
    const message = new AIMessage('hi');
    memory.add(message);
    const plain = new Message({ ...message.toData(), instructContent: null });
    expect([memory.has(plain), memory.add(plain), memory.count()]).toEqual([false, true, 2]);
    memory.delete(plain);
    expect(memory.storage).toEqual([message]);
  });

  test('with ignoreId, treats messages equal in everything else as one', () => {
    const memory = new Memory({ ignoreId: true });
    const added = [new UserMessage('a'), new UserMessage('a'), new AIMessage('a'), new UserMessage('b')];
    expect(memory.addBatch(added)).toBe(3);
    expect(memory.storage.map((message) => message.id)).toEqual(['0', '0', '0']);
  });

  test('deletes everything at once', () => {
    const { memory, messages } = filled('1', '2');
    memory.clear();
    expect([memory.count(), memory.get(), memory.index.size, memory.findNews(messages).length]).toEqual([
      0,
      [],
      0,
      2,
    ]);
    expect(memory.addBatch(messages)).toBe(2);
  });

  test('notifies its owner of every change once, after it', () => {
    const heard: string[] = [];
    const memory: Memory = new Memory({
      onAdd: (message) => heard.push(`+${message.content} ${memory.count()}`),
      onRemove: (message) => heard.push(`-${message.content} ${memory.count()}`),
    });
    const [one, two, three] = ['1', '2', '3'].map((content) => new UserMessage(content)) as [
      Message,
      Message,
      Message,
    ];
    memory.addBatch([one, two, three, two]);
    memory.delete(two);
    memory.deleteNewest();
    memory.deleteNewest();
    memory.deleteNewest();
    memory.addBatch([three, one]);
    memory.clear();
    expect(heard).toEqual(['+1 1', '+2 2', '+3 3', '-2 2', '-3 1', '-1 0', '+3 1', '+1 2', '-3 0', '-1 0']);
  });

  test('agrees with a plain list after any adds and removals', () => {
    const pool = Array.from(
      { length: 6 },
      (_, at) => new UserMessage(`${at}`, { causeBy: `cause ${at % 2}` }),
    );
    const step = fc.record({
      what: fc.constantFrom('add', 'add', 'delete', 'newest'),
      which: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const memory = new Memory();
        const list: Message[] = [];
        for (const { what, which } of steps) {
          const message = pool[which] as Message;
          if (what === 'newest') expect(memory.deleteNewest()).toBe(list.pop() ?? null);
          else if (what === 'add') {
            const isNew = !list.includes(message);
            if (isNew) list.push(message);
            expect(memory.add(message)).toBe(isNew);
          } else if (list.includes(message)) {
            list.splice(list.indexOf(message), 1);
            memory.delete(message);
          } else expect(() => memory.delete(message)).toThrow(RoleZeroError);
        }
        expect(memory.storage).toEqual(list);
        for (const cause of ['cause 0', 'cause 1']) {
          expect(memory.getByAction(cause)).toEqual(list.filter((message) => message.causeBy === cause));
        }
        expect(memory.findNews(pool)).toEqual(pool.filter((message) => !list.includes(message)));
      }),
    );
  });

  test('adds, finds and recognizes 20,000 messages', () => {
    const memory = new Memory();
    const messages = Array.from({ length: 20_000 }, (_, at) => new UserMessage(`${at}`));
    memory.addBatch(messages); // Comparing each with all would run into the time limit of the test.
    expect(memory.addBatch(messages)).toBe(0);
    expect(memory.findNews(messages)).toEqual([]);
    while (memory.deleteNewest() !== null);
    expect(memory.count()).toBe(0);
  }, 20_000);
});

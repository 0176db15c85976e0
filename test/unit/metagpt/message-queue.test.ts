import { describe, expect, test } from 'vitest';
import { Message, UserMessage } from '../../../src/core/message.js';
import { MessageQueue } from '../../../src/metagpt/message-queue.js';

const contents = (messages: readonly Message[]) => messages.map((message) => message.content);

describe('the message queue', () => {
  test('A-009 restores its messages from a dump, and keeps them', async () => {
    expect(await new MessageQueue().dump()).toBe('[]');
    const queue = new MessageQueue();
    queue.push(new UserMessage('1'));
    queue.push(new UserMessage('2中文'));
    expect(queue.pop()?.content).toBe('1');
    const loaded = MessageQueue.load(await queue.dump());
    expect([loaded.pop()?.content, loaded.pop(), loaded.empty()]).toEqual(['2中文', null, true]);
    expect([queue.pop()?.content, queue.pop(), queue.empty()]).toEqual(['2中文', null, true]);
  });

  test('dumps a list of message texts in order, and loads the same messages', async () => {
    const messages = ['1', '2', '3'].map((content) => new UserMessage(content));
    const queue = new MessageQueue();
    for (const message of messages) queue.push(message);
    const text = await queue.dump();
    expect(JSON.parse(text)).toEqual(messages.map((message) => message.dump()));
    const loaded = MessageQueue.load(text).popAll();
    expect(loaded.map((message, at) => message.equals(messages[at] as Message))).toEqual([true, true, true]);
  });

  test('pops all messages, oldest first', () => {
    const queue = new MessageQueue();
    expect([queue.popAll(), queue.pop(), queue.empty()]).toEqual([[], null, true]);
    queue.push(new UserMessage('1'));
    queue.push(new UserMessage('2'));
    expect([contents(queue.peekAll()), queue.empty()]).toEqual([['1', '2'], false]);
    expect([contents(queue.popAll()), queue.empty()]).toEqual([['1', '2'], true]);
  });

  test('loads an empty queue from an unreadable text, and skips unreadable entries', () => {
    const empty = ['', '[', 'null', '{}', '7', '"a"', '[1, null, {}, "x", "[]"]'];
    expect(empty.map((text) => MessageQueue.load(text).empty())).toEqual(empty.map(() => true));
    const one = new UserMessage('1').dump();
    expect(contents(MessageQueue.load(JSON.stringify(['nonsense', one, 3])).popAll())).toEqual(['1']);
  });

  test('does not silently lose a message with structured content of an unknown type', () => {
    const unknown = JSON.stringify({ id: '1', instructContent: { class: 'Unknown', value: 1 } });
    expect(() => MessageQueue.load(JSON.stringify([unknown]))).toThrow('the key "module" is missing');
  });

  test('returns 50,000 messages in order', () => {
    const queue = new MessageQueue();
    const message = new UserMessage('x');
    for (let count = 0; count < 50_000; count++) queue.push(count === 0 ? new UserMessage('first') : message);
    expect(queue.pop()?.content).toBe('first');
    let count = 0;
    while (queue.pop() === message) count++;
    expect(count).toBe(49_999);
  });
});

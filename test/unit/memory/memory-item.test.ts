import { expect, it } from 'vitest';
import { readMemories, readMemory } from '../../../src/memory/memory-item.js';

const item = { id: 'm', role: 'Zero', project: '', createdAt: 0, number: 0 };
const message = { id: 'm', content: 'Tea at four.', role: 'user', causeBy: '', sendTo: [], metadata: {} };

it('reads a memory without a speaker, stored or imported, with an empty name', () => {
  const document = { format: 'rolezero-memory', version: 1, items: [{ ...item, message }] };
  expect(readMemory({ ...item, message })?.message).toEqual({ ...message, sentFrom: '' });
  expect(readMemories(document)[0]?.message).toEqual({ ...message, sentFrom: '' });
  expect(readMemory({ ...item, message: { ...message, sentFrom: 'Ann' } })?.message.sentFrom).toBe('Ann');
});

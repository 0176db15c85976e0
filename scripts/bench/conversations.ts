import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { StoredMemory } from '../../src/core/long-term.js';
import { AIMessage, UserMessage } from '../../src/core/message.js';

const conversations = z.array(
  z.object({
    id: z.string(),
    turns: z.array(
      z.object({
        id: z.string(),
        session: z.number(),
        date: z.string(),
        speaker: z.string(),
        text: z.string(),
        imageCaption: z.string().optional(),
      }),
    ),
    questions: z.array(
      z.object({
        question: z.string(),
        category: z.union([z.number(), z.string()]),
        evidence: z.array(z.string()),
      }),
    ),
  }),
);

/** A long conversation, and questions about it with the turns that answer each. */
export type Conversation = z.infer<typeof conversations>[number];
export type Turn = Conversation['turns'][number];

/**
 * Reads the conversations of a JSON file, or of all JSON files of a folder in the order of their names.
 * @throws Error when a file has another form.
 */
export function readConversations(path: string): Conversation[] {
  if (!statSync(path).isDirectory()) return conversations.parse(JSON.parse(readFileSync(path, 'utf8')));
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => readConversations(join(path, name)));
}

/** Returns true for the role itself. */
export function isAssistant(speaker: string): boolean {
  return /^assistant$/i.test(speaker);
}

/** Returns a turn as a role remembers it: speaker, text, and time. Turns of an assistant are the role's own messages. */
export function memoryOf(turn: Turn, number: number): StoredMemory {
  const init = { id: turn.id, sentFrom: turn.speaker };
  const content = contentOf(turn);
  const message = isAssistant(turn.speaker) ? new AIMessage(content, init) : new UserMessage(content, init);
  return {
    id: turn.id,
    role: 'Zero',
    project: '',
    createdAt: timeOf(turn.date),
    number,
    message: message.toData(),
  };
}

/** An image is described by its caption. */
export function contentOf({ text, imageCaption }: Turn): string {
  return imageCaption === undefined ? text : `${text} [${imageCaption}]`;
}

/** Parses "1:56 pm on 8 May, 2023" or "2023/05/08 (Mon) 13:56" as UTC. @throws Error when it is not a date. */
function timeOf(date: string): number {
  const [, hour, minute, half, day] = /^(\d+):(\d+)\s*([ap]m)\s+on\s+(.+)$/i.exec(date.trim()) ?? [];
  const midnight = Date.parse(`${(day ?? date).replace(/\([a-z]+\)/i, '')} UTC`);
  if (Number.isNaN(midnight)) throw new Error(`"${date}" is not a date`);
  const hours = (Number(hour ?? 0) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  return midnight + (hours * 60 + Number(minute ?? 0)) * 60_000;
}

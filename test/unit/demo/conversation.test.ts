import { describe, expect, it } from 'vitest';
import {
  applied,
  asked,
  emptyConversation,
  fromMessages,
  type Conversation,
} from '../../../demo/state/conversation.js';
import { TOUR_REQUEST, tourModel } from '../../../demo/tour/index.js';
import type { AgentEvent } from '../../../src/base/events.js';
import type { ChatModel } from '../../../src/base/model.js';
import { RoleZero } from '../../../src/role/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

/** A whole run: the conversation as it was watched, and as it was kept. */
async function watched(
  model: ChatModel,
  request: string,
): Promise<{ seen: Conversation; kept: Conversation }> {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'test',
    roles: [new RoleZero({ model, tools: [...editor()] })],
    askPerson: () => Promise.resolve('Ocean'),
    emit: (event) => events.push(event),
  });
  await (
    await session.send(request)
  ).result;
  return {
    seen: events.reduce(applied, asked(emptyConversation, request)),
    kept: fromMessages(session.messages()),
  };
}

/** Without what only a witness can know. */
function timeless({ entries, live }: Conversation): unknown {
  return {
    live,
    entries: entries.map((entry) =>
      entry.kind === 'step'
        ? {
            ...entry,
            commands: entry.commands.map((command) => ({ ...command, callId: null, durationMs: null })),
          }
        : entry,
    ),
  };
}

describe('the conversation of the demo', () => {
  it('is the same watched as kept', async () => {
    const { seen, kept } = await watched(tourModel({ charactersPerSecond: Infinity }), TOUR_REQUEST);
    expect(timeless(seen)).toEqual(timeless(kept));
    expect(kept.entries.map(({ kind }) => kind)).toEqual(['request', ...Array<string>(7).fill('step')]);
  });

  it('shows commands that fail, replies that cannot be read, and a closing report', async () => {
    const model = scriptedModel({
      think: [
        commands(['Editor.read', { path: '/none' }]),
        'I would rather talk.',
        commands(['Editor.write', { path: '/a', content: 'b' }]),
        commands(['end', {}]),
      ],
      repair: 'No.',
    });
    const { seen, kept } = await watched(model, 'go');
    expect(
      kept.entries.map((entry) =>
        entry.kind === 'step' ? entry.commands.map(({ state }) => state) : entry.kind,
      ),
    ).toEqual(['request', ['failed'], [], ['ok'], ['ok'], 'reply']);
    expect(timeless(seen)).toEqual(timeless(kept));
  });

  it('shows an answer given without work as a reply', async () => {
    const { seen, kept } = await watched(
      scriptedModel({ classify: 'Response Category: QUICK', quick: 'Hello!' }),
      'hi',
    );
    expect(seen).toEqual(kept);
    expect(kept.entries).toEqual([
      { kind: 'request', text: 'hi' },
      { kind: 'reply', text: 'Hello!' },
    ]);
  });
});

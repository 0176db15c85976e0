import { describe, expect, it } from 'vitest';
import type { ClientSession } from '../../../src/client/session.js';
import type { AgentEvent, StepTrace } from '../../../src/core/events.js';
import type { MessageData } from '../../../src/core/message.js';
import { followConversation } from '../../../src/element/followed-conversation.js';

const request = (id: string, content: string): MessageData => ({
  id,
  content,
  role: 'user',
  causeBy: 'UserRequirement',
  sentFrom: '',
  sendTo: [],
  metadata: {},
});

const step = (replyId: string, startedAt: number): StepTrace =>
  ({ role: 'Zero', step: 0, startedAt, replyId, commands: [], calls: [] }) as never;

/** A session whose stored messages can be held back, each reading with what is stored when it is released. */
function heldSession(messages: MessageData[]) {
  const listeners: ((event: AgentEvent) => void)[] = [];
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const session = {
    running: null,
    resumable: false,
    waiting: null,
    queued: [],
    lastRun: null,
    on: (listener: (event: AgentEvent) => void) => {
      listeners.push(listener);
      return () => {};
    },
    steps: () => Promise.resolve([]),
    async messages() {
      const found = [...messages];
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      return found;
    },
    memory: { list: () => Promise.resolve([]) },
  } as unknown as ClientSession;
  return {
    session,
    emit: (event: unknown) => listeners.forEach((listener) => listener(event as AgentEvent)),
    hold: () => (isHeld = true),
    release: (index: number) => waiting[index]?.(),
  };
}

const rest = () => new Promise((resolve) => setTimeout(resolve));

describe('a conversation that is read again', () => {
  it('has the steps that end meanwhile', async () => {
    const { session, emit, hold, release } = heldSession([request('1', 'Build it')]);
    const conversation = followConversation(session);
    await conversation.opened;
    emit({ type: 'step-end', trace: step('old', 1) });
    hold();
    emit({ type: 'conversation-changed', effects: [] });
    emit({ type: 'step-end', trace: step('new', 2) });
    release(0);
    await rest();
    expect(conversation.view.steps.map(({ replyId }) => replyId)).toEqual(['new']);
    expect(conversation.view.isReading).toBe(false);
  });

  it('shows the newest state when two readings end in the other order, and what remains of both', async () => {
    const messages = [request('1', 'Build it')];
    const { session, emit, hold, release } = heldSession(messages);
    const conversation = followConversation(session);
    await conversation.opened;
    hold();
    messages.splice(0, 1, request('2', 'Build it in red'));
    emit({ type: 'conversation-changed', effects: ['Mail.send'] });
    messages.splice(0, 1, request('3', 'Build it in blue'));
    emit({ type: 'conversation-changed', effects: ['Mail.list'] });
    release(1);
    await rest();
    release(0);
    await rest();
    expect(conversation.view.entries).toMatchObject([
      { kind: 'request', text: 'Build it in blue' },
      { kind: 'notice', code: 'effects-remain', commands: ['Mail.send', 'Mail.list'] },
    ]);
  });
});

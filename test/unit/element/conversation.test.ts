import { describe, expect, it } from 'vitest';
import {
  applied,
  withRequest,
  emptyConversation,
  type Conversation,
  type ShownCommand,
} from '../../../src/element/conversation.js';
import { filled, fromTeam, withOlder } from '../../../src/element/stored-conversation.js';
import { tourModel, tourOf } from '../../../demo/tour/index.js';
import type { AgentEvent, StepTrace } from '../../../src/core/events.js';
import type { MessageData } from '../../../src/core/message.js';
import type { ChatModel } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

/** A complete run: the conversation from its live events and from its stored messages. */
async function watched(
  model: ChatModel,
  request: string,
): Promise<{ seen: Conversation; stored: Conversation }> {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'test',
    roles: [new RoleZero({ name: 'Zero', model, tools: [...editor()] })],
    askUser: () => Promise.resolve('Ocean'),
    emit: (event) => events.push(event),
  });
  await (
    await session.send(request)
  ).result;
  return {
    seen: events.reduce(applied, withRequest(emptyConversation, request)),
    stored: fromTeam([{ role: 'Zero', messages: session.messages(), steps: [], hasOlder: false }]),
  };
}

/** Without details that only live events contain. */
function timeless({ entries, live }: Conversation): unknown {
  return {
    live,
    entries: entries.map((entry) =>
      entry.kind === 'step'
        ? {
            ...entry,
            commands: entry.commands.map((command) => ({ ...command, callId: null, durationMs: null })),
          }
        : { ...entry, id: null },
    ),
  };
}

describe('the conversation', () => {
  it('is the same live and stored', async () => {
    const tour = tourOf('survive-a-reload');
    const model = tourModel(tour, { charactersPerSecond: Infinity });
    const { seen, stored } = await watched(model, tour.requests[0] ?? '');
    expect(timeless(seen)).toEqual(timeless(stored));
    expect(stored.entries.map(({ kind }) => kind)).toEqual(['request', ...Array<string>(7).fill('step')]);
    expect(stored.entries.at(-1)).toMatchObject({ commands: [{ state: 'ok' }, { state: 'ok' }] });
  });

  it('shows failed commands but none after them, unreadable replies, and a closing report', async () => {
    const model = scriptedModel({
      think: [
        commands(['Editor.read', { path: '/none' }], ['Editor.write', { path: '/never', content: '' }]),
        'I would rather talk.',
        commands(['Editor.write', { path: '/a', content: 'b' }]),
        commands(['end', {}]),
      ],
      repair: 'No.',
    });
    const { seen, stored } = await watched(model, 'go');
    expect(
      stored.entries.map((entry) =>
        entry.kind === 'step' ? entry.commands.map(({ state }) => state) : entry.kind,
      ),
    ).toEqual(['request', ['failed'], [], ['ok'], ['ok'], 'reply']);
    expect(timeless(seen)).toEqual(timeless(stored));
  });

  it('shows the text of JSON replies and of unreadable ones', async () => {
    const json = (thought: string, name: string): string =>
      JSON.stringify({ thought, commands: [{ command_name: name, args: {} }] });
    const unreadable = 'I try.\n```json\n[{"command_name": 1}]\n```';
    const model = scriptedModel(
      { think: [unreadable, json('I am done.', 'end')], repair: 'No.' },
      { supports: { jsonSchema: true } },
    );
    const { seen, stored } = await watched(model, 'go');
    const thoughts = stored.entries.flatMap((entry) => (entry.kind === 'step' ? [entry.thought] : []));
    expect(thoughts).toEqual(['I try.', 'I am done.']);
    expect(timeless(seen)).toEqual(timeless(stored));
  });

  it('shows an answer given without commands as a reply', async () => {
    const { seen, stored } = await watched(
      scriptedModel({ classify: 'Response Category: QUICK', quick: 'Hello!' }),
      'hi',
    );
    expect(timeless(seen)).toEqual(timeless(stored));
    expect(stored.entries).toMatchObject([
      { kind: 'request', text: 'hi' },
      { kind: 'reply', role: 'Zero', text: 'Hello!' },
    ]);
  });

  it('continues the first step after a reload, before the name of its role is known', () => {
    const message = { content: '', role: 'assistant', causeBy: 'RunCommand', sentFrom: 'Zero', sendTo: [] };
    const args = { question: 'Which color?' };
    const metadata = { thought: 'I ask.', commands: [{ name: 'RoleZero.ask_human', args }] };
    const messages = [{ ...message, id: 'one', metadata } as unknown as MessageData];
    const stored = fromTeam([{ role: '', messages, steps: [], hasOlder: false }]);
    const about = { role: 'Zero', callId: 'call', name: 'RoleZero.ask_human' };
    const { entries } = applied(stored, {
      type: 'command-end', ...about, args, ok: true, output: 'Human response: blue', durationMs: 1,
    }); // prettier-ignore
    expect(entries).toMatchObject([
      {
        id: 'one',
        role: 'Zero',
        thought: 'I ask.',
        commands: [{ state: 'ok', output: 'Human response: blue' }],
      },
    ]);
  });

  it('leaves out commands that did not run before the end of their step', () => {
    const command = (state: ShownCommand['state']): ShownCommand => ({
      callId: null,
      name: 'Editor.write',
      args: {},
      about: '',
      state,
      output: '',
      durationMs: null,
    });
    const conversation = (...states: ShownCommand['state'][]): Conversation => ({
      entries: [{ id: 'one', kind: 'step', role: 'Zero', thought: '', commands: states.map(command) }],
      live: null,
    });
    const open = conversation('waiting', 'failed', 'waiting');
    expect(filled(open, conversation('ok', 'failed'))).toEqual(conversation('ok', 'failed'));
    expect(filled(open, conversation('waiting', 'waiting', 'waiting'))).toEqual(open);
  });

  it('identifies a step by its reply after its end', () => {
    const thought: AgentEvent = { type: 'thought-end', role: 'Zero', purpose: 'think', text: '' };
    const live = applied(emptyConversation, thought);
    const over = applied(live, { type: 'step-end', role: 'Zero', trace: trace('a', 1) });
    expect([live, over].map(({ entries }) => entries[0]?.id)).toEqual([null, 'a']);
    const said = applied(over, { type: 'step-end', role: 'Zero', trace: trace('a', 1) });
    expect(said.entries).toEqual(over.entries);
  });

  it('shows a step once that was read from the store before its end was heard', () => {
    const thought: AgentEvent = { type: 'thought-end', role: 'Zero', purpose: 'think', text: 'Hello.' };
    const { entries } = applied(emptyConversation, thought);
    const stored = entries.map((entry) => ({ ...entry, id: 'a' }));
    const read: Conversation = { entries: [...stored, ...entries], live: null };
    const over = applied(read, { type: 'step-end', role: 'Zero', trace: trace('a', 1) });
    expect(over.entries).toEqual(stored);
    const next = applied(
      { entries: [...stored, ...entries], live: null },
      { type: 'step-end', role: 'Zero', trace: trace('b', 2) },
    );
    expect(next.entries.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('lists the actions of a team in order, and each request once', () => {
    const { entries } = fromTeam([
      {
        role: 'Mike',
        messages: [request, said('a', 'one'), said('c', 'three')],
        steps: [trace('a', 10), trace('c', 30)],
        hasOlder: false,
      },
      { role: 'Alex', messages: [request, said('b', 'two')], steps: [trace('b', 20)], hasOlder: false },
    ]);
    expect(entries.map(shortly)).toEqual(['request', 'Mike: one', 'Alex: two', 'Mike: three']);
  });

  it('begins where the history of each role is known; older pages precede it', () => {
    const steps = [trace('a', 10), trace('c', 30), trace('e', 50)];
    const mike = { role: 'Mike', messages: [said('c', 'three'), said('e', 'five')], steps, hasOlder: true };
    const alex = {
      role: 'Alex',
      messages: [request, said('b', 'two'), said('d', 'four')],
      steps: [trace('b', 20), trace('d', 40)],
      hasOlder: false,
    };
    const newest = fromTeam([mike, alex]);
    expect(newest.entries.map(shortly)).toEqual(['Mike: three', 'Alex: four', 'Mike: five']);
    const watched = applied(newest, { type: 'thought-end', role: 'Alex', purpose: 'think', text: 'six' });
    const whole = fromTeam([
      { ...mike, messages: [request, said('a', 'one'), ...mike.messages], hasOlder: false },
      alex,
    ]);
    const all = withOlder(watched, whole);
    const told = [
      'request',
      'Mike: one',
      'Alex: two',
      'Mike: three',
      'Alex: four',
      'Mike: five',
      'Alex: six',
    ];
    expect(all.entries.map(shortly)).toEqual(told);
    expect(all.entries.slice(-4)).toEqual(watched.entries);
    expect(withOlder(all, whole)).toEqual(all);
  });
});

const said = (id: string, thought: string): MessageData => ({
  id,
  content: '',
  role: 'assistant',
  causeBy: 'RunCommand',
  sentFrom: '',
  sendTo: [],
  metadata: { thought, commands: [] },
});
const request: MessageData = {
  ...said('r', ''),
  role: 'user',
  causeBy: 'UserRequirement',
  content: 'Go',
  metadata: {},
};
const trace = (replyId: string, startedAt: number) => ({ role: 'Zero', replyId, startedAt }) as StepTrace;
const shortly = (entry: Conversation['entries'][number]): string =>
  entry.kind === 'step' ? `${entry.role}: ${entry.thought}` : entry.kind;

describe('an error at the end of a run', () => {
  it.each([
    [{ status: 429 }, 'rate-limit'],
    [{ status: 401 }, 'model-key'],
    [{ status: 404 }, 'model-path'],
    [{ status: 500 }, 'model-request'],
    [{ kind: 'another-model' }, 'another-model'],
    [{ kind: 'content-filter' }, 'content-filter'],
    [{}, 'model-broken'],
  ])('of the model, with %j, has the advice %s', (detail, advice) => {
    const error = { code: 'model-request' as const, message: 'It failed.', detail };
    const end = { type: 'run-end', run: 'r', status: 'failed', summary: '', error } as unknown as AgentEvent;
    expect(applied(emptyConversation, end).entries.at(-1)).toMatchObject({ kind: 'notice', advice });
  });
});

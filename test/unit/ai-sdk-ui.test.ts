import { readUIMessageStream } from 'ai';
import { describe, expect, it } from 'vitest';
import { EventChunks } from '../../src/ai-sdk-ui/event-chunks.js';
import { storedChat } from '../../src/ai-sdk-ui/history.js';
import { answerIn } from '../../src/ai-sdk-ui/user-input.js';
import { openCallsOf } from '../../src/ai-sdk-ui/tool-calls.js';
import type { SessionChunk, SessionUIMessage } from '../../src/ai-sdk-ui/ui-message.js';
import type { AgentEvent } from '../../src/core/events.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { Session } from '../../src/session/session.js';
import { memoryStorage } from '../../src/storage/index.js';
import { TeamLeader } from '../../src/team/team-leader.js';
import { commands, scriptedModel } from '../../src/testing/index.js';
import type { Script } from '../../src/testing/scripted-model.js';
import { editor } from '../../src/tools/index.js';

/** Runs a request and returns its response as AI SDK reads it, and the stored messages. */
async function response(roles: RoleZero[], leader?: TeamLeader, request = 'Write a page.') {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles,
    ...(leader === undefined ? {} : { leader }),
    askUser: async () => null,
    emit: (event) => events.push(event),
  });
  const { status, summary } = await (await session.send(request)).result;
  const chunks = new EventChunks();
  const written = [
    ...events.flatMap((event) => chunks.push(event)),
    ...chunks.finish({ status, summary, error: null }),
  ];
  return { live: await read(written), stored: storedChat(session.messages()), chunks: written };
}

async function read(chunks: readonly SessionChunk[], message?: SessionUIMessage): Promise<SessionUIMessage> {
  const stream = new ReadableStream<SessionChunk>({
    start(controller) {
      for (const chunk of [{ type: 'start' } as const, ...chunks]) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: SessionUIMessage | undefined;
  for await (const each of readUIMessageStream<SessionUIMessage>({
    stream,
    ...(message === undefined ? {} : { message }),
    terminateOnError: true,
  }))
    last = each;
  if (last === undefined) throw new Error('The stream has no message.');
  return last;
}

/** Types of the parts, names and states of tools, and texts. */
const shown = ({ parts }: SessionUIMessage) =>
  parts.map((part) => {
    if (part.type === 'dynamic-tool') return `${part.toolName} ${part.state}`;
    return part.type === 'text' || part.type === 'reasoning' ? `${part.type}: ${part.text}` : part.type;
  });
const role = (script: Script, name = 'Zero') =>
  new RoleZero({ name, model: scriptedModel(script), tools: editor() });

const write = commands(['Editor.write', { path: '/page.html', content: 'Hi' }]);
const say = commands(['RoleZero.reply_to_human', { content: 'There it is.' }], ['end', {}]);

describe('a response in AI SDK UI', () => {
  it('has thoughts, commands, texts and files, live and from the stored messages', async () => {
    const failing = commands(['Editor.read', { path: '/none' }], ['Editor.read', { path: '/page.html' }]);
    const { live, stored } = await response([role({ think: [write, failing, say] })]);
    const step = ['step-start', 'reasoning: I will run Editor.write.', 'Editor.write output-available'];
    const rest = [
      'step-start',
      'reasoning: I will run Editor.read, Editor.read.',
      'Editor.read output-error',
      'step-start',
      'reasoning: I will run RoleZero.reply_to_human, end.',
      'text: There it is.',
    ];
    expect(shown(live)).toEqual([...step, 'data-file', ...rest]);
    expect(live.metadata).toEqual({ status: 'done' });
    expect(stored.map((message) => [message.role, ...shown(message)])).toEqual([
      ['user', 'text: Write a page.'],
      ['assistant', ...step, ...rest.toSpliced(3, 0, 'Editor.read output-error')],
    ]);
    const tools = live.parts.filter((part) => part.type === 'dynamic-tool');
    expect(tools.map(({ input, providerExecuted }) => [input, providerExecuted])).toEqual([
      [{ path: '/page.html', content: 'Hi' }, true],
      [{ path: '/none' }, true],
    ]);
  });

  it('has a direct answer once', async () => {
    const { live, stored } = await response([role({ quick: 'Hello, you.' })], undefined, 'Hello');
    expect(shown(live)).toEqual(['step-start', 'text: Hello, you.']);
    expect(stored.map(shown)).toEqual([['text: Hello'], ['text: Hello, you.']]);
  });

  it('has the final message once, or else the summary', async () => {
    const end = commands(['end', {}]);
    const { live } = await response([role({ think: [end], report: 'It is done.' })]);
    expect(shown(live).slice(2)).toEqual(['text: It is done.']);
    const silent = await response([
      role({ think: [end], report: '[{"command_name": "end"}]', summary: 'Nothing was asked.' }),
    ]);
    expect(shown(silent.live).slice(2)).toEqual(['step-start', 'text: Nothing was asked.']);
  });

  it('names the role of each part in a team', async () => {
    const leader = new TeamLeader({
      model: scriptedModel({
        think: [
          commands(['TeamLeader.publish_team_message', { content: 'Write it.', send_to: 'Alex' }]),
          say,
        ],
      }),
    });
    const { live, stored } = await response([role({ think: [write, say] }, 'Alex')], leader);
    const roles = live.parts.flatMap((part) =>
      part.type === 'dynamic-tool' && 'callProviderMetadata' in part
        ? [[part.toolName, part.callProviderMetadata?.['rolezero']?.['role']]]
        : [],
    );
    expect(roles).toEqual([
      ['TeamLeader.publish_team_message', 'Mike'],
      ['Editor.write', 'Alex'],
    ]);
    expect(stored[0]?.parts).toEqual([{ type: 'text', text: 'Write a page.', state: 'done' }]);
  });

  it('continues after an approval with the part that was waiting', async () => {
    const question = {
      id: 'q1',
      role: 'Zero',
      kind: 'approval' as const,
      text: 'May Zero use “Editor: write”?',
      command: { name: 'Editor.write', args: { path: '/a' } },
    };
    const first = new EventChunks();
    const waiting = await read([
      ...first.push({ type: 'approval-request', question }),
      ...first.finish({ status: 'waiting', summary: '', error: null }),
    ]);
    expect(shown(waiting)).toEqual(['step-start', 'Editor.write approval-requested', 'data-question']);
    for (const approved of [true, false]) {
      const message = structuredClone(waiting);
      const [, part] = message.parts;
      Object.assign(part ?? {}, { state: 'approval-responded', approval: { id: 'q1', approved } });
      const second = new EventChunks(openCallsOf(message));
      const about = { role: 'Zero', callId: 't.0.0', name: 'Editor.write', args: { path: '/a' } };
      const end: AgentEvent = { type: 'command-end', ...about, output: 'x', ok: approved, durationMs: 1 };
      const after = await read(
        [
          ...(approved
            ? second.push({ type: 'command-start', ...about, activity: { verb: 'Writing', about: '/a' } })
            : []),
          ...second.push(end),
        ],
        message,
      );
      expect(shown(after)).toEqual([
        'step-start',
        `Editor.write output-${approved ? 'available' : 'denied'}`,
        'data-question',
      ]);
    }
  });

  it.each([
    [{ approved: true }, 'yes'],
    [{ approved: true, reason: 'session' }, 'session'],
    [{ approved: true, reason: 'edited {"path":"/b"}' }, 'edited {"path":"/b"}'],
    [{ approved: true, reason: 'Looks fine.' }, 'yes'],
    [{ approved: false }, 'no'],
    [{ approved: false, reason: ' Use another folder. ' }, 'no: Use another folder.'],
  ])('answers an approval request with %j as %j', (given, expected) => {
    const question = { id: 'q1', role: 'Zero', kind: 'approval' as const, text: 'May Zero run it?' };
    const part = {
      type: 'dynamic-tool',
      toolCallId: 't',
      toolName: 'Editor.write',
      input: {},
      state: 'approval-responded',
      approval: { id: 'q1', ...given },
    } as const;
    expect(answerIn({ id: 'm', role: 'assistant', parts: [part] }, question)).toBe(expected);
  });
});

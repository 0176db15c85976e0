import { useChat } from '@ai-sdk/react';
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai';
import { createElement as h, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, type Session } from 'rolezero';
import { SessionChatTransport, uiMessages, type SessionUIMessage } from 'rolezero/ai-sdk-ui';
import { commands } from 'rolezero/testing';
import { newName, open, useSessions } from '../client/scripted-session.js';
import type { TypedConfig } from '../client/typed.worker.js';

useSessions();

type Chat = ReturnType<typeof useChat<SessionUIMessage>>;
type Part = SessionUIMessage['parts'][number];

const write = commands(['Editor.write', { path: '/page.html', content: '<h1>Hi</h1>' }]);
const ask = (question: string) => commands(['RoleZero.ask_human', { question, options: ['red', 'green'] }]);
const end = commands(['end', {}]);
const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);

const roots: Root[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) root.unmount();
});

let made: Worker[] = [];
async function session(config: TypedConfig, name = newName('chat')): Promise<Session> {
  const worker = () => {
    const one = new Worker(new URL('../client/typed.worker.ts', import.meta.url), { type: 'module' });
    made.push(one);
    return one;
  };
  const opened = await connect(worker, { session: name, config, takeOver: true });
  open.push(opened);
  return opened;
}

/** Renders a component with `useChat` over a session, and returns what it sees at each moment. */
async function mount(
  one: Session,
  { resume = false } = {},
): Promise<{ chat: () => Chat; unmount: () => void }> {
  let seen: Chat | null = null;
  const messages = await uiMessages(one);
  function Agent(): ReactNode {
    const chat = useChat<SessionUIMessage>({
      transport: new SessionChatTransport(one),
      messages,
      resume,
      sendAutomaticallyWhen: (options) =>
        lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
        lastAssistantMessageIsCompleteWithToolCalls(options),
    });
    seen = chat;
    return chat.messages.map(({ id, role }) => h('p', { key: id }, role));
  }
  const root = createRoot(document.createElement('div'));
  roots.push(root);
  root.render(h(Agent));
  await vi.waitUntil(() => seen !== null);
  return {
    chat: () => {
      if (seen === null) throw new Error('The component is not rendered.');
      return seen;
    },
    unmount: () => root.unmount(),
  };
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });

const toolIdOf = ({ messages }: Chat): string =>
  messages.at(-1)?.parts.find((part) => part.type === 'dynamic-tool')?.toolCallId ?? '';

/** A part in short: what a component would show. */
function shown(part: Part): string {
  switch (part.type) {
    case 'text':
      return `text ${part.text}`;
    case 'reasoning':
      return `thought ${part.text}`;
    case 'dynamic-tool':
      return `${part.toolName} ${part.state}`;
    case 'data-file':
      return `file ${part.data.path}`;
    case 'data-question':
      return `question ${part.data.text.split(/[\n?]/)[0]}`;
    default:
      return part.type;
  }
}
const last = ({ messages }: Chat): string[] => (messages.at(-1)?.parts ?? []).map(shown);
const isReady = ({ status }: Chat) => status === 'ready' || status === 'error';

const policy: TypedConfig['policy'] = [{ tool: 'Editor.write', do: 'ask' }];

describe('useChat over a session', () => {
  it('shows a request that waits during a run, also when it was changed, and not when it was withdrawn', async () => {
    const replies = { think: [write, end], report: ['The page is ready: /page.html.'] };
    const name = newName('chat');
    const first = await session({ replies, silentAt: 'report' }, name);
    const texts = async (of: Session): Promise<string[]> =>
      (await uiMessages(of)).flatMap(({ role, parts }) => (role === 'user' ? parts.map(shown) : []));
    let isReporting = false;
    first.on((event) => (isReporting ||= event.type === 'call-start' && event.purpose === 'report'));
    first.send('Write a page');
    await until(() => isReporting);
    await first.send('in blue', { id: 'blue' }).accepted;
    await first.send('and large', { id: 'large' }).accepted;
    expect(await texts(first)).toEqual(['text Write a page', 'text in blue', 'text and large']);
    const { chat } = await mount(first);
    void chat().sendMessage({ text: 'in red', messageId: 'blue' });
    await until(() => first.queued[0]?.content === 'in red');
    await first.withdraw('large');
    expect(await texts(first)).toEqual(['text Write a page', 'text in red']);
    await first.close();
    const second = await session({ replies }, name);
    expect(await texts(second)).toEqual(['text Write a page', 'text in red']);
  });

  it('sends, approves, is reloaded in the middle, and continues', async () => {
    const replies = { think: [write, end], report: ['The page is ready: /page.html.'] };
    const name = newName('chat');
    made = [];
    const first = await session({ replies, policy, silentAt: 'report' }, name);
    const { chat, unmount } = await mount(first);
    void chat().sendMessage({ text: 'Write a page' });
    await until(() => last(chat()).includes('Editor.write approval-requested') && isReady(chat()));
    expect(last(chat())).toEqual([
      'step-start',
      'thought I will run Editor.write.',
      'Editor.write approval-requested',
      'question May Zero change /page.html',
    ]);
    const question = chat()
      .messages.at(-1)
      ?.parts.find((part) => part.type === 'data-question');
    expect(question?.data).toMatchObject({ kind: 'approval', command: { args: { path: '/page.html' } } });
    expect(question?.data.details).toContain('/page.html');
    void chat().addToolApprovalResponse({ id: question?.data.id ?? '', approved: true });
    await until(() => last(chat()).includes('thought I will run end.'));
    expect(last(chat())).toEqual([
      'step-start',
      'thought I will run Editor.write.',
      'Editor.write output-available',
      expect.stringMatching(/^question /),
      'file /page.html',
      'step-start',
      'thought I will run end.',
    ]);
    unmount();
    for (const worker of made) worker.terminate(); // the tab is killed while the model writes its report

    const second = await session({ replies, policy }, name);
    const restored = await uiMessages(second);
    expect(restored.map(({ role, parts }) => [role, ...parts.map(shown)])).toEqual([
      ['user', 'text Write a page'],
    ]);
    const reloaded = await mount(second, { resume: true });
    await until(() => last(reloaded.chat()).includes('text The page is ready: /page.html.'));
    await until(() => isReady(reloaded.chat()));
    // The thought of the step that was interrupted is stored with its first command.
    expect(last(reloaded.chat())).toEqual([
      'step-start',
      'thought I will run Editor.write.',
      'Editor.write output-available',
      'text The page is ready: /page.html.',
    ]);
    expect(reloaded.chat().messages.at(-1)?.metadata).toEqual({ status: 'done' });
    expect(await second.files.read('/page.html')).toBe('<h1>Hi</h1>');
  });

  it('shows a waiting approval after a reload, and a denial', async () => {
    const replies = { think: [write, say('I wrote nothing.')] };
    const name = newName('chat');
    const first = await session({ replies, policy }, name);
    const before = await mount(first);
    await before.chat().sendMessage({ text: 'Write a page' });
    before.unmount();
    await first.close();

    const second = await session({ replies, policy }, name);
    const { chat } = await mount(second, { resume: true });
    await until(() => isReady(chat()));
    expect(last(chat())).toEqual([
      'step-start',
      'thought I will run Editor.write.',
      'Editor.write approval-requested',
      expect.stringMatching(/^question /),
    ]);
    void chat().addToolApprovalResponse({ id: second.waiting?.id ?? '', approved: false });
    await until(() => last(chat()).includes('text I wrote nothing.'));
    await until(() => isReady(chat()));
    expect(last(chat())).toContain('Editor.write output-denied');
    expect(await second.files.list()).toEqual([]);
    expect(chat().messages).toHaveLength(2);
  });

  it('answers a question by the output of its part, or by the next message', async () => {
    const one = await session({
      replies: { think: [ask('Which color?'), say('Painted.'), ask('Which frame?'), say('Done.')] },
    });
    const { chat } = await mount(one);
    await chat().sendMessage({ text: 'Paint it' });
    await until(() => isReady(chat()));
    const part = chat()
      .messages.at(-1)
      ?.parts.find((each) => each.type === 'dynamic-tool');
    expect([part?.toolName, part?.state, part?.input]).toEqual([
      'RoleZero.ask_human',
      'input-available',
      { question: 'Which color?', options: ['red', 'green'] },
    ]);
    void chat().addToolOutput({
      tool: 'RoleZero.ask_human' as never,
      toolCallId: part?.toolCallId ?? '',
      output: 'green',
    });
    await until(() => last(chat()).includes('text Painted.') && isReady(chat()));
    expect(chat().messages).toHaveLength(2);

    await chat().sendMessage({ text: 'Again' });
    expect(last(chat())).toContain('question Which frame');
    await chat().sendMessage({ text: 'red' });
    expect(last(chat())).toEqual([
      'step-start',
      'RoleZero.ask_human output-available',
      'step-start',
      'thought I will run RoleZero.reply_to_human, end.',
      'text Done.',
    ]);
    const heard = (await one.messages()).map(({ content }) => content);
    expect(heard.filter((content) => content.includes('Human response'))).toEqual([
      'Command RoleZero.ask_human executed:Human response: green',
      'Command RoleZero.ask_human executed:Human response: red',
    ]);
  });

  it('ends with an answer in the last step, and with an answer that comes too late', async () => {
    const both = commands(
      ['RoleZero.ask_human', { question: 'Which color?' }],
      ['RoleZero.reply_to_human', { content: 'Painted.' }],
      ['end', {}],
    );
    const one = await session({ replies: { think: [both] } });
    const { chat } = await mount(one);
    await chat().sendMessage({ text: 'Paint it' });
    await chat().addToolOutput({
      tool: 'x' as never,
      toolCallId: toolIdOf(chat()),
      output: 'green',
    });
    await until(() => last(chat()).includes('text Painted.') && isReady(chat()));
    const { messages } = chat();
    await chat().sendMessage(); // what `sendAutomaticallyWhen` would do
    await until(() => isReady(chat()));
    expect(chat().messages.at(-1)?.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown));
    expect((await one.steps()).length).toBe(1);
  });

  it('stops a run, shows an error, and sends a request again', async () => {
    const one = await session({ replies: { think: [say('Hello.')] }, silentAt: 'think' });
    const { chat } = await mount(one);
    void chat().sendMessage({ text: 'Greet me' });
    await until(() => one.running !== null);
    await chat().stop();
    await until(() => one.running === null);
    expect([chat().status, one.lastRun?.status, one.resumable]).toEqual(['ready', 'stopped', true]);
    expect(await new SessionChatTransport(one).reconnectToStream({ chatId: 'x' })).toBeNull();

    const failing = await session({ replies: { classify: [''] } });
    const other = await mount(failing);
    await other.chat().sendMessage({ text: '   ' });
    await until(() => other.chat().status === 'error');
    expect(other.chat().error?.message).toContain('The message is empty');

    const good = await session({ replies: { think: [say('Hello.')] } });
    const third = await mount(good);
    await third.chat().sendMessage({ text: 'Greet me' });
    await third.chat().regenerate();
    expect(third.chat().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(last(third.chat())).toContain('text Hello.');
  });

  it('holds the same messages as the session after a regeneration, a change, and a reload', async () => {
    const name = newName('chat');
    const replies = { think: ['One', 'Two'].map((word) => say(`${word}.`)) };
    const one = await session({ replies }, name);
    const { chat, unmount } = await mount(one);
    const words = ({ messages }: { messages: SessionUIMessage[] }) =>
      messages.map(({ id, role, parts }) => {
        const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
        return role === 'user' ? [id, ...texts] : texts;
      });
    const agree = async (expected: string[][]) => {
      const requests = chat().messages.flatMap(({ id, role }) => (role === 'user' ? [id] : []));
      const wanted = expected.map((texts, index) =>
        index % 2 === 0 ? [requests[index / 2], ...texts] : texts,
      );
      expect(words(chat())).toEqual(wanted);
      expect(words({ messages: await uiMessages(one) })).toEqual(wanted);
      expect((await one.messages()).filter(({ causeBy }) => causeBy === 'UserRequirement')).toHaveLength(
        requests.length,
      );
    };
    await chat().sendMessage({ text: 'First' });
    await chat().sendMessage({ text: 'Second' });
    await agree([['First'], ['One.'], ['Second'], ['Two.']]);
    const { calls } = await one.usage();
    await chat().regenerate();
    await agree([['First'], ['One.'], ['Second'], ['Two.']]);
    expect((await one.usage()).calls).toBeGreaterThan(calls);
    const messageId = chat().messages[2]?.id ?? '';
    await chat().sendMessage({ text: 'Changed', messageId });
    await agree([['First'], ['One.'], ['Changed'], ['Two.']]);
    expect((await one.branches.list()).map(({ text, instead }) => [text, instead])).toEqual([
      ['Second', messageId],
      ['Second', messageId],
    ]);
    const before = words(chat());
    unmount();
    await one.close();
    const again = await session({ replies }, name);
    expect(words((await mount(again)).chat())).toEqual(before);
  });

  it('puts the files of a message into the session', async () => {
    const one = await session({ replies: { think: [say('Read.')] } });
    const { chat } = await mount(one);
    await chat().sendMessage({
      text: 'Read it',
      files: [
        {
          type: 'file',
          mediaType: 'text/plain',
          filename: '../a.txt',
          url: `data:text/plain;base64,${btoa('Hi')}`,
        },
      ],
    });
    expect(await one.files.read('/uploads/a.txt')).toBe('Hi');
    expect((await one.files.stat('/uploads/a.txt'))?.untrusted).toEqual(['attached files']);
    const [request] = await one.messages();
    expect(request?.content).toBe('Read it\n\nAttached files:\n- /uploads/a.txt (text/plain, 2 bytes)');
    await chat().regenerate();
    expect((await one.files.list('/uploads')).map(({ path }) => path)).toEqual(['/uploads/a.txt']);
  });
});

import axe from 'axe-core';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { mount, unmount } from 'svelte';
import { createApp, h } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { followConversation } from 'rolezero/element';
import { commands } from 'rolezero/testing';
import { ask, say, scripted, until, workers } from '../client/component-sessions.js';
import { write } from '../client/scripted-session.js';
import { opened, place, useChats, using, work } from './chat-user.js';
import ChatPage from './ChatPage.svelte';

useChats();

/** Paths of files that two requests write, one per step. */
const paths = Array.from({ length: 80 }, (_, index) => `/${index}.txt`);
/** More messages than are shown at first. */
const long = [paths.slice(0, 40), paths.slice(40)].flatMap((files) => [
  ...files.map((path) => write(path, path)),
  say('Done.'),
]);

describe('<rolezero-chat>', () => {
  it('takes a request for the answer while a question is open', async () => {
    const session = await opened('chat-reply', { script: [ask, say('Painted.')] });
    const { texts, request } = place(session);
    await request('Paint');
    await until(() => texts('question').length === 1 && texts('stop').length === 0);
    await request('blue');
    await until(() => texts('reply').includes('Painted.'));
    expect(texts('request')).toEqual(['You Paint', 'You answered blue']);
  });

  it('adds a request to the work while it runs', async () => {
    const script = [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')];
    const session = await opened('chat-add', { script, delay: 300 });
    const { texts, type, request } = place(session);
    await request('Write');
    await until(() => texts('command').length === 1);
    type('And a title');
    await until(() => texts('reply').includes('Done.'));
    const requests = ['You Write', 'You And a title'];
    expect(texts('request')).toEqual(requests);
    await session.close();
    const again = place(await opened('chat-add', {}));
    await until(() => again.texts('reply').includes('Done.'));
    expect(again.texts('request')).toEqual(requests); // The agent has received both.
  });

  it('stops the work, and continues it', async () => {
    const session = await opened('chat-stop', { script: [write('/a.txt', 'one'), say('Done.')], delay: 300 });
    const { texts, press, request } = place(session);
    await request('Write');
    await press('stop');
    await press('resume', 'Continue');
    await until(() => texts('reply').includes('Done.'));
    expect(texts('request')).toEqual(['You Write']);
  });

  it('attaches files to a request, and removes one before it is sent', async () => {
    const session = await opened('chat-files', { script: [say('Seen.')] });
    const { chat, all, texts, request } = place(session);
    await chat.updateComplete;
    const given = new DataTransfer();
    given.items.add(new File(['one'], 'one.txt'));
    given.items.add(new File(['two'], 'two.txt'));
    const [composer] = all('.composer');
    composer?.dispatchEvent(new DragEvent('drop', { dataTransfer: given, cancelable: true }));
    await chat.updateComplete;
    all('[aria-label="Remove two.txt"]')[0]?.click();
    await request('Look');
    await until(() => texts('reply').includes('Seen.'));
    await until(() => texts('file').length === 1);
    expect(texts('file')).toEqual(['/uploads/one.txt']);
  });

  it('offers a file to the page, which may open it itself', async () => {
    const session = await opened('chat-open', { script: work });
    const { chat, press, request } = place(session);
    const chosen = vi.fn((event: Event) => event.preventDefault());
    chat.addEventListener('rolezero-file', chosen);
    await request('Write');
    await press('file', '/note.txt');
    expect(chosen.mock.calls.map(([event]) => (event as CustomEvent).detail as unknown)).toEqual([
      { path: '/note.txt' },
    ]);
  });

  it('shows the newest messages, and earlier ones at the press of a button, without moving the view', async () => {
    const session = await opened('chat-older', { script: long });
    await session.send('First').result();
    await session.send('Second').result();
    const { all, texts, press } = place(session);
    await until(() => texts('older').length === 1);
    expect(texts('request')).toEqual(['You Second']);
    const [first] = all('[part~="command"]');
    const [log] = all('.log');
    log?.scrollTo(0, 0);
    const topOf = () => first?.getBoundingClientRect().top ?? NaN;
    const before = topOf();
    await press('older');
    await until(() => texts('older').length === 0);
    expect(texts('request')).toEqual(['You First', 'You Second']);
    expect(texts('command').map((text) => /\/\d+\.txt/.exec(text)?.[0])).toEqual(paths);
    expect(first?.isConnected).toBe(true);
    expect(topOf() - before).toBeLessThan(60); // The button above it is gone.
    expect(topOf()).toBeGreaterThan(0);
  });

  it('shows earlier messages of the long-term memory', async () => {
    const session = await opened('chat-memory', { script: long, window: 20 });
    await session.send('First').result();
    await session.send('Second').result();
    const { texts, press } = place(session);
    await press('older');
    await until(() => texts('older').length === 0);
    expect(texts('request')).toEqual(['You First', 'You Second']);
    expect(texts('command')).toHaveLength(paths.length);
  });

  it('shows the content of the page in its slots, instead of its own', async () => {
    const session = await opened('chat-slots', { script: work });
    await session.send('Write').result();
    const conversation = followConversation(session);
    await conversation.opened;
    const { chat, all, texts } = place(null);
    const [first = ''] = conversation.view.steps.map(({ replyId }) => replyId);
    const slotted = ['files', 'composer', `step-${first}`].map((slot) =>
      Object.assign(document.createElement('p'), { slot, textContent: slot }),
    );
    chat.append(...slotted);
    chat.session = session;
    await until(() => texts('reply').length === 1);
    await until(() => slotted.every(({ assignedSlot }) => assignedSlot !== null));
    expect(slotted[2]?.assignedSlot?.closest('.step')).toBe(all('.step')[0]);
    expect([texts('file'), texts('composer')]).toEqual([[], []]);

    chat.selected = first;
    await chat.updateComplete;
    expect(all('.step.selected')).toEqual([all('.step')[0]]);
    slotted[1]?.remove();
    await until(() => texts('composer').length === 1);
  });

  it('gives the page the conversation that it shows, during a run', async () => {
    const session = await opened('chat-followed', { script: work });
    const conversation = followConversation(session);
    expect(followConversation(session)).toBe(conversation);
    const lengths = new Set<number>();
    conversation.subscribe(() => lengths.add(conversation.view.entries.length));
    const { texts, request } = place(session);
    await request('Write');
    await until(() => texts('reply').length === 1);
    await until(() => conversation.view.steps.length === 2); // A step ends after its reply is shown.
    const { entries, steps, failure } = conversation.view;
    expect(entries.map(({ kind }) => kind)).toEqual(['request', 'step', 'step']);
    expect(lengths).toEqual(new Set([0, 1, 2, 3]));
    expect([steps.length, failure]).toEqual([2, null]);
  });

  it('lets the page answer a question, and show an error', async () => {
    const session = await opened('chat-events', { script: [ask, say('Painted.')] });
    const { chat, texts, press, request } = place(session);
    const taken: unknown[] = [];
    for (const type of ['rolezero-answer', 'rolezero-error'])
      chat.addEventListener(type, (event) => {
        event.preventDefault();
        taken.push((event as CustomEvent).detail);
      });
    await request('Paint');
    await until(() => texts('question').length === 1 && session.running === null);
    const question = session.waiting;
    await request('blue');
    await until(() => texts('question').length === 0);
    expect(taken).toEqual([{ question, text: 'blue' }]);
    expect(session.waiting).toEqual(question);
    await session.answer(question?.id ?? '', 'red');
    await session.resume().result();
    await until(() => texts('reply').includes('Painted.'));
    await session.files.write('/a.txt', 'one');
    await until(() => texts('file').includes('/a.txt'));
    await session.close();
    await press('file', '/a.txt');
    await until(() => taken.length === 2);
    expect(texts('error')).toEqual([]);
  });

  it('says that a file cannot be read', async () => {
    const session = await opened('chat-gone', { script: work });
    const { texts, request, press } = place(session);
    await request('Write');
    await until(() => texts('file').includes('/note.txt'));
    await until(() => texts('send').length === 1);
    await session.close();
    await press('file', '/note.txt');
    await until(() => texts('error').length === 1);
  });

  it('lets the page send a request itself, also before a session is open, and fill the field in', async () => {
    const { chat, texts, type, all } = place(null);
    await until(() => texts('field').length === 1);
    const sent: unknown[] = [];
    chat.addEventListener('rolezero-send', (event) => {
      event.preventDefault();
      sent.push((event as CustomEvent<unknown>).detail);
    });
    type(' Paint ');
    expect(sent).toEqual([{ text: 'Paint', files: [] }]);
    expect(chat.draft).toEqual({ text: ' Paint ', files: [] });
    const file = new File(['one'], 'one.txt');
    chat.draft = { text: 'Look', files: [file] };
    await chat.updateComplete;
    expect(all<HTMLTextAreaElement>('textarea').map(({ value }) => value)).toEqual(['Look']);
    expect(all('[aria-label="Remove one.txt"]')).toHaveLength(1);
    chat.session = await opened('chat-send', {});
    await until(() => texts('request').length === 0 && chat.draft.files.length === 1);
    type('Look here');
    expect(sent.at(-1)).toEqual({ text: 'Look here', files: [file] });
    expect(texts('request')).toEqual([]);
  });

  it('shows why a request failed', async () => {
    const { texts, request } = place(await opened('chat-fail', { script: [] }));
    await request('Write');
    await until(() => texts('error').length === 1);
  });

  it('shows why the session could not be opened', async () => {
    const { texts } = place(scripted({ fail: 'No worker today.' }).open('chat-closed'));
    await until(() => texts('error')[0]?.includes('No worker today.') === true);
    expect(texts('status')).toEqual(['']);
  });

  it('waits for a session, and changes to another one', async () => {
    const { chat, texts, request } = place(null, { opening: 'Moment…' });
    await chat.updateComplete;
    expect(texts('status')).toEqual(['Moment…']);
    await request('1'); // is sent when the session is open
    chat.session = opened('chat-one', { script: [say('One.')] });
    await until(() => texts('reply').includes('One.'));
    chat.session = await opened('chat-two', { script: [say('Two.')] });
    await until(() => texts('request').length === 0);
    await request('2');
    await until(() => texts('reply').includes('Two.'));
    expect(texts('request')).toEqual(['You 2']);
  });

  it('shows a request whose first step was interrupted, and continues it', async () => {
    const session = await opened('chat-unread', { silent: true });
    const { chat, request } = place(session);
    const isThinking = new Promise<void>((resolve) => {
      session.on(({ type }) => {
        if (type === 'call-start') resolve();
      });
    });
    await request('Paint');
    await isThinking;
    workers.at(-1)?.terminate();
    chat.remove();
    const { texts, press } = place(await opened('chat-unread', { script: [say('Painted.')] }));
    await until(() => texts('resume').length === 1);
    expect(texts('request')).toEqual(['You Paint']);
    await press('resume');
    await until(() => texts('reply').includes('Painted.'));
    expect(texts('request')).toEqual(['You Paint']);
  });

  it('continues a run whose question was answered in a viewer', async () => {
    const session = await opened('chat-viewer', { script: [ask, say('Painted.')] });
    const viewer = await opened('chat-viewer', {}, { view: true });
    const [owner, other] = [place(session), place(viewer)];
    await owner.request('Paint');
    await until(() => owner.texts('question').length === 1 && other.texts('question').length === 1);
    await until(() => session.running === null);
    const [field] = other.all<HTMLInputElement>('[name="answer"]');
    if (field !== undefined) field.value = 'blue';
    await other.press('answer');
    await owner.press('resume');
    await until(() => [owner, other].every(({ texts }) => texts('reply').includes('Painted.')));
    expect([owner, other].map(({ texts }) => [...texts('question'), ...texts('error')])).toEqual([[], []]);
  });

  it('does not send a request to another session than the one it was written for', async () => {
    const session = await opened('chat-other', { script: [say('Sent.')] });
    const { chat, all, texts, request } = place(new Promise(() => {}));
    await request('For the first one');
    chat.session = session;
    await until(() => texts('status')[0] === '');
    expect([texts('request'), session.running, all<HTMLTextAreaElement>('textarea')[0]?.value]).toEqual([
      [],
      null,
      'For the first one',
    ]);
  });

  it('keeps a request in the field until it is stored: a refused one can be corrected', async () => {
    const { all, texts, type, request } = place(await opened('chat-refused', { script: [say('Painted.')] }));
    const field = () => all<HTMLTextAreaElement>('textarea')[0]?.value;
    await request('x'.repeat(1_000_001));
    await until(() => texts('error').length === 1);
    expect([texts('request'), field()?.length]).toEqual([[], 1_000_001]);
    type('Paint');
    await until(() => texts('reply').includes('Painted.'));
    expect([texts('request'), field(), texts('error')]).toEqual([['You Paint'], '', []]);
  });

  it('answers one question with a double click', async () => {
    const policy = [{ tool: 'Editor.write', do: 'ask' as const }];
    const script = [
      commands(['Editor.write', { path: '/a', content: '' }], ['Editor.write', { path: '/b', content: '' }]),
    ];
    const session = await opened('chat-double', { script, policy });
    const { chat, all, texts, request } = place(session);
    await request('Write');
    for (const [index, path] of ['/a', '/b'].entries()) {
      await until(() => texts('question')[0]?.includes(path) === true);
      all('[part="approve"]')[0]?.dispatchEvent(new MouseEvent('click', { detail: index + 1 }));
    }
    await chat.updateComplete;
    expect(texts('question')).toHaveLength(1);
  });

  it.each(['light', 'dark'])('has no axe issues, %s', async (scheme) => {
    const script = [
      work[0] ?? '',
      commands(['RoleZero.ask_human', { question: 'Which?', options: ['a', 'b'] }]),
    ];
    const { chat, texts, request } = place(await opened(`chat-axe-${scheme}`, { script }));
    chat.style.colorScheme = scheme;
    await request('Write');
    await until(() => texts('question').length === 1);
    const isAppearing = () =>
      (chat.renderRoot as ShadowRoot)
        .getAnimations()
        .some((each) => each instanceof CSSAnimation && each.animationName === 'appear');
    await until(() => !isAppearing()); // its contrast is that of its end
    const { violations } = await axe.run(chat, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual(
      [],
    );
  });
});

describe('<rolezero-chat> in frameworks', () => {
  it('is an element of React', async () => {
    const session = await opened('chat-react', { script: [say('Hello!')] });
    const target = document.body.appendChild(document.createElement('div'));
    const root = createRoot(target);
    const App = () => createElement('rolezero-chat', { session: useState(session)[0] });
    root.render(createElement(App));
    await until(() => target.querySelector('rolezero-chat')?.session === session);
    await talk(target);
    root.unmount();
    target.remove();
  });

  it('is an element of Vue', async () => {
    const session = await opened('chat-vue', { script: [say('Hello!')] });
    const target = document.body.appendChild(document.createElement('div'));
    const app = createApp({ render: () => h('rolezero-chat', { '.session': session }) });
    app.mount(target);
    await talk(target);
    app.unmount();
    target.remove();
  });

  it('is an element of Svelte', async () => {
    const session = await opened('chat-svelte', { script: [say('Hello!')] });
    const target = document.body.appendChild(document.createElement('div'));
    const mounted = mount(ChatPage, { target, props: { session } });
    await talk(target);
    await unmount(mounted);
    target.remove();
  });

  async function talk(target: HTMLElement): Promise<void> {
    const chat = target.querySelector('rolezero-chat');
    if (chat === null) throw new Error('The element is not there.');
    const { request, texts } = using(chat);
    await request('Greet the team');
    await until(() => texts('reply').includes('Hello!'));
  }
});

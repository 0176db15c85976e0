import { describe, expect, it } from 'vitest';
import { say, until } from '../client/component-sessions.js';
import { gate } from '../client/scripted-session.js';
import { opened, place, useChats } from './chat-user.js';

useChats();

describe('requests with files in <rolezero-chat>', () => {
  it('show their files while they wait, as they do after a reload', async () => {
    const { tools, call, reached } = gate();
    const session = await opened('chat-waiting-files', { script: [call, say('Done.')] }, { tools });
    const first = place(session);
    await first.request('Wait');
    await reached;
    first.chat.draft = { text: 'Use this', files: [new File(['one'], 'mine.txt')] };
    first.type('Use this');
    await session.send('And this', { files: [new File(['two'], 'other.txt')] }).accepted;
    await until(() => first.texts('attached').length === 2);
    const shown = [first.texts('request'), first.texts('attached')];
    expect(shown).toEqual([
      ['You Wait', 'You Use this mine.txt', 'You And this other.txt'],
      ['mine.txt', 'other.txt'],
    ]);
    expect(session.queued.map(({ content, files }) => [content, files])).toEqual([
      ['Use this', ['/uploads/mine.txt']],
      ['And this', ['/uploads/other.txt']],
    ]);
    first.chat.remove();
    await session.close();
    const second = place(await opened('chat-waiting-files', { script: [say('Done.')] }));
    await until(() => second.texts('attached').length === 2);
    expect([second.texts('request'), second.texts('attached')]).toEqual(shown);
  });

  it('are sent with the files of each, also when one is sent while the one before is being stored', async () => {
    const { tools, call, reached } = gate();
    const session = await opened('chat-two-at-once', { script: [call, say('Done.')] }, { tools });
    const { chat, texts, request, type } = place(session);
    await request('Wait');
    await reached;
    chat.draft = { text: 'Use this', files: [new File(['one'], 'mine.txt')] };
    type('Use this');
    type('Use this'); // the same key, twice
    type('And this');
    await until(() => session.queued.length === 2 && texts('request').length === 3);
    expect(texts('request')).toEqual(['You Wait', 'You Use this mine.txt', 'You And this']);
    expect(session.queued.map(({ content, files }) => [content, files])).toEqual([
      ['Use this', ['/uploads/mine.txt']],
      ['And this', undefined],
    ]);
    await until(() => chat.draft.text === '' && chat.draft.files.length === 0);
  });
});

import { commands } from 'rolezero/testing';
import { describe, expect, it, vi } from 'vitest';
import { ask, say, until } from '../client/component-sessions.js';
import { gate, write } from '../client/scripted-session.js';
import { opened, place, useChats, work } from './chat-user.js';

useChats();

describe('<rolezero-chat>', () => {
  it('sends a request, shows the work and the reply, and the same after the session was opened again', async () => {
    const session = await opened('chat', { script: work });
    const { texts, request, chat, all } = place(session);
    await request('Write a note');
    await until(() => texts('reply').length === 1 && texts('stop').length === 0);
    await until(() => texts('file').includes('/note.txt'));
    await until(() => texts('reply')[0]?.startsWith('Done.') === true); // once Markdown is loaded
    const shown = () => [texts('request'), texts('thought'), texts('command'), texts('reply')];
    expect(shown()).toEqual([
      ['You Write a note'],
      ['Thought I write the note.', 'Thought I will run RoleZero.reply_to_human, end.'],
      ['Writing /note.txt +1 , done'],
      ['Done. <img src=x onerror="document.title = 1"> bank (evil.test)'],
    ]);
    expect(all('img')).toEqual([]);
    expect(chat.renderRoot.textContent).not.toContain('command_name');
    const before = shown();

    chat.remove();
    await session.close();
    const again = await opened('chat', {});
    const other = place(again);
    await until(() => other.texts('reply').length === 1);
    expect([
      other.texts('request'),
      other.texts('thought'),
      other.texts('command'),
      other.texts('reply'),
    ]).toEqual(before);
  });

  it('lets the model read ahead while the user writes, once for each request', async () => {
    const session = await opened('chat-ahead', { script: [say('One.'), say('Two.')] });
    const prepare = vi.spyOn(session, 'prepare');
    const { all, texts, request } = place(session);
    const write = () =>
      all('textarea')[0]?.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    await until(() => all('[part="send"]:enabled').length === 1);
    write();
    write();
    expect(prepare).toHaveBeenCalledTimes(1);
    await request('First');
    await until(() => texts('reply').includes('One.') && session.running === null);
    write();
    expect(prepare).toHaveBeenCalledTimes(2);
    await expect(prepare.mock.results[1]?.value).resolves.toBeUndefined();
  });

  it('shows what happened below the end of a run, whatever the model says', async () => {
    const { texts, request } = place(
      await opened('chat-facts', {
        script: [write('/a.txt', 'one'), say('All is well.'), say('I have done it.')],
      }),
    );
    await request('Write');
    await until(() => texts('facts').length === 1);
    expect(texts('facts')).toEqual(['Created /a.txt.']);
    await request('And now?');
    await until(() => texts('facts')[0] === 'No files were changed.');
  });

  it('drops the half reply of a failed attempt', async () => {
    const config = {
      script: [`I am about to write it.\n${write('/a', 'x')}`, say('Done.')],
      delay: 200,
      breaks: 1,
    };
    const session = await opened('chat-broken', config);
    const { texts, request } = place(session);
    const live: string[] = [];
    session.on((event) => {
      if (event.type === 'thought-delta') setTimeout(() => live.push(...texts('live')));
    });
    await request('Write');
    await until(() => texts('reply').includes('Done.'));
    expect(live.filter((text) => /about to write.*about to write/.test(text))).toEqual([]);
    expect(live.some((text) => text.includes('about to write'))).toBe(true);
    expect(texts('thought')[0]).toBe('Thought I am about to write it.');
  });

  it('shows a question with its field, and continues with the answer', async () => {
    const { all, texts, press, request } = place(
      await opened('chat-ask', { script: [ask, say('Painted.')] }),
    );
    await request('Paint');
    await until(() => texts('question').length === 1);
    expect(texts('question')[0]).toContain('Which color?');
    const [field] = all<HTMLInputElement>('[name="answer"]');
    if (field !== undefined) field.value = 'blue';
    await press('answer');
    await until(() => texts('reply').includes('Painted.'));
    expect(texts('question')).toEqual([]);
    expect([texts('request'), texts('reply'), texts('command')]).toEqual([
      ['You Paint', 'You answered blue'],
      ['Zero asked Which color?', 'Painted.'],
      [],
    ]);
  });

  it('asks for approval with the whole command; "deny" prevents it', async () => {
    const policy = [{ tool: 'Editor.write', do: 'ask' as const }];
    const session = await opened('chat-approve', {
      script: [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')],
      policy,
    });
    const { texts, press, request } = place(session);
    await request('Write');
    await until(() => texts('question')[0]?.includes('/a.txt') === true);
    await press('approve');
    await until(() => texts('question')[0]?.includes('/b.txt') === true);
    await press('deny');
    await until(() => texts('reply').includes('Done.'));
    expect((await session.files.list()).map(({ path }) => path)).toEqual(['/a.txt']);
    expect(texts('denied').length + texts('failed').length).toBe(1);
  });

  it('approves a command with the arguments that the user has changed, and refuses a value of another kind', async () => {
    const session = await opened('chat-change-arguments', {
      script: [
        commands(['Editor.insert_content_at_line', { path: '/a.txt', line_number: 1, content: 'three\n' }]),
        say('Done.'),
      ],
      policy: [{ tool: 'Editor.insert_content_at_line', do: 'ask' as const }],
    });
    await session.files.write('/a.txt', 'one\ntwo\n');
    const { texts, press, request, all } = place(session);
    await request('Write');
    await until(() => texts('question').length === 1);
    all('[part="change-arguments"] summary')[0]?.click();
    const field = (name: string) =>
      all<HTMLTextAreaElement>('[part="argument"]').find((each) => each.name === name);
    const enter = (name: string, value: string) => {
      const found = field(name);
      if (found === undefined) throw new Error(`There is no field ${name}.`);
      found.value = value;
      found.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    expect(all('[part="change-arguments"] label').map((each) => each.innerText.trim())).toEqual([
      'path',
      'line_number',
      'content',
    ]);
    enter('line_number', 'last');
    await press('approve-changed');
    expect(field('line_number')?.matches(':invalid')).toBe(true);
    enter('line_number', '2');
    await press('approve-changed');
    await until(() => texts('reply').includes('Done.'));
    expect(await session.files.read('/a.txt')).toBe('one\nthree\ntwo\n');
  });

  it('lists what the user has allowed, and asks again after it was revoked by keyboard', async () => {
    const session = await opened('chat-revoke', {
      script: [write('/a.txt', 'one'), say('One.'), write('/a.txt', 'two'), say('Two.')],
      policy: [{ tool: 'Editor.write', do: 'ask' as const, lifetime: 'session' as const }],
    });
    const { texts, press, request, all, chat } = place(session);
    await request('Write');
    await until(() => texts('question').length === 1);
    expect(texts('approve')).toEqual([
      'Approve once',
      'Approve until your request is done',
      'Approve for the whole conversation',
    ]);
    await press('approve', 'conversation');
    await until(() => texts('reply').includes('One.') && texts('stop').length === 0);
    await until(() => texts('approvals').length === 1);
    const [summary] = all('[part="approvals"] summary');
    expect(summary?.innerText).toBe('You have allowed 1 thing');
    summary?.click();
    await until(() => texts('approval').includes('Zero may change /a.txt for the whole conversation Revoke'));
    const [revoke] = all<HTMLButtonElement>('[part="revoke"]');
    expect(revoke?.getAttribute('aria-label')).toBe('Revoke: Zero may change /a.txt');
    revoke?.focus();
    expect(chat.shadowRoot?.activeElement).toBe(revoke);
    revoke?.click();
    await until(() => texts('approvals').length === 0);
    expect(chat.shadowRoot?.activeElement).toBe(all('textarea[name="request"]')[0]);
    await request('Write again');
    await until(() => texts('question').length === 1);
    await press('deny');
    await until(() => texts('reply').includes('Two.'));
    expect(await session.files.read('/a.txt')).toBe('one');
  });
});

describe('requests in <rolezero-chat>', () => {
  it('are changed in a field, and both versions can be shown', async () => {
    const session = await opened('chat-change', {
      script: ['One', 'Two', 'Three'].map((word) => say(`${word}.`)),
    });
    const { texts, request, press, all, chat } = place(session);
    await request('First');
    await until(() => texts('reply').includes('One.') && texts('stop').length === 0);
    await request('Second');
    await until(() => texts('reply').includes('Two.') && texts('edit').length === 2);
    const edit = all('[part="edit"]')[1];
    expect(edit?.getAttribute('aria-label')).toBe('Edit');
    edit?.click();
    await until(() => texts('edited').length === 1);
    const [field] = all<HTMLTextAreaElement>('[part="edited-field"]');
    expect(chat.shadowRoot?.activeElement).toBe(field);
    expect(field?.value).toBe('Second');
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    await until(() => texts('edited').length === 0);
    all('[part="edit"]')[1]?.click();
    await until(() => texts('edited').length === 1);
    const [again] = all<HTMLTextAreaElement>('[part="edited-field"]');
    if (again !== undefined) again.value = 'Changed';
    await press('change');
    await until(() => texts('version').includes('2/2') && texts('stop').length === 0);
    await until(() => texts('reply').includes('Three.'));
    expect(texts('request')).toEqual(['You First', 'You Changed']);
    expect(texts('reply')).toEqual(['One.', 'Three.']);
    await press('version-before');
    await until(() => texts('version').includes('1/2'));
    await until(() => texts('request').includes('You Second'));
    expect(texts('request')).toEqual(['You First', 'You Second']);
    expect(texts('reply')).toEqual(['One.', 'Two.']);
    await press('version-after');
    await until(() => texts('request').includes('You Changed'));
    const requests = (await session.messages()).filter(({ causeBy }) => causeBy === 'UserRequirement');
    expect(requests.map(({ content }) => content)).toEqual(['First', 'Changed']);
  });

  it('are sent again, by the keyboard too', async () => {
    const session = await opened('chat-again', { script: [say('One.'), say('Two.')] });
    const { texts, request, all } = place(session);
    await request('First');
    await until(() => texts('reply').includes('One.') && texts('repeat').length === 1);
    const { calls } = await session.usage();
    all('[part="repeat"]')[0]?.focus();
    all('[part="repeat"]')[0]?.click(); // Enter on a focused button
    await until(() => texts('version').includes('2/2') && texts('reply').includes('Two.'));
    expect(texts('request')).toEqual(['You First']);
    expect(texts('reply')).toEqual(['Two.']);
    expect((await session.usage()).calls).toBeGreaterThan(calls);
  });

  it('wait while the agent works, and are changed and withdrawn until it reads them', async () => {
    const { tools, call, reached, pass } = gate();
    const session = await opened('chat-waiting', { script: [call, say('Done.')] }, { tools });
    const { all, chat, press, request, texts, type } = place(session);
    await request('Wait');
    await reached;
    for (const [index, text] of ['in blue', 'and large'].entries()) {
      type(text);
      await until(() => session.queued.length === index + 1);
      await until(() => all<HTMLTextAreaElement>('[name="request"]')[0]?.value === '');
      await until(() => texts('queued').length === index + 1);
    }
    expect(texts('queued')[0]).toBe('Waiting: it is read after the current step');
    const labels = all('.waiting button').map((button) => button.getAttribute('aria-label'));
    expect(labels).toEqual(['Edit', 'Withdraw', 'Edit', 'Withdraw']);

    all('[part="edit"]')[0]?.click();
    await until(() => texts('edited').length === 1);
    const [field] = all<HTMLTextAreaElement>('[part="edited-field"]');
    expect(chat.shadowRoot?.activeElement).toBe(field);
    if (field !== undefined) field.value = 'in red';
    field?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
    );
    await until(() => texts('request').includes('You in red'));
    await press('withdraw');
    await until(() => texts('queued').length === 1);
    expect(texts('request')).toEqual(['You Wait', 'You and large']);
    await until(() => (chat.shadowRoot?.activeElement as HTMLTextAreaElement | null)?.name === 'request');

    all('[part="edit"]')[0]?.click(); // it is read while the user changes it
    await until(() => texts('edited').length === 1);
    pass();
    await until(() => texts('reply').includes('Done.'));
    expect(texts('edited')[0]).toContain('The agent has read it meanwhile');
    await press('cancel');
    await until(() => texts('edited').length === 0);
    expect([texts('queued'), texts('withdraw')]).toEqual([[], []]);
    expect(texts('request')).toEqual(['You Wait', 'You and large']);
    const contents = (await session.messages()).map(({ content }) => content);
    expect(contents).toContain('and large');
    expect(contents.join()).not.toMatch(/in blue|in red/);
  });

  it('wait after a reload, and when another tab has sent them', async () => {
    const { tools, call, reached } = gate();
    const session = await opened('chat-queued', { script: [call, say('Done.')] }, { tools });
    const first = place(session);
    await first.request('Wait');
    await reached;
    await session.send('in blue').accepted;
    await until(() => first.texts('queued').length === 1);
    expect(first.texts('request')).toEqual(['You Wait', 'You in blue']);
    first.chat.remove();
    await session.close();
    const again = await opened('chat-queued', { script: [say('Done.')] });
    const second = place(again);
    await until(() => second.texts('queued').length === 1);
    expect(second.texts('queued')).toEqual(['Waiting: it is read when the run continues']);
    expect(second.texts('request').at(-1)).toBe('You in blue');
    await second.press('withdraw');
    await until(() => second.texts('request').join() === 'You Wait' && again.queued.length === 0);
  });

  it('cannot be changed while the agent works', async () => {
    const session = await opened('chat-busy', { script: [ask, say('One.')] });
    const { texts, request } = place(session);
    await request('First');
    await until(() => texts('question').length === 1);
    expect(texts('edit')).toEqual([]);
  });
});

describe('changes of files in <rolezero-chat>', () => {
  it('are shown with their lines, undone and repeated, for a file and for the run', async () => {
    const session = await opened('chat-changes', {
      script: [write('/a.txt', 'one'), write('/b.txt', 'two\nlines'), say('Done.')],
    });
    const { texts, request, press, all } = place(session);
    await request('Write');
    await until(() => texts('show-changes').includes('2 files changed') && texts('stop').length === 0);
    const [toggle] = all('[part="show-changes"]');
    expect(toggle?.getAttribute('aria-expanded')).toBe('false');
    toggle?.click();
    await until(() => texts('diff').length === 2);
    expect(texts('changed-file')).toEqual([
      '/a.txt +1 −0 Undo: /a.txt +one',
      '/b.txt +2 −0 Undo: /b.txt +two +lines',
    ]);
    all('[part="changed-file"] [part="undo"]')[0]?.click();
    await until(() => texts('changed-file')[0]?.includes('Undone') === true);
    const paths = async () => (await session.files.list()).map(({ path }) => path);
    expect(await paths()).toEqual(['/b.txt']);
    await press('undo', 'all files');
    await until(() => texts('redo').length === 3);
    expect(await paths()).toEqual([]);
    await press('redo', 'all files');
    await until(() => texts('undo').length === 3);
    expect(await paths()).toEqual(['/a.txt', '/b.txt']);
  });

  it('asks what to do when the user has changed the same lines', async () => {
    const session = await opened('chat-conflict', { script: [write('/a.txt', 'one'), say('Done.')] });
    const { texts, request, press } = place(session);
    await request('Write');
    await until(() => texts('show-changes').includes('1 file changed') && texts('stop').length === 0);
    await session.files.write('/a.txt', 'mine');
    await press('undo');
    await until(() => texts('conflict').length === 1);
    expect(texts('solve')).toEqual(['Keep my version', 'Discard my changes']);
    await press('cancel-undo');
    await until(() => texts('conflict').length === 0);
    expect(await session.files.read('/a.txt')).toBe('mine');
    await press('undo');
    await press('solve', 'Discard');
    await until(() => texts('redo').length === 1);
    expect(await session.files.list()).toEqual([]);
  });

  it('are undone by the page for one step, with the same choices', async () => {
    const script = [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')];
    const session = await opened('chat-step', { script });
    const { chat, texts, request, press } = place(session);
    await request('Write');
    await until(() => texts('show-changes').includes('2 files changed') && texts('stop').length === 0);
    await session.files.write('/a.txt', 'mine');
    const [first, second] = await session.files.history();
    expect(await chat.reverse('undo', second?.step ?? '')).toEqual([]);
    expect((await session.files.list()).map(({ path }) => path)).toEqual(['/a.txt']);
    expect(await chat.reverse('undo', first?.step ?? '')).toEqual(['/a.txt']);
    expect(texts('conflict')).toHaveLength(1);
    expect(chat.shadowRoot?.activeElement?.getAttribute('data-choice')).toBe('now');
    await press('solve', 'Discard');
    await until(() => texts('conflict').length === 0);
    expect(await session.files.list()).toEqual([]);
  });
});

describe('attached files in <rolezero-chat>', () => {
  it('are part of one request, images as thumbnails, also after a change of the request', async () => {
    const session = await opened('chat-attached', { script: [say('One.'), say('Two.')] });
    const { chat, texts, type, all } = place(session);
    await chat.updateComplete;
    await until(() => all('[part="send"]:enabled').length === 1);
    const canvas = new OffscreenCanvas(40, 30);
    canvas.getContext('2d')?.fillRect(0, 0, 20, 30);
    const image = new File([await canvas.convertToBlob()], 'sketch.png', { type: 'image/png' });
    chat.draft = { text: '', files: [image, new File(['words'], 'notes.txt', { type: 'text/plain' })] };
    await until(() => all<HTMLImageElement>('.composer .thumbnail')[0]?.naturalWidth === 40);
    type('Look');
    await until(() => texts('reply').includes('One.') && texts('stop').length === 0);
    await until(() => all<HTMLImageElement>('[part="attached"] img')[0]?.naturalWidth === 40);
    expect(texts('request')).toEqual(['You Look notes.txt']);
    all('[part="edit"]')[0]?.click();
    await until(() => texts('edited').length === 1);
    const [field] = all<HTMLTextAreaElement>('[part="edited-field"]');
    expect(field?.value).toBe('Look');
    if (field !== undefined) field.value = 'Look again';
    all('[part="change"]')[0]?.click();
    await until(() => texts('reply').includes('Two.') && texts('stop').length === 0);
    expect(texts('request')).toEqual(['You Look again notes.txt']);
    expect((await session.files.list('/uploads')).map(({ path }) => path)).toEqual([
      '/uploads/notes.txt',
      '/uploads/sketch.png',
    ]);
  });
});

describe('the search in <rolezero-chat>', () => {
  it('shows the matches one by one, newest first, by keyboard', async () => {
    const session = await opened('chat-search', {
      script: [write('/a.txt', 'apple'), say('One.'), say('An apple.')],
    });
    const { chat, texts, request, all } = place(session);
    await chat.updateComplete;
    expect(all('[part="open-search"]')).toEqual([]); // There is nothing to search.
    await request('Write');
    await until(() => texts('reply').includes('One.') && texts('stop').length === 0);
    await request('Again');
    await until(() => texts('reply').includes('An apple.') && texts('stop').length === 0);
    all('[part="open-search"]')[0]?.click();
    await until(() => all('[name="search"]').length === 1);
    const [field] = all<HTMLInputElement>('[name="search"]');
    expect(chat.shadowRoot?.activeElement).toBe(field);
    const press = (key: string, shiftKey = false) =>
      field?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    if (field !== undefined) field.value = 'APPLE';
    field?.dispatchEvent(new InputEvent('input'));
    await until(() => texts('found')[0] === '1 of 2');
    const shown = () => all('.place.found')[0]?.innerText ?? '';
    expect(shown()).toContain('An apple.');
    press('Enter');
    await until(() => texts('found')[0] === '2 of 2');
    expect(shown()).toContain('/a.txt');
    press('Enter', true);
    await until(() => texts('found')[0] === '1 of 2');
    if (field !== undefined) field.value = 'pear';
    field?.dispatchEvent(new InputEvent('input'));
    await until(() => texts('found')[0] === 'Not found');
    press('Escape');
    await until(() => all('[name="search"]').length === 0);
    expect(chat.shadowRoot?.activeElement).toBe(all('[name="request"]')[0]);
  });
});

import { createElement as h, StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { RoleZeroError } from 'rolezero';
import { commands } from 'rolezero/testing';
import { Agent, isOpen, mount, nothingSeen, say, scripted, until, useReact } from './react-app.js';

const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);

useReact();

describe('a session in React', () => {
  it('is opened once in strict mode, follows a run to its end, and is released', async () => {
    const seen = nothingSeen();
    const { open, opened } = scripted({ script: [say('Hello!'), 'Hello!'] });
    const root = mount(h(Agent, { name: 'react-run', open, seen }));
    await isOpen(seen);
    const events = seen.run.events.filter(({ type }) => type !== 'warning'); // a browser may have no replica
    expect([opened(), seen.run.running, seen.run.result, events]).toEqual([1, false, null, []]);
    const run = seen.run.send('greet me');
    expect(await run.result()).toMatchObject({ status: 'done' });
    await until(() => seen.wasRunning && !seen.run.running);
    expect(seen.run.result).toEqual({ status: 'done', summary: 'Hello!', error: null });
    const words = 'I will run RoleZero.reply_to_human, end.';
    expect(seen.run.thought).toEqual({ role: 'Zero', purpose: 'think', text: words });
    expect(seen.run).toMatchObject({ text: 'Hello!', activity: null, error: null });
    for (const text of seen.texts)
      expect([words, 'Hello!'].some((whole) => whole.startsWith(text))).toBe(true);
    expect(seen.activities.has(null)).toBe(true);
    const reported = seen.run.events.flatMap((event) => (event.type === 'human-reply' ? [event.text] : []));
    expect(reported).toEqual(['Hello!']);
    expect(seen.run.events.filter(({ type }) => type.endsWith('-delta'))).toEqual([]);
    const { view, run: last, renders } = seen;
    root.render(h(StrictMode, null, h(Agent, { name: 'react-run', open, seen })));
    await until(() => seen.renders > renders);
    expect([seen.view === view, seen.run === last, opened()]).toEqual([true, true, 1]);

    root.unmount();
    const again = await vi.waitFor(() => scripted({}).open('react-run'), { timeout: 20_000 });
    expect(again.lastRun?.status).toBe('done');
    await again.close();
  });

  it('shows a typed answer', async () => {
    const seen = nothingSeen();
    const { open } = scripted({ script: { think: say('It is good.'), output: '{"grade": 2}' } });
    mount(h(Agent, { name: 'react-typed', open, seen }));
    await isOpen(seen);
    const { output } = await seen.run.send('rate it', { output: z.object({ grade: z.number() }) }).result();
    const grade: number | undefined = output?.grade;
    await until(() => !seen.run.running);
    expect([grade, seen.run.result?.output, seen.run.text]).toEqual([2, { grade: 2 }, 'It is good.']);
  });

  it('shows the open question and continues when it is answered', async () => {
    const before = nothingSeen();
    const root = mount(h(Agent, { name: 'react-ask', open: scripted({ script: [ask] }).open, seen: before }));
    await isOpen(before);
    before.run.send('paint');
    await until(() => before.run.result?.status === 'waiting');
    expect(before.run).toMatchObject({
      question: { text: 'Which color?' },
      activity: 'Waiting for your answer',
      error: null,
    });
    root.unmount();

    const seen = nothingSeen();
    mount(h(Agent, { name: 'react-ask', open: scripted({ script: [say('Painted.'), 'done'] }).open, seen }));
    await isOpen(seen);
    expect(seen.run).toMatchObject({
      running: false,
      question: { text: 'Which color?' },
      activity: 'Waiting for your answer',
    });
    await seen.run.answer('green');
    await until(() => seen.run.result?.status === 'done' && !seen.run.running);
    expect([seen.run.question, seen.run.resumable]).toEqual([null, false]);
    const messages = await seen.view.session?.messages();
    expect(messages?.map(({ content }) => content)).toContain(
      'Command RoleZero.ask_human executed:Human response: green',
    );
    await expect(seen.run.answer('red')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('shows why a run failed, and clears the error when the next one starts', async () => {
    const seen = nothingSeen();
    const { open } = scripted({ script: [] }); // The model fails after that.
    mount(h(Agent, { name: 'react-fail', open, seen }));
    await isOpen(seen);
    expect((await seen.run.send('greet me').result()).status).toBe('failed');
    await until(() => seen.run.error !== null);
    expect(seen.run).toMatchObject({ running: false, activity: null, question: null });
    expect(seen.run.error).toBeInstanceOf(RoleZeroError);
    expect(seen.run.error).toEqual(seen.run.result?.error);
    await seen.run.resume().result();
    await until(() => !seen.run.running);
    expect(seen.activities.size).toBeGreaterThan(1); // It was visible while it ran.
    expect(seen.errorsOfRunning).toEqual([]);
  });

  it('renders far less often than the model streams', async () => {
    const seen = nothingSeen();
    const words = 10_000;
    const long = say('word '.repeat(words));
    const { open } = scripted({ script: [long, 'done'] });
    mount(h(Agent, { name: 'react-deltas', open, seen }));
    await isOpen(seen);
    let heard = '';
    seen.view.session?.on((event) => {
      if (event.type === 'reply-delta' && event.purpose === 'think') heard += event.text;
    });
    const before = seen.renders;
    await seen.run.send('talk').result();
    await until(() => !seen.run.running);
    expect(heard).toContain('word '.repeat(words)); // One word at a time.
    expect(seen.renders - before).toBeLessThan(words / 5);
    const thoughts = seen.run.events.filter(({ type }) => type === 'thought-end');
    expect(thoughts).toContainEqual(
      expect.objectContaining({ purpose: 'think', text: 'I will run RoleZero.reply_to_human, end.' }),
    );
  });
});

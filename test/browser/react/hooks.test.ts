import { createElement as h, StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, RoleZeroError, sessions, type Session } from 'rolezero';
import { useRun, useSession } from 'rolezero/react';
import type { OpenSession, SessionView } from '../../../src/react/shared-session.js';
import type { RunView } from '../../../src/react/followed-run.js';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from '../client/scripted.worker.js';

const TASK = ['Response Category: TASK', 'English'];
const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
const ask = commands(['RoleZero.ask_human', { question: 'Which colour?' }]);

const workers: Worker[] = [];
const names = new Set<string>();
let roots: Root[] = [];

/** Opens sessions in workers that follow a script, and counts. */
function scripted(config: ScriptedConfig): { open: OpenSession; opened: () => number } {
  let opened = 0;
  const open = (session: string): Promise<Session> => {
    opened++;
    names.add(session);
    const makeWorker = (): Worker => {
      const url = new URL('../client/scripted.worker.ts', import.meta.url);
      const worker = new Worker(url, { type: 'module' });
      workers.push(worker);
      return worker;
    };
    return connect(makeWorker, { session, config });
  };
  return { open, opened: () => opened };
}

/** What a component saw when it was rendered last. */
interface Seen {
  view: SessionView;
  run: RunView;
  renders: number;
  /** Every text and activity that was ever rendered. */
  texts: Set<string>;
  activities: Set<string | null>;
  errorsOfRunning: unknown[];
}
const nothingSeen = (): Seen =>
  ({
    renders: 0,
    texts: new Set(),
    activities: new Set<string | null>(),
    errorsOfRunning: [] as unknown[],
  }) as Seen;

function Agent({ name, open, seen }: { name: string; open: OpenSession; seen: Seen }): ReactNode {
  seen.view = useSession(name, open);
  seen.run = useRun(seen.view.session);
  seen.renders++;
  seen.texts.add(seen.run.text);
  seen.activities.add(seen.run.activity);
  if (seen.run.running && seen.run.error !== null) seen.errorsOfRunning.push(seen.run.error);
  return seen.run.text;
}

function mount(tree: ReactNode): Root {
  const root = createRoot(document.createElement('div'));
  roots.push(root);
  root.render(h(StrictMode, null, tree));
  return root;
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });
const isOpen = (seen: Seen) => until(() => seen.view?.session != null);

afterEach(async () => {
  for (const root of roots) root.unmount();
  roots = [];
  for (const name of names) {
    // A component lets its session go after it is gone.
    await vi.waitFor(() => sessions.remove(name), { timeout: 20_000 });
  }
  names.clear();
  for (const worker of workers.splice(0)) worker.terminate();
});

describe('a session in React', () => {
  it('is opened once in strict mode, follows a run to its end, and is given back', async () => {
    const seen = nothingSeen();
    const { open, opened } = scripted({ script: [...TASK, say('Hello!'), 'Greeted.'] });
    const root = mount(h(Agent, { name: 'react-run', open, seen }));
    await isOpen(seen);
    expect([opened(), seen.run.running, seen.run.result, seen.run.events]).toEqual([1, false, null, []]);
    const run = seen.run.send('greet me');
    await until(() => seen.run.running);
    expect(await run.result()).toMatchObject({ status: 'done' });
    await until(() => !seen.run.running);
    expect(seen.run.result).toEqual({ status: 'done', summary: 'Greeted.', error: null });
    const words = 'I will run RoleZero.reply_to_human, end.';
    expect(seen.run.thought).toEqual({ role: 'Zero', purpose: 'think', text: words });
    expect(seen.run).toMatchObject({ text: 'Hello!', activity: null, error: null });
    for (const text of seen.texts)
      expect([words, 'Hello!'].some((whole) => whole.startsWith(text))).toBe(true);
    expect(seen.activities.has(null)).toBe(true);
    const told = seen.run.events.flatMap((event) => (event.type === 'human-reply' ? [event.text] : []));
    expect(told).toEqual(['Hello!']);
    expect(seen.run.events.filter(({ type }) => type.endsWith('-delta'))).toEqual([]);
    const { view, run: last } = seen;
    root.render(h(StrictMode, null, h(Agent, { name: 'react-run', open, seen })));
    await until(() => seen.renders > 4);
    expect([seen.view === view, seen.run === last, opened()]).toEqual([true, true, 1]);

    root.unmount();
    const again = await vi.waitFor(() => scripted({}).open('react-run'), { timeout: 20_000 });
    expect(again.lastRun?.status).toBe('done');
    await again.close();
  });

  it('shows the question that was open, and continues when it is answered', async () => {
    const before = nothingSeen();
    const root = mount(
      h(Agent, { name: 'react-ask', open: scripted({ script: [...TASK, ask] }).open, seen: before }),
    );
    await isOpen(before);
    before.run.send('paint');
    await until(() => before.run.result?.status === 'waiting');
    expect(before.run).toMatchObject({
      question: { text: 'Which colour?' },
      activity: 'Waiting for your answer',
      error: null,
    });
    root.unmount();

    const seen = nothingSeen();
    mount(h(Agent, { name: 'react-ask', open: scripted({ script: [say('Painted.'), 'done'] }).open, seen }));
    await isOpen(seen);
    expect(seen.run).toMatchObject({
      running: false,
      question: { text: 'Which colour?' },
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

  it('shows why a run failed, and nothing of it while the next one runs', async () => {
    const seen = nothingSeen();
    const { open } = scripted({ script: TASK }); // the model fails after that
    mount(h(Agent, { name: 'react-fail', open, seen }));
    await isOpen(seen);
    expect((await seen.run.send('greet me').result()).status).toBe('failed');
    await until(() => seen.run.error !== null);
    expect(seen.run).toMatchObject({ running: false, activity: null, question: null });
    expect(seen.run.error).toBeInstanceOf(RoleZeroError);
    expect(seen.run.error).toEqual(seen.run.result?.error);
    await seen.run.resume().result();
    await until(() => !seen.run.running);
    expect(seen.activities.size).toBeGreaterThan(1); // it was seen while it ran
    expect(seen.errorsOfRunning).toEqual([]);
  });

  it('is shared by the components that name it, and handed on between pages', async () => {
    const [one, other, later] = [nothingSeen(), nothingSeen(), nothingSeen()];
    const { open, opened } = scripted({ script: [...TASK, say('Hi'), 'done'] });
    const page = (key: string, seen: Seen) => h(Agent, { key, name: 'react-shared', open, seen });
    const root = createRoot(document.createElement('div'));
    roots.push(root);
    root.render([page('one', one), page('other', other)]);
    await isOpen(one);
    await isOpen(other);
    expect([opened(), one.view.session === other.view.session]).toEqual([1, true]);
    await one.run.send('greet me').result();
    await until(() => other.run.result?.status === 'done');

    root.render(page('later', later)); // both leave as another one comes
    await isOpen(later);
    expect([opened(), later.view.session === one.view.session]).toEqual([1, true]);
    expect(later.run.events).toEqual(one.run.events); // and has missed nothing

    root.render(h(Agent, { key: 'later', name: 'react-second', open, seen: later }));
    await until(() => later.view.session?.name === 'react-second');
    expect([opened(), later.run.result, later.run.events]).toEqual([2, null, []]);
  });

  it('tells why it could not be opened, and that its worker is gone; both can be tried again', async () => {
    const seen = nothingSeen();
    const { open } = scripted({ script: [...TASK, say('Hi'), 'done'] });
    let refuse = true;
    const moody: OpenSession = (name) =>
      refuse ? Promise.reject(new RoleZeroError('session-busy', 'Another tab has it.')) : open(name);
    mount(h(Agent, { name: 'react-lost', open: moody, seen }));
    await until(() => seen.view?.error != null);
    expect(seen.view).toMatchObject({ session: null, error: { code: 'session-busy' } });
    expect(() => seen.run.send('hello')).toThrow(expect.objectContaining({ code: 'invalid' }));

    refuse = false;
    seen.view.reopen();
    await isOpen(seen);
    expect(seen.view.error).toBeNull();

    workers.at(-1)?.terminate();
    await until(() => seen.view.error?.code === 'worker-lost');
    expect(seen.view.session).toBeNull();
    seen.view.reopen();
    await isOpen(seen);
    expect((await seen.run.send('greet me').result()).status).toBe('done');
  });

  it('renders far less often than the model speaks', async () => {
    const seen = nothingSeen();
    const words = 10_000;
    const long = say('word '.repeat(words));
    const { open } = scripted({ script: [...TASK, long, 'done'] });
    mount(h(Agent, { name: 'react-deltas', open, seen }));
    await isOpen(seen);
    let heard = '';
    seen.view.session?.on((event) => {
      if (event.type === 'reply-delta' && event.purpose === 'think') heard += event.text;
    });
    const before = seen.renders;
    await seen.run.send('talk').result();
    await until(() => !seen.run.running);
    expect(heard).toContain('word '.repeat(words)); // spoken word by word
    expect(seen.renders - before).toBeLessThan(words / 5);
    const thoughts = seen.run.events.filter(({ type }) => type === 'thought-end');
    expect(thoughts).toContainEqual(
      expect.objectContaining({ purpose: 'think', text: 'I will run RoleZero.reply_to_human, end.' }),
    );
  });
});

import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from 'rolezero';
import type { OpenSession } from '../../../src/client/shared-session.js';
import {
  Agent,
  isOpen,
  mount,
  nothingSeen,
  roots,
  say,
  scripted,
  type Seen,
  until,
  useReact,
  workers,
} from './react-app.js';

useReact();

describe('a session in React', () => {
  it('is shared by components that name it, and passed from page to page', async () => {
    const [one, other, later] = [nothingSeen(), nothingSeen(), nothingSeen()];
    const { open, opened } = scripted({ script: [say('Hi'), 'done'] });
    const page = (key: string, seen: Seen) => h(Agent, { key, name: 'react-shared', open, seen });
    const root = createRoot(document.createElement('div'));
    roots.push(root);
    root.render([page('one', one), page('other', other)]);
    await isOpen(one);
    await isOpen(other);
    expect([opened(), one.view.session === other.view.session]).toEqual([1, true]);
    await one.run.send('greet me').result();
    await until(() => other.run.result?.status === 'done');

    root.render(page('later', later)); // Both unmount when another one mounts.
    await isOpen(later);
    expect([opened(), later.view.session === one.view.session]).toEqual([1, true]);
    expect(later.run.events).toEqual(one.run.events); // It missed nothing.

    root.render(h(Agent, { key: 'later', name: 'react-second', open, seen: later }));
    await until(() => later.view.session?.name === 'react-second');
    expect([opened(), later.run.result, later.run.events]).toEqual([2, null, []]);
  });

  it('reports why it could not be opened, and a lost worker; both can be retried', async () => {
    const seen = nothingSeen();
    const { open } = scripted({ script: [say('Hi'), 'done'] });
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
});

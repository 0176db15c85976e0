import { describe, expect, it } from 'vitest';
import { Store, type State } from '../../../demo/state/app-state.js';
import { SessionViews } from '../../../demo/state/session-views.js';

/** A storage in memory. */
function storageOf(stored = new Map<string, string>()): Storage {
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  } as unknown as Storage;
}

const { state } = new Store(() => {});
const shown = (change: Partial<State>): State => ({ ...state, session: 'one', tab: 'preview', ...change });
const page = (url: string) => ({ url, by: 'user', role: 'user' }) as const;

describe('what was shown of a session', () => {
  it('is remembered after a reload: tab, page, width, and how far the page was scrolled', () => {
    const stored = new Map<string, string>();
    const views = new SessionViews(storageOf(stored));
    views.keep(shown({ page: page('/a.html'), previewWidth: 'phone' }));
    views.scrolled('one', '/other.html', 5);
    views.scrolled('one', '/a.html', 700);
    views.keep(shown({ page: null, tab: 'files', previewWidth: 'phone' }));
    expect(new SessionViews(storageOf(stored)).of('one')).toEqual({
      page: '/a.html',
      scrollTop: 700,
      tab: 'files',
      width: 'phone',
    });
    views.keep(shown({ page: page('/b.html') }));
    expect(views.of('one')).toEqual({ page: '/b.html', tab: 'preview', width: 'full' });
    views.forget('one');
    expect(new SessionViews(storageOf(stored)).of('one')).toEqual({});
  });

  it('has the command lines of the user, the newest ones, each once in a row', () => {
    const stored = new Map<string, string>();
    const views = new SessionViews(storageOf(stored));
    for (const command of ['ls', 'ls', 'cat a', 'x'.repeat(1_001)]) views.ran('one', command);
    views.keep(shown({ page: page('/a.html') }));
    views.keep(shown({ page: page('/b.html') }));
    expect(new SessionViews(storageOf(stored)).of('one').commands).toEqual(['ls', 'cat a']);
    for (let at = 0; at < 60; at++) views.ran('one', `echo ${at}`);
    const { commands = [] } = views.of('one');
    expect([commands.length, commands[0], commands.at(-1)]).toEqual([50, 'echo 10', 'echo 59']);
  });

  it('has the workbench once it is open, and when the user has closed it', () => {
    const views = new SessionViews(storageOf());
    views.keep(shown({}));
    expect(views.of('one').workbench).toBe(undefined);
    views.keep(shown({ workbench: false }));
    expect(views.of('one').workbench).toBe(false);
    views.keep(shown({ workbench: true, page: page('/a.html') }));
    views.openWorkbench('two');
    expect([views.of('one').workbench, views.of('two')]).toEqual([true, { workbench: true }]);
  });

  it('is not what is shown while it opens, nor a page of another site', () => {
    const views = new SessionViews(storageOf());
    views.keep(shown({ opening: true }));
    views.keep(shown({ session: null }));
    expect(views.of('one')).toEqual({});
    views.keep(shown({ page: page('https://site.example/') }));
    expect(views.of('one')).toEqual({ tab: 'preview', width: 'full' });
  });

  it('ignores what another program has stored', () => {
    const stored = (value: string) =>
      new SessionViews(storageOf(new Map([['rolezero-demo:session-views', value]])));
    expect(stored('no JSON').of('one')).toEqual({});
    expect(
      stored('[1, ["one", {"tab": "other", "page": 3, "width": "phone", "workbench": 1}]]').of('one'),
    ).toEqual({
      width: 'phone',
    });
  });
});

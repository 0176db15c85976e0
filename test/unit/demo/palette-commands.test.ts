import { describe, expect, it } from 'vitest';
import { App } from '../../../demo/app.js';
import { DraftControl } from '../../../demo/draft-control.js';
import { Store } from '../../../demo/state/app-state.js';
import { SessionViews } from '../../../demo/state/session-views.js';
import { Keys } from '../../../demo/state/settings.js';
import { matches } from '../../../demo/view/palette-commands.js';

describe('the list of commands', () => {
  const storage = { getItem: () => null } as unknown as Storage;
  const store = new Store(() => {});
  const late = { dialogs: async () => {}, parts: async () => false };
  const views = new SessionViews(storage);
  const app = new App(store, new Keys(storage), new DraftControl(storage), views, late);
  const sessions = Array.from({ length: 1_000 }, (_, index) => ({
    ...({} as (typeof store.state.sessions)[number]),
    name: `Page number ${index} · 2026-01-01 12:00:00.000`,
  }));
  const listed = (query: string) => matches({ ...store.state, sessions, palette: { query, active: 0 } }, app);

  it('lists the first of many commands, and how many others there are', () => {
    const { found, hidden } = listed('');
    expect(found).toHaveLength(60);
    expect(found[0]?.id).toBe('new-session');
    expect(found.length + hidden).toBeGreaterThan(1_000);
  });

  it('opens the workbench of a session, and closes it', () => {
    const view = { ...store.state, session: 'one', palette: { query: 'workspace', active: 0 } };
    const labels = (workbench: boolean | null) =>
      matches({ ...view, workbench }, app).found.map(({ label }) => label);
    expect([labels(null), labels(true)]).toEqual([['Show workspace'], ['Hide workspace']]);
    expect(matches({ ...view, session: null }, app).found).toEqual([]);
  });

  it('finds each of many by words', () => {
    expect(listed('page 777').found.map(({ label }) => label)).toEqual(['Open “Page number 777”']);
    expect(listed('theme dark').found[0]?.id).toBe('theme-dark');
    expect(listed('page 777').hidden).toBe(0);
  });
});

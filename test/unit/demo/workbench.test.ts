import { beforeAll, describe, expect, it, vi } from 'vitest';
import { showsWorkbench, Store, type State } from '../../../demo/state/app-state.js';

describe('the workbench of the demo', () => {
  beforeAll(() => void vi.stubGlobal('requestAnimationFrame', () => 0));

  const file = { path: '/a.html', content: '', before: null, locked: true };
  const info = { path: '/a.html', type: 'file', size: 1, modifiedAt: 0 } as unknown as State['files'][number];
  const first: [string, Partial<State>][] = [
    ['a file', { files: [info] }],
    ['a file that is being written', { written: file }],
    ['a page', { page: { url: '/a.html', by: 'agent', role: 'Zero' } }],
    [
      'a task',
      { plan: { goal: '', context: '', currentTaskId: '1', tasks: [{}] } as unknown as State['plan'] },
    ],
    ['a line in the terminal', { shell: [{ by: 'agent', command: 'ls', output: '', running: true }] }],
  ];

  it.each(first)('appears with %s, and remains without', (_, change) => {
    const store = new Store(() => {});
    store.update({ session: 'one' });
    expect(showsWorkbench(store.state)).toBe(false);
    store.update(change);
    expect(showsWorkbench(store.state)).toBe(true);
    store.update({ files: [], written: null, page: null, plan: null, shell: [] });
    expect(showsWorkbench(store.state)).toBe(true);
  });

  it('does not appear with a plan of no tasks, nor again when the user has closed it', () => {
    const store = new Store(() => {});
    store.update({ session: 'one', plan: { goal: '', context: '', currentTaskId: '', tasks: [] } });
    expect(showsWorkbench(store.state)).toBe(false);
    store.update({ workbench: false, written: file });
    expect(showsWorkbench(store.state)).toBe(false);
  });
});

import { flushSync, mount, unmount } from 'svelte';
import { get } from 'svelte/store';
import { describe, expect, it, vi } from 'vitest';
import { useRun, useSession } from 'rolezero/svelte';
import { ask, say, scripted, until, useComponents } from '../client/component-sessions.js';
import { write } from '../client/scripted-session.js';
import Agent from './Agent.svelte';

const mounted: ReturnType<typeof mount>[] = [];
useComponents(() => {
  for (const component of mounted.splice(0)) void unmount(component);
});

/** Mounts the component. `shown` returns the text of an element, and null where there is none. */
function show(name: string, open: ReturnType<typeof scripted>['open']) {
  const target = document.createElement('div');
  const component = mount(Agent, { target, props: { name, open, request: 'go' } });
  mounted.push(component);
  const element = (id: string): HTMLElement | null => target.querySelector(`#${id}`);
  const shown = (id: string): string | null => {
    flushSync();
    return element(id)?.textContent ?? null;
  };
  const click = async (id: string): Promise<void> => {
    await until(() => element(id) !== null && !(element(id) as HTMLButtonElement).disabled);
    element(id)?.click();
  };
  const close = (): void => {
    mounted.splice(mounted.indexOf(component), 1);
    void unmount(component);
  };
  return { shown, click, close };
}

describe('a session in Svelte', () => {
  it('is opened once, follows a run to its end, and is released', async () => {
    const { open, opened } = scripted({ script: [say('Hello!')] });
    const one = show('svelte-run', open);
    const other = show('svelte-run', open);
    await one.click('send');
    await until(() => one.shown('text') === 'Hello!' && one.shown('activity') === '');
    expect([other.shown('text'), one.shown('runes'), one.shown('error'), opened()]).toEqual([
      'Hello!',
      'HELLO!',
      '',
      1,
    ]);
    one.close();
    other.close();
    const again = await vi.waitFor(() => open('svelte-run'), { timeout: 20_000 });
    expect(again.lastRun?.status).toBe('done');
    await again.close();
  });

  it('shows the open question and continues when it is answered', async () => {
    const { open } = scripted({ script: [ask, say('Painted.')] });
    const { shown, click } = show('svelte-ask', open);
    await click('send');
    await until(() => shown('answer') === 'Which color?' && shown('activity') === 'Waiting for your answer');
    await click('answer');
    await until(() => shown('text') === 'Painted.' && shown('answer') === null);
  });

  it('shows an approval request with the command, runs it after a yes, and does not after a no', async () => {
    const policy = [{ tool: 'Editor.write', do: 'ask' as const }];
    const { open } = scripted({
      script: [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')],
      policy,
    });
    let opened: Awaited<ReturnType<typeof open>> | undefined;
    const { shown, click } = show('svelte-approve', async (name) => (opened = await open(name)));
    await click('send');
    await until(() => shown('details')?.includes('/a.txt') === true);
    expect(shown('activity')).toBe('Waiting for your approval');
    await click('approve');
    await until(() => shown('details')?.includes('/b.txt') === true);
    await click('deny');
    await until(() => shown('text') === 'Done.' && shown('details') === null);
    expect((await opened?.files.list())?.map(({ path }) => path)).toEqual(['/a.txt']);
  });

  it('shows why a session could not be opened', async () => {
    const { shown } = show('svelte-failing', scripted({ fail: 'No key.' }).open);
    await until(() => shown('error')?.includes('No key.') === true);
  });

  it('is a store with null, and a send that throws, before the session is open', () => {
    const view = useSession('svelte-closed', () => new Promise(() => {}));
    const run = get(useRun(view));
    expect([get(view).session, run.running]).toEqual([null, false]);
    expect(() => run.send('too early')).toThrow(/No session is open yet/);
  });
});

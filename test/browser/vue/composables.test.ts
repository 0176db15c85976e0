import { describe, expect, it, vi } from 'vitest';
import { createApp, defineComponent, h, ref, watch, type App, type Ref } from 'vue';
import { useRun, useSession } from 'rolezero/vue';
import { ask, say, scripted, until, useComponents } from '../client/component-sessions.js';
import { write } from '../client/scripted-session.js';

const apps: App[] = [];
useComponents(() => {
  for (const app of apps.splice(0)) app.unmount();
});

type Open = ReturnType<typeof scripted>['open'];

interface Mounted {
  element: HTMLElement;
  run: ReturnType<typeof useRun>;
  view: ReturnType<typeof useSession>;
  /** How often the component was rendered. */
  renders: () => number;
  unmount: () => void;
}

/** Mounts a component that shows the text, the question and the activity of a session. */
function mount(name: string | Ref<string>, open: Open): Mounted {
  let seen: Pick<Mounted, 'run' | 'view'> | undefined;
  let renders = 0;
  const Agent = defineComponent({
    setup() {
      const view = useSession(name, open);
      const run = useRun(view.session);
      seen = { view, run };
      const { text, question, activity } = run;
      return () => {
        renders++;
        return h('p', [text.value, '|', question.value?.text, '|', activity.value]);
      };
    },
  });
  const element = document.createElement('div');
  const app = createApp(Agent);
  app.mount(element);
  apps.push(app);
  if (seen === undefined) throw new Error('The component was not set up.');
  const unmount = (): void => {
    app.unmount();
    apps.splice(apps.indexOf(app), 1);
  };
  return { element, ...seen, renders: () => renders, unmount };
}

describe('a session in Vue', () => {
  it('is opened once, follows a run to its end, and is released', async () => {
    const { open, opened } = scripted({ script: [say('Hello!')] });
    const one = mount('vue-run', open);
    const other = mount('vue-run', open);
    expect([one.view.session.value, one.run.running.value]).toEqual([null, false]);
    expect(() => one.run.send('too early')).toThrow(/No session is open yet/);
    await until(() => one.view.session.value !== null);
    expect(opened()).toBe(1);
    const isFollowed = new Promise<void>((resolve) => {
      watch(other.run.running, (running) => running && resolve(), { flush: 'sync' });
    });
    const run = one.run.send('greet me');
    await isFollowed;
    expect(await run.result()).toMatchObject({ status: 'done' });
    await until(() => one.element.textContent === 'Hello!||');
    expect(other.element.textContent).toBe('Hello!||');
    expect(one.run.result.value).toEqual({ status: 'done', summary: 'Hello!', error: null });
    one.unmount();
    other.unmount();
    const again = await vi.waitFor(() => open('vue-run'), { timeout: 20_000 });
    expect(again.lastRun?.status).toBe('done');
    await again.close();
  });

  it('shows the open question and continues when it is answered', async () => {
    const { open } = scripted({ script: [ask, say('Painted.')] });
    const { element, view, run } = mount('vue-ask', open);
    await until(() => view.session.value !== null);
    run.send('paint');
    await until(() => run.result.value?.status === 'waiting');
    await until(() => element.textContent.includes('|Which color?|Waiting for your answer'));
    await run.answer('green');
    await until(() => element.textContent === 'Painted.||');
    expect(run.resumable.value).toBe(false);
  });

  it('shows an approval request with the command, runs it after a yes, and does not after a no', async () => {
    const policy = [{ tool: 'Editor.write', do: 'ask' as const }];
    const script = [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')];
    const { open } = scripted({ script, policy });
    const { element, view, run } = mount('vue-approve', open);
    await until(() => view.session.value !== null);
    run.send('write');
    await until(() => element.textContent.includes('|May Zero change /a.txt?|Waiting for your approval'));
    expect(run.question.value?.command).toEqual({
      name: 'Editor.write',
      args: { path: '/a.txt', content: 'one' },
    });
    await run.answer('yes');
    await until(() => run.question.value?.command?.args['path'] === '/b.txt');
    await run.answer('no');
    await until(() => element.textContent === 'Done.||');
    expect((await view.session.value?.files.list())?.map(({ path }) => path)).toEqual(['/a.txt']);
  });

  it('sends files with a request', async () => {
    const { open } = scripted({ script: [say('Read.')] });
    const { element, view, run } = mount('vue-files', open);
    await until(() => view.session.value !== null);
    run.send('read it', { files: [new File(['Hi'], 'a.txt', { type: 'text/plain' })] });
    await until(() => element.textContent === 'Read.||');
    expect(await view.session.value?.files.read('/uploads/a.txt')).toBe('Hi');
  });

  it('opens another session for another name, and shows why one could not be opened', async () => {
    const name = ref('vue-first');
    const { open } = scripted({});
    const { view } = mount(name, open);
    await until(() => view.session.value?.name === 'vue-first');
    name.value = 'vue-second';
    await until(() => view.session.value?.name === 'vue-second');
    const failing = mount('vue-failing', scripted({ fail: 'No key.' }).open);
    await until(() => failing.view.error.value !== null);
    expect(failing.view.error.value?.message).toContain('No key.');
  });

  it('renders far less often than the model streams', async () => {
    const words = 10_000;
    const { open } = scripted({ script: [say('word '.repeat(words))] });
    const { view, run, renders } = mount('vue-deltas', open);
    await until(() => view.session.value !== null);
    await run.send('talk').result();
    await until(() => !run.running.value);
    expect(renders()).toBeLessThan(words / 5);
  });
});

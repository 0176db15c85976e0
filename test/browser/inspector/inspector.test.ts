import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectOptions, Session } from 'rolezero';
import { showInspector, type InspectorWords } from 'rolezero/inspector';
import { say, scripted, until, useComponents } from '../client/component-sessions.js';
import { write } from '../client/scripted-session.js';

const shown: (() => void)[] = [];
const sessions: Session[] = [];

useComponents(() => {
  for (const remove of shown.splice(0)) remove();
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

async function opened(
  name: string,
  config: Parameters<typeof scripted>[0],
  options: Partial<ConnectOptions> = {},
): Promise<Session> {
  const session = await scripted(config, options).open(name);
  sessions.push(session);
  return session;
}

/** Shows an inspector, and uses it as a developer does. */
function inspect(session: Session | Promise<Session>, words: Partial<InspectorWords> = {}) {
  shown.push(showInspector(session));
  const inspector = document.querySelector('rolezero-inspector');
  if (inspector === null) throw new Error('no inspector is shown');
  inspector.words = words;
  const all = <Found extends HTMLElement = HTMLElement>(part: string) => [
    ...inspector.renderRoot.querySelectorAll<Found>(`[part="${part}"]`),
  ];
  const texts = (part: string) => all(part).map((each) => each.innerText.replaceAll(/\s+/g, ' ').trim());
  const openTab = async (name: string) => {
    all('tab')
      .find((tab) => tab.innerText === name)
      ?.click();
    await inspector.updateComplete;
  };
  return { inspector, all, texts, openTab };
}

describe('<rolezero-inspector>', () => {
  it('shows steps with the reply as received, the prompt as sent, tokens and results', async () => {
    const first = `I write it.\n${write('/a.txt', 'one')}`;
    const session = await opened('inspected', { script: [first, say('Done.')] });
    const { all, texts } = inspect(session);
    await session.send('Please write the file /a.txt').result();
    await until(() => texts('step').length >= 2 && texts('totals').length === 1);
    const steps = await session.steps();
    expect(texts('step').map((text) => text.replace(/\d.*/, ''))).toEqual(
      steps.map(({ replyId }) => (replyId === '' ? 'Zero, Answer ' : 'Zero, Step ')),
    );
    const { calls } = await session.usage();
    expect(texts('totals')[0]).toContain(`${calls} model calls`);

    all('step')[0]?.click();
    await until(() => texts('command').length === 1);
    expect(texts('command')[0]).toMatch(/^Editor\.write \d+ ms/);
    expect(texts('reply').some((text) => text.includes('I write it.'))).toBe(true);
    const call = steps[0]?.calls.find(({ reply }) => reply === first);
    const [prompt] = all<HTMLDetailsElement>('prompt').slice(-1);
    prompt?.querySelector('summary')?.click();
    await until(() => prompt?.querySelectorAll('pre').length !== 0);
    const sent = await session.prompt(call?.promptHash ?? '');
    const shownMessages = [...(prompt?.querySelectorAll('.message pre') ?? [])].map((pre) => pre.textContent);
    expect(shownMessages).toEqual(sent?.messages.map(({ content }) => content));
    expect(shownMessages.at(-1)).toContain('Please write the file /a.txt');
  });

  it('says that a prompt is no longer in memory after the session was opened again', async () => {
    const before = await opened('inspected-again', { script: [say('Done.')] });
    await before.send('Say that you are done').result();
    await before.close();
    const { all, texts } = inspect(await opened('inspected-again', { script: [] }));
    await until(() => texts('prompt').length > 0);
    all('prompt')[0]?.querySelector('summary')?.click();
    await until(() => texts('prompt')[0]?.includes('no longer in memory') === true);
  });

  it('replays the work from a step, with the replies of the steps before', async () => {
    const script = [write('/a.txt', 'one'), write('/b.txt', 'two'), say('Done.')];
    const session = await opened('inspected-replay', {
      script: [...script, write('/b.txt', 'other'), say('Done again.')],
    });
    const { all, texts } = inspect(session);
    await session.send('Please write two files').result();
    await until(() => texts('step').length >= 3 && session.running === null);
    all('step')[1]?.click();
    await until(() => texts('step-details')[0]?.startsWith('Zero, Step 2') === true);
    await until(() => all<HTMLButtonElement>('replay')[0]?.disabled === false);
    all('replay')[0]?.click();
    await until(() => session.running === null && session.lastRun?.summary.includes('again') === true);
    expect([await session.files.read('/a.txt'), await session.files.read('/b.txt')]).toEqual([
      'one',
      'other',
    ]);
    expect(texts('problem')).toEqual([]);
  });

  it('shows decisions about commands, what is allowed, and revokes it', async () => {
    const session = await opened('inspected-approvals', {
      script: [write('/a.txt', 'one'), write('/a.txt', 'two'), say('Done.')],
      policy: [{ tool: 'Editor.write', do: 'ask' as const, lifetime: 'session' as const }],
    });
    const { all, texts, openTab } = inspect(session);
    await session.send('Write').result();
    await session.answer(session.waiting?.id ?? '', 'session');
    await session.resume().result();
    await openTab('Approvals and labels');
    await until(() => texts('approval').length > 0 && texts('decision').length > 0);
    expect(texts('decision')[0]).toContain('Zero Editor.write: Asked, the user answered yes');
    expect(texts('approval')[0]).toContain('for the whole session');
    all('revoke')[0]?.click();
    await until(() => texts('approval').length === 0);
    expect(await session.approvals.list()).toEqual([]);
  });

  it('shows what is stored, in the words of the page; arrow keys move between the tabs', async () => {
    const session = await opened('inspected-storage', { script: [write('/a.txt', 'one'), say('Done.')] });
    const { inspector, all, texts } = inspect(Promise.resolve(session), { storage: 'Data' });
    await session.send('Write').result();
    all('tab')[0]?.focus();
    for (let pressed = 0; pressed < 2; pressed++) {
      inspector.shadowRoot?.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
      );
      await inspector.updateComplete;
      await inspector.updateComplete;
    }
    await until(() => texts('storage')[0]?.includes('1 file, 3 B') === true);
    expect((inspector.shadowRoot?.activeElement as HTMLElement | null)?.innerText).toBe('Data');
  });

  it('shows why a session could not be opened', async () => {
    const failing = Promise.reject<Session>(new Error('The worker is missing.'));
    failing.catch(() => undefined);
    const { texts } = inspect(failing);
    await until(() => texts('problem')[0]?.includes('The worker is missing.') === true);
  });
});

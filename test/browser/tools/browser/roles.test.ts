import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageToolContext, SessionFiles } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import type { FrameReply } from '../../../../src/tools/browser/frame-protocol.js';
import { idIn } from './steps.js';

const PAGE = `<!doctype html><title>Note</title><label>Note <input></label><button>Busy</button><script>
  const say = (text) => document.body.append(text + ' ');
  document.querySelector('input').onblur = () => say('left');
  document.querySelector('button').onclick = () => { let n = 0; const timer = setInterval(() => { document.title = 'n' + n; if (++n === 10) clearInterval(timer); }, 50); };
</script>`;

const files = {
  stat: (path: string) => Promise.resolve({ path, type: 'file', size: 1, modifiedAt: 0 }),
  readBytes: () => Promise.resolve(new TextEncoder().encode(PAGE)),
} as unknown as SessionFiles;
const element = document.createElement('div');
element.style.cssText = 'position:relative;width:600px;height:400px';
beforeAll(() => document.body.append(element));
afterAll(() => element.remove());

const context: PageToolContext = {
  signal: new AbortController().signal,
  callId: '1',
  session: { name: 'roles' },
  files,
};

test('roles have their own tabs and take turns; the acting one is in front, and actions in between are reported', async () => {
  const page = frame({ element, quiet: 100 });
  const done: string[] = [];
  const say = async (role: string, action: object): Promise<FrameReply> => {
    const request = { role, action, known: null, since: 0, limit: 10_000 };
    const reply = (await page.call(request, context)) as FrameReply;
    done.push(role);
    return reply;
  };
  const type = (seen: FrameReply, text: string): object => ({
    do: 'act',
    request: { kind: 'type', element: idIn(seen.view?.text ?? '', "textbox 'Note'"), text },
  });
  const open = { do: 'goto', url: '/note.html' };
  const [ann, ben] = await Promise.all([say('Ann', open), say('Ben', open)]);
  await say('Ann', type(ann, 'from Ann'));
  done.length = 0;

  const busy = { kind: 'click', element: idIn(ann.view?.text ?? '', "button 'Busy'") };
  const [, wrote] = await Promise.all([
    say('Ann', { do: 'act', request: busy }),
    say('Ben', type(ben, 'from Ben')),
  ]);
  expect(done).toEqual(['Ann', 'Ben']);
  expect(wrote.view?.text).toContain("'from Ben'");
  expect(wrote.view?.text).not.toContain('from Ann');
  expect(wrote.notices).toEqual([]);
  const layers = [...element.querySelectorAll<HTMLElement>('.rolezero-pages')];
  expect(layers.map(({ dataset, style }) => [dataset['role'], style.zIndex])).toEqual([
    ['Ann', '0'],
    ['Ben', '1'],
  ]);

  const again = await say('Ann', type(ann, '!'));
  expect(again.view?.text).toContain("'from Ann!'");
  expect(again.notices.join()).toContain('Another role has used its own page in this window');
  const looked = await say('Ann', { do: 'look', page: 1 });
  expect(looked.notices).toEqual([]);
});

test('has at most ten browsers: those that were unused for longest are closed', async () => {
  const page = frame({ element, quiet: 100 });
  const call = async (role: string, action: object): Promise<FrameReply> => {
    const request = { role, action, known: null, since: 0, limit: 10_000 };
    return (await page.call(request, context)) as FrameReply;
  };
  const roles = () =>
    [...element.querySelectorAll<HTMLElement>('.rolezero-pages')].map(({ dataset }) => dataset['role']);
  const before = roles().length;
  const open = { do: 'goto', url: '/note.html' };
  const first = await call('Zero', open);
  for (let number = 1; number < 10; number++) await call(`Zero>${number}`, open);
  await call('Zero', { do: 'look', page: 1 });
  await call('Zero>10', open);
  expect(roles().slice(before)).toEqual([
    'Zero',
    ...Array.from({ length: 9 }, (_, index) => `Zero>${index + 2}`),
  ]);
  expect(first.view?.text).toContain("textbox 'Note'");
});

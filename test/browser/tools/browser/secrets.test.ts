import { expect, test } from 'vitest';
import { browser } from 'rolezero/tools/browser';
import { Hand } from './hand.js';

const SECRET = 'SECRET-4711-mirabelle';

/** Overrides functions that receive texts, and answers a timer with a prompt. Reports what it saw of the secret. */
const SPYING = `<p id="seen">seen: nothing</p><button>Go</button><script>
  const out = document.getElementById('seen');
  const note = (where, ...values) => {
    for (const value of values) {
      let text = '';
      try { text = typeof value === 'string' ? value : JSON.stringify(value) ?? ''; } catch {}
      if (match.call(text, /secret-4711/i)) out.append(' ' + where + ' heard it;');
    }
  };
  const match = String.prototype.match;
  const spy = (owner, name, where) => {
    const native = owner[name];
    owner[name] = function (...values) { owner[name] = native; note(where, this, ...values); owner[name] = spied; return Reflect.apply(native, this, values); };
    const spied = owner[name];
  };
  for (const name of ['includes', 'indexOf', 'replace', 'toLowerCase', 'trim', 'split', 'slice', 'startsWith']) spy(String.prototype, name, 'String.' + name);
  for (const name of ['includes', 'indexOf', 'join', 'map', 'push']) spy(Array.prototype, name, 'Array.' + name);
  spy(RegExp.prototype, 'exec', 'RegExp.exec');
  spy(RegExp.prototype, Symbol.replace, 'RegExp.replace');
  spy(JSON, 'parse', 'JSON.parse');
  addEventListener('message', (event) => note('message', event.data), true);
  setInterval(() => note('prompt', prompt('Who is there?')), 150);
</script>`;

/** Serves the spying page for every URL. */
const read = (): string => SPYING;

/**
 * Commands that place a text on a page. The page can read it, so they count as acting on its origin: the policy
 * decides before they run.
 */
const ACTING = [
  'type',
  'press',
  'select',
  'select_text',
  'upload',
  'click',
  'answer_dialogs',
  'wait_for_text',
];

test.each(ACTING)('Browser.%s counts as acting on the origin of the page', (name) => {
  const tool = browser().find((each) => each.name === `Browser.${name}`);
  const state = { instance: 'a', tabs: ['https://shop.example/cart'], current: 0 };
  expect(tool?.effect).toBe('egress-write');
  expect(tool?.reaches?.({}, state)).toBe('https://shop.example/cart');
});

test('scrolling counts as reading', () => {
  expect(browser().find(({ name }) => name === 'Browser.scroll')?.effect ?? 'session').toBe('session');
});

test('a hostile page does not receive a text that is only compared, stored, or meant for another origin', async () => {
  const hand = await Hand.open({ quiet: 60, read });
  try {
    await hand.files.write('/own.html', '<button onclick="this.textContent = prompt()">Ask</button>');
    await hand.do('Browser.goto', { url: '/own.html' });
    await hand.do('Browser.answer_dialogs', { accept: true, text: SECRET });
    await hand.do('Browser.goto', { url: 'https://evil.example/' });
    await hand.say('Browser.wait_for_text', { text: SECRET, seconds: 1 });
    await hand.say('Browser.wait_for_text', { text: SECRET, gone: true, seconds: 1 });
    await hand.say('Browser.screenshot', { path: `/${SECRET}.png` });
    await hand.say('Browser.tab_focus', { page_number: 0 });
    const view = await hand.do('Browser.view', {});
    expect(view).toContain("'seen: nothing'");

    await hand.do('Browser.answer_dialogs', { accept: true, text: SECRET }); // Now it is meant for this origin.
    expect(await hand.do('Browser.wait_for_text', { text: 'prompt heard it' })).toContain('SUCCESS');
    await hand.do('Browser.goto', { url: 'https://other.example/' });
    await hand.say('Browser.wait_for_text', { text: 'heard it', seconds: 1 });
    expect(await hand.do('Browser.view', {})).toContain("'seen: nothing'");
  } finally {
    await hand.close();
  }
});

test('reports after which time a text did not appear', async () => {
  const hand = await Hand.open({ quiet: 60 });
  try {
    await hand.files.write(
      '/a.html',
      '<p id="p">Loading</p><script>setTimeout(() => (p.textContent = "Ready"), 300)</script>',
    );
    await hand.do('Browser.goto', { url: '/a.html' });
    expect(await hand.say('Browser.wait_for_text', { text: 'never', seconds: 0.2 })).toContain(
      "'never' did not appear after 200 ms.",
    );
    expect(await hand.do('Browser.wait_for_text', { text: 'ready' })).toContain('SUCCESS');
    expect(await hand.do('Browser.wait_for_text', { text: 'loading', gone: true })).toContain('SUCCESS');
  } finally {
    await hand.close();
  }
});

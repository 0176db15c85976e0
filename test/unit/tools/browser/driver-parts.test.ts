import { describe, expect, it } from 'vitest';
import { combination } from '../../../../src/tools/browser/driver/actions/keys.js';
import { colorName } from '../../../../src/tools/browser/driver/view/look.js';
import {
  toPages,
  toText,
  viewDifference,
  type Line,
} from '../../../../src/tools/browser/driver/view/render.js';
import { collapse, quote } from '../../../../src/tools/browser/driver/view/quote.js';
import { elementIn } from '../../../../src/tools/browser/element-line.js';
import { read } from '../../../../src/core/schema.js';
import { driverText, fromDriver } from '../../../../src/tools/browser/protocol.js';

const lines = (...texts: string[]): Line[] =>
  texts.map((text) => ({
    key: text.trim().split(' ')[0] ?? '',
    depth: /^\t*/.exec(text)?.[0].length ?? 0,
    text: text.trim(),
    inView: true,
  }));

describe('texts in a view', () => {
  it('are quoted as Python does', () => {
    expect(['a', "it's", `it's "so"`, 'a\nb\\'].map(quote)).toEqual([
      "'a'",
      `"it's"`,
      `'it\\'s "so"'`,
      `'a\\nb\\\\'`,
    ]);
    expect(collapse(' a \u00a0\n b ')).toBe('a b');
  });

  it('name colors as users do', () => {
    const colors = [
      'rgb(255, 0, 0)',
      'rgb(0, 0, 254)',
      'rgb(229, 48, 48)',
      'rgba(0, 0, 0, 0)',
      'rgb(255, 192, 203)',
      'none',
    ];
    expect(colors.map(colorName)).toEqual(['red', 'blue', 'red #e53030', '', 'pink', '']);
  });
});

describe('an element of a view', () => {
  const view = [
    '[1] heading \'[2] button "Cancel"\'',
    '\t[2] button "Ada\'s cart" focused',
    "\t[3] textbox value: 'typed' focused",
    "\t[6] button hint: 'cart' 40x40 at 20,20",
    "\t[4] 'Basket' clickable",
    "\t[7.1] link 'A \\\\' clickable: x': 'text'",
    '[5] box red 40x40 at 20,20',
  ];

  it('has a role and a name, or else a hint', () => {
    expect(['2', '3', '6', '4', '7.1', '5', '8'].map((id) => elementIn(view, id))).toEqual([
      `button "Ada's cart"`,
      'textbox',
      "button hint: 'cart'",
      "'Basket'",
      "link 'A \\\\'",
      'box',
      null,
    ]);
  });
});

describe('the difference of two views', () => {
  it('has a sign for each kind of change, and the line a change is below', () => {
    const before = lines('1 list', '\t2 a', '\t3 b', '\t4 c', '5 end');
    const after = lines('1 list', '\t4 c', '\t2 a!', '\t6 new', '5 end');
    expect(viewDifference(before, after)).toBe('  1 list\n> \t4 c\n~ \t2 a!\n+ \t6 new\n- 3 b');
    expect(viewDifference(before, before)).toBe('');
  });

  it('shortens a long list of removed lines', () => {
    const before = lines(...Array.from({ length: 30 }, (_, n) => `${n} x`));
    expect(viewDifference(before, []).split('\n').length).toBe(13);
    expect(viewDifference(before, [])).toContain('- and 18 more lines');
  });
});

describe('pages of a view', () => {
  it('contain every line once, starting at the visible part, with context lines', () => {
    const all = lines('0 root', ...Array.from({ length: 20 }, (_, n) => `\t${n + 1} line`));
    for (const line of all.slice(1, 11)) line.inView = false;
    const pages = toPages(all, 60);
    expect(pages.every((page) => toText(page).length <= 60 + 10)).toBe(true);
    expect(pages.every((page) => page[0]?.key === '0')).toBe(true);
    expect(
      pages
        .flat()
        .map(({ key }) => Number(key))
        .filter((key) => key !== 0),
    ).toEqual([
      ...Array.from({ length: 10 }, (_, n) => n + 11),
      ...Array.from({ length: 10 }, (_, n) => n + 1),
    ]);
  });
});

describe('keys', () => {
  it('are read from combinations, with Meta as Control off macOS', () => {
    const names = (text: string, isMac = false) => combination(text, isMac)?.map(({ key }) => key) ?? null;
    expect(names('Control+Shift+k')).toEqual(['Control', 'Shift', 'k']);
    expect(names('Meta+a')).toEqual(['Control', 'a']);
    expect(names('cmd+a', true)).toEqual(['Meta', 'a']);
    expect(names('Control++')).toEqual(['Control', '+']);
    expect([names('+'), names('F5'), names('page_down'), names('esc')]).toEqual([
      ['+'],
      ['F5'],
      ['PageDown'],
      ['Escape'],
    ]);
    expect([names('Foo'), names('Control+'), names('')]).toEqual([null, null, null]);
  });
});

describe('the protocol', () => {
  it('rejects invalid data of a page', () => {
    const answers = [
      { type: 'event', event: { event: 'navigate', url: 'x'.repeat(5_000) } },
      { type: 'event', event: { event: 'console', level: 'shout', text: 'a' } },
      { type: 'event', event: { event: 'title', title: 't'.repeat(201) } },
      { type: 'answer', id: 1, ok: false, code: 'root', message: 'm' },
      null,
      'ready',
    ];
    expect(answers.map((message) => read(fromDriver, message).success)).toEqual(answers.map(() => false));
  });

  it('writes settings that cannot end the script', () => {
    const text = driverText('run()', {
      nonce: 'n',
      url: 'https://a.invalid/</script><!--\u2028',
      firstId: 1,
      dialogs: { accept: false, text: null },
    });
    expect(text).not.toMatch(/<|\u2028/);
    expect(text.split('\n')).toHaveLength(2);
  });
});

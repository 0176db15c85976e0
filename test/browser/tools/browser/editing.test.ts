import { afterEach, describe, expect, it } from 'vitest';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';

let page: DrivenPage;
afterEach(() => page.close());

async function open(html: string): Promise<void> {
  page = await DrivenPage.open(html);
}

async function type(line: string, text: string, clear = false): Promise<string> {
  const { report } = await page.ask({ kind: 'type', element: idIn(await page.view(), line), text, clear });
  return report;
}

/** An editor that owns its text: it prevents the edits of the browser, and shows its own text a little later, as frameworks do. */
const OWN_EDITOR = `<div id="e" contenteditable aria-label="Note"></div><p id="o"></p><script>
  let model = '';
  e.addEventListener('beforeinput', (event) => {
    event.preventDefault();
    const { inputType, data } = event;
    if (inputType === 'insertText') model += data;
    else if (inputType === 'insertParagraph') model += '|';
    else if (inputType === 'deleteContentBackward') model = model.slice(0, -1);
    setTimeout(() => { e.textContent = model; o.textContent = 'model ' + model + ' ranges ' + event.getTargetRanges().length; });
  });
  e.addEventListener('input', () => { model += ' (input)'; });
</script>`;

/** A plain rich text field that lists its input events. */
const RICH = `<div id="e" contenteditable aria-label="Note">ab</div><p id="o"></p><script>
  const seen = [];
  for (const name of ['beforeinput', 'input'])
    e.addEventListener(name, ({ type, inputType, data }) => { seen.push(type + ' ' + inputType + ' ' + data); o.textContent = seen.join(', '); });
</script>`;

describe('rich text', () => {
  it('is edited by an editor that owns its text', async () => {
    await open(OWN_EDITOR);
    const report = await type("textbox 'Note'", 'Hi\nyou');
    await page.ask({ kind: 'press', keys: 'Backspace' });
    expect(report).toMatch(/^Typed 'Hi\\nyou' into textbox 'Note'\./);
    expect(report).not.toContain('still holds');
    expect(await page.view()).toContain("'model Hi|yo ranges 1'");
  });

  it('gets beforeinput and input once for each character and each deletion', async () => {
    await open(RICH);
    await type("textbox 'Note'", 'c');
    await page.ask({ kind: 'press', keys: 'Backspace' });
    expect(await page.view()).toContain(
      "'beforeinput insertText c, input insertText c, beforeinput deleteContentBackward null, input deleteContentBackward null'",
    );
    expect(await page.view()).toContain("'ab'");
  });

  it('says what a deletion removes', async () => {
    await open(
      `<div id="e" contenteditable aria-label="Note">one two</div><p id="o"></p><script>e.addEventListener('beforeinput', (event) => { event.preventDefault(); o.textContent = event.inputType + ' ' + event.getTargetRanges().map(({ startOffset, endOffset }) => startOffset + '-' + endOffset) })</script>`,
    );
    await page.ask({ kind: 'click', element: idIn(await page.view(), "textbox 'Note'") });
    await page.ask({ kind: 'press', keys: 'End Backspace' });
    expect(await page.view()).toContain("'deleteContentBackward 6-7'");
  });
});

describe('a plain field', () => {
  it('lets a page refuse characters before they are typed', async () => {
    await open(
      `<input id="i" aria-label="Code" oninput="o.textContent = 'value ' + value"><p id="o"></p><script>i.addEventListener('beforeinput', (event) => { if (/\\D/.test(event.data ?? '')) event.preventDefault() })</script>`,
    );
    await type("textbox 'Code'", '1a2');
    expect(await page.view()).toContain("'value 12'");
  });

  it.each([
    ['number', "spinbutton 'F'", '7', '12', '712'],
    ['email', "textbox 'F'", 'a@b.c', 'd', 'a@b.cd'],
    ['url', "textbox 'F'", 'https://a.example/', 'b', 'https://a.example/b'],
    ['text', "textbox 'F'", 'ab', 'c', 'abc'],
  ])(
    'of type %s is typed into after its content, or instead of it when it is cleared',
    async (kind, line, before, text, after) => {
      await open(`<input type="${kind}" aria-label="F" value="${before}"><input aria-label="Other">`);
      await type(line, text);
      expect(await page.view()).toContain(`value: ${/^\d+$/.test(after) ? after : `'${after}'`}`);
      await type("textbox 'Other'", 'x');
      await type(line, before, true);
      expect(await page.view()).toContain(`value: ${/^\d+$/.test(before) ? before : `'${before}'`}`);
    },
  );
});

/** A box that follows the mouse, and says where it is. Nothing but its text is in the view. */
const BOX = `<style>body{margin:0}#b{position:absolute;left:20px;top:20px;width:40px;height:40px}</style><canvas width="300" height="200" style="position:absolute;left:0;top:0"></canvas><div id="b">Card</div><p id="o" style="position:absolute;top:300px"></p><script>
  let from = null;
  document.addEventListener('mousedown', (e) => { from = e.target === b || e.target.localName === 'canvas' ? [e.clientX, e.clientY, e.target.localName] : null });
  document.addEventListener('mouseup', (e) => { if (from) o.textContent = from[2] + ' by ' + Math.round(e.clientX - from[0]) + ',' + Math.round(e.clientY - from[1]) + ' onto ' + (document.elementFromPoint(e.clientX, e.clientY).id || 'page'); from = null });
</script><div id="t" style="position:absolute;left:200px;top:100px">Basket</div>`;

describe('a drag', () => {
  it('begins at a text and ends at one', async () => {
    await open(BOX);
    const { report } = await page.ask({ kind: 'drag', text: 'Card', toText: 'Basket' });
    expect(report).toMatch(/^Dragged .*'Card' to 'Basket'\.$/);
    expect(await page.view()).toMatch(/div by 1\d\d,\d\d onto t/);
  });

  it('begins and ends at points of the window', async () => {
    await open(BOX);
    await page.ask({ kind: 'drag', from: { x: 100, y: 150 }, at: { x: 130, y: 160 } });
    expect(await page.view()).toContain("'canvas by 30,10 onto page'");
    await page.ask({ kind: 'drag', from: { x: 40, y: 40 }, by: { x: 10, y: 5 } });
    expect(await page.view()).toContain("'div by 10,5 onto b'");
  });

  it('needs something to drag', async () => {
    await open(BOX);
    await expect(page.ask({ kind: 'drag', by: { x: 1, y: 1 } })).rejects.toThrow('Nothing is there to drag');
    await expect(page.ask({ kind: 'drag', text: 'Nowhere', by: { x: 1, y: 1 } })).rejects.toThrow(
      "does not hold the text 'Nowhere'",
    );
  });
});

describe('a button that only shows an icon', () => {
  const svg = '<svg width="16" height="16" viewBox="0 0 16 16"><path class="stroke" d="M1 1h9v9z"/></svg>';

  it.each([
    ['its label', `<button aria-label="Bin" class="icon-trash">${svg}</button>`, "button 'Bin'"],
    ['its title', `<button title="Bin" class="icon-trash">${svg}</button>`, "button 'Bin'"],
    ['its own class', `<button class="btn icon-trash">${svg}</button>`, "button icon: 'trash'"],
    ['its own class without content', `<button class="btn icon-trash"></button>`, "button icon: 'trash'"],
    ['its classes', `<button class="ql-bold">${svg}</button>`, "button hint: 'ql-bold'"],
    ['its id', `<button id="delete">${svg}</button>`, "button hint: 'delete'"],
  ])('is named by %s', async (_, html, line) => {
    await open(`${html}<p>Text</p>`);
    expect((await page.view()).replaceAll(/\[\d+\] /g, '')).toContain(line);
  });
});

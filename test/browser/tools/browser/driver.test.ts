import { afterEach, describe, expect, it } from 'vitest';
import type { DriverEvent, DriverRequest, DriverSettings } from '../../../../src/tools/browser/protocol.js';
import { DrivenPage, type Files } from './driven-page.js';
import { idIn } from './steps.js';
import { engine } from '../../engine.js';

let page: DrivenPage;
afterEach(() => page.close());

async function open(html: string, settings?: Partial<DriverSettings>, files?: Files): Promise<DrivenPage> {
  page = await DrivenPage.open(html, settings, files);
  return page;
}

async function id(line: string): Promise<string> {
  return idIn(await page.view(), line);
}

async function refusal(request: DriverRequest): Promise<string> {
  return page.ask(request).then(
    () => 'was done',
    (error: unknown) => (error as Error).message,
  );
}

function eventsOf<Name extends DriverEvent['event']>(name: Name): Extract<DriverEvent, { event: Name }>[] {
  return page.events.filter((event): event is Extract<DriverEvent, { event: Name }> => event.event === name);
}

describe('the view', () => {
  it('indents by level, shows ids, roles, quoted names and states, and drops containers without content', async () => {
    await open(
      `<main><section><h1>It's "so"</h1><ul><li>one <b>bold</b> word</li></ul><fieldset><legend>Size</legend><label><input type="checkbox" checked>Large</label></fieldset><button disabled>Go</button></section></main>`,
    );
    expect(await page.view()).toBe(
      [
        `[1] heading 'It\\'s "so"'`,
        `'one bold word'`,
        `[3] group 'Size'`,
        `\t[2] checkbox 'Large' checked`,
        `[4] button 'Go' disabled`,
      ].join('\n'),
    );
  });

  it('contains the addresses of links, and no content of data: URLs', async () => {
    await open(
      `<style>.p::after{content:url("data:image/svg+xml;base64,PHN2Zy8+") "!";}</style><p class="p">Up</p><a href="b?c=1#d">Here</a> <a href="//x.example/">There</a> <a href="#top">Top</a> <a href="mailto:a@b.example">Mail</a> <a href="javascript:go()">Go</a>`,
    );
    expect(await page.view()).toBe(
      [
        `'Up'`,
        `[1] link 'Here' url: /b?c=1#d`,
        `[2] link 'There' url: https://x.example/`,
        `[3] link 'Top'`,
        `[4] link 'Mail' url: mailto:a@b.example`,
        `[5] link 'Go'`,
      ].join('\n'),
    );
  });

  it('reports no changes of elements that were never visible, and those while the page is watched', async () => {
    await open(
      `<div id="h" style="display:none">Hidden</div><div id="v">Shown</div><button id="b">Go</button><script>const blink = async (d, wait) => { await new Promise(r => setTimeout(r, wait)); d.className = 'x'; await new Promise(r => setTimeout(r, 20)); d.className = '' }; b.onclick = () => { blink(h, 0); blink(v, 400) }</script>`,
    );
    const { notes } = await page.ask({ kind: 'click', element: await id("button 'Go'") });
    expect(notes).toEqual([]);
    const watched = await page.ask({ kind: 'watch', duration: 800 });
    expect(watched.notes).toEqual([expect.stringMatching(/in this order: \[\d+\] div 'Shown'\.$/)]);
  });

  it('says whether a field that takes no text is empty or unchanged', async () => {
    await open(
      `<input aria-label="Code" value="old"><input aria-label="Fixed" value="same"><script>const [, b] = document.querySelectorAll('input'); onkeydown = e => e.preventDefault(); b.oninput = () => b.value = 'same'</script>`,
    );
    const type = async (name: string) =>
      (await page.ask({ kind: 'type', element: await id(`textbox '${name}'`), text: 'x', clear: true }))
        .notes;
    expect(await type('Code')).toEqual(['The field is empty now.']);
    expect(await type('Fixed')).toEqual(['The field still holds what it held before.']);
  });

  it(
    'lists in order what appeared and disappeared while an action was waited for',
    { tags: 'chromium' },
    async () => {
      await open(
        `<div id="g"><div id="a" style="width:30px;height:30px;background:red"></div><div id="b" style="width:30px;height:30px;background:blue"></div></div><button id="p">Play</button><script>p.onclick = async () => { const m = document.createElement('p'); m.textContent = 'Listen'; document.body.append(m); for (const d of [b, a, b]) { d.className = 'lit'; await new Promise(r => setTimeout(r, 40)); d.className = ''; await new Promise(r => setTimeout(r, 20)) } m.remove() }</script>`,
      );
      const [red, blue] = [await id('box red'), await id('box blue')];
      const { notes } = await page.ask({ kind: 'click', element: await id("button 'Play'") });
      expect(notes.join(' ').match(/\[\d+\]/g)).toEqual([`[${blue}]`, `[${red}]`, `[${blue}]`]);
      expect(notes).toContain("Shown for a moment: 'Listen'.");
    },
  );

  it('keeps the id of an element while it exists, and never reuses one', async () => {
    await open(
      `<button id="a">A</button><button id="b">B</button><script>b.onclick = () => { a.remove(); document.body.append(Object.assign(document.createElement('button'), { textContent: 'C' })) }</script>`,
      {
        firstId: 40,
      },
    );
    const [a, b] = [await id("button 'A'"), await id("button 'B'")];
    expect([a, b]).toEqual(['40', '41']);
    await page.ask({ kind: 'click', element: b });
    expect(await id("button 'B'")).toBe(b);
    expect(await id("button 'C'")).toBe('42');
    expect(await refusal({ kind: 'click', element: a })).toBe(
      'not-found: Element 40 not found. Look at the page again for its elements.',
    );
  });

  it('shows only changes after an action', async () => {
    await open(
      `<ul>${Array.from({ length: 30 }, (_, n) => `<li><a href="#">Entry ${n}</a></li>`).join('')}</ul><button id="b">Add</button><p id="gone">old</p><script>b.onclick = () => { b.textContent = 'Added'; gone.remove(); b.insertAdjacentHTML('afterend', '<p>fresh</p>') }</script>`,
    );
    await page.ask({ kind: 'click', element: await id("button 'Add'") });
    const view = await page.ask({ kind: 'view', changes: true });
    expect(view.text).toBe(`~ [31] button 'Added' focused\n+ 'fresh'\n- 'old'`);
    expect(view.changes).toBe(true);
    expect(view.tokens).toBeLessThan(view.allTokens / 5);
    expect((await page.ask({ kind: 'view', changes: true })).text).toBe('(nothing changed)');
  });

  it('names entries that moved', async () => {
    await open(
      `<h1>A list of things to sort</h1><ul id="l"><li><button>one</button></li><li><button>two</button></li><li><button>three</button></li></ul><button id="b">Last first</button><script>b.onclick = () => l.prepend(l.lastChild)</script>`,
    );
    await page.ask({ kind: 'click', element: await id("button 'Last first'") });
    const { text } = await page.ask({ kind: 'view', changes: true });
    expect(text).toBe("> [4] button 'three'\n~ [5] button 'Last first' focused");
  });

  it('is paged, starting with what is in view', async () => {
    await open(
      `<div id="l" role="list" aria-label="All">${Array.from({ length: 300 }, (_, n) => `<p>Paragraph number ${n}</p>`).join('')}</div>`,
    );
    const first = await page.ask({ kind: 'view', limit: 3_000 });
    expect(first.pages).toBeGreaterThan(2);
    expect(first.text.length).toBeLessThan(3_100);
    const all: string[] = [];
    for (let n = 1; n <= first.pages; n++)
      all.push((await page.ask({ kind: 'view', limit: 3_000, page: n })).text);
    for (let n = 0; n < 300; n++)
      expect(all.filter((text) => text.split('\n').includes(`\t'Paragraph number ${n}'`)).length).toBe(1);
    await page.ask({ kind: 'scroll', direction: 'down' });
    await page.ask({ kind: 'scroll', direction: 'down' });
    const later = await page.ask({ kind: 'view', limit: 3_000 });
    expect(later.text).toMatch(/^\[1\] list 'All'\n\t'Paragraph number (3\d|4\d)'/);
    expect(await refusal({ kind: 'view', page: 99 })).toContain('there is no page 99');
  });

  it('does not repeat the label of a field, and shows the state of a label whose field is hidden', async () => {
    await open(`<label for="a">First</label><input id="a"><label><input type="radio" hidden>Pick</label>`);
    expect(await page.view()).toBe("[1] textbox 'First'\n[2] radio 'Pick'");
  });

  it('omits hidden elements', async () => {
    await open(
      `<p hidden>a</p><p style="display:none">b</p><p style="visibility:hidden">c<b style="visibility:visible">d</b></p><p aria-hidden="true">e</p><details><summary>f</summary>g</details><template>h</template>`,
    );
    expect(await page.view()).toBe("'d'\n[1] summary 'f' collapsed");
  });
});

describe('typing', () => {
  const press = (keys: string) => page.ask({ kind: 'press', keys });
  const log = `<p id="o"></p><script>const say = (...words) => { o.textContent += words.join(' ') + '; ' }</script>`;
  const typeInto = async (line: string, text: string) =>
    page.ask({ kind: 'type', element: await id(line), text });

  it('fills fields of every kind with the events of a user', async () => {
    await open(
      `${log}<input aria-label="A" maxlength="4"><input aria-label="N" type="number"><input aria-label="M" type="email"><textarea aria-label="T"></textarea><div aria-label="E" contenteditable></div><script>for (const type of ['focusin', 'focusout', 'change']) addEventListener(type, ({ target }) => say(type, target.ariaLabel)); const typed = []; addEventListener('input', ({ target, inputType, data }) => { if (target.ariaLabel === 'A') typed.push(inputType + ' ' + data + ' ' + document.activeElement.ariaLabel) })</script><button aria-label="Done" onclick="say(typed)">Done</button>`,
    );
    await typeInto("textbox 'A'", 'abcdef');
    await typeInto("spinbutton 'N'", '-1.5');
    await typeInto("textbox 'M'", 'a@b.example');
    await typeInto("textbox 'T'", 'one\ntwo');
    await typeInto("textbox 'E'", 'rich');
    await page.ask({ kind: 'click', element: await id("button 'Done'") });
    const inputs = ['a', 'b', 'c', 'd'].map((sign) => `insertText ${sign} A`).join();
    const left = (name: string) => `change ${name}; focusout ${name}; `;
    expect((await page.view()).split('\n')).toEqual([
      `'focusin A; ${left('A')}focusin N; ${left('N')}focusin M; ${left('M')}focusin T; ${left('T')}focusin E; focusout E; focusin Done; ${inputs};'`,
      "[1] textbox 'A' value: 'abcd'",
      "[2] spinbutton 'N' value: -1.5",
      "[3] textbox 'M' value: 'a@b.example'",
      "[4] textbox 'T' value: 'one\\ntwo'",
      "[5] textbox 'E' value: 'rich'",
      "[6] button 'Done' focused",
    ]);
  });

  it('moves the caret, selects, deletes and undoes with keys', async () => {
    await open(
      '<textarea aria-label="T"></textarea><input aria-label="I" value="one,"><input aria-label="N" type="number" value="12">',
    );
    await typeInto("textbox 'T'", 'first line\nsecond');
    await press('Home - ArrowUp End y Control+Backspace ArrowLeft Delete Shift+End Z');
    expect(await page.view()).toContain("'T' value: 'firstZ\\n-second' focused");
    await page.ask({ kind: 'click', element: await id("textbox 'I'") });
    await press('End Backspace Control+z');
    expect(await page.view()).toContain("'I' value: 'one,' focused");
    await press('Control+a Control+c ArrowRight Control+v Tab Control+a 7');
    expect(await page.view()).toContain("'I' value: 'one,one,'\n[3] spinbutton 'N' value: 7 focused");
  });

  it('sends a form once with Enter, after the change of its field', async () => {
    await open(
      `${log}<form id="f"><input aria-label="Q"><button>Find</button></form><script>f.onchange = () => say('change'); f.onsubmit = (event) => { event.preventDefault(); say('submit', f[0].value) }; f.querySelector('button').onclick = () => say('click')</script>`,
    );
    await page.ask({ kind: 'type', element: await id("textbox 'Q'"), text: 'hi', enter: true });
    expect(await page.view()).toContain("'change; click; submit hi;'");
  });

  it('goes to the field that the page or a label focuses, and shows what its focus shows', async () => {
    await open(
      `<style>#h { display: none } form:focus-within #h, #b:focus + #h { display: block }</style><button id="s">Search</button><dialog id="d"><input aria-label="In the dialog"></dialog><form><label for="b">Name</label><input id="b"><p id="h">Hint</p></form><script>s.onclick = () => d.showModal(); d.onclose = () => b.focus()</script>`,
    );
    await page.ask({ kind: 'click', element: await id("button 'Search'") });
    await page.ask({ kind: 'type', text: 'x' });
    expect(await page.view()).toContain("textbox 'In the dialog' value: 'x' focused");
    await press('Escape');
    await press('y');
    expect(await page.view()).toContain("textbox 'Name' value: 'y' focused\n'Hint'");
  });
});

it('reads and uses frames of the HTML, frames with files, and frames that scripts create', async () => {
  const button = (name: string) => `<button onclick="this.textContent += ' pressed'">${name}</button>`;
  await open(
    `<iframe title="A" srcdoc="${button('In').replaceAll('"', '&quot;')}"></iframe><iframe title="B" src="help.html"></iframe><script>const made = document.createElement('iframe'); made.title = 'C'; made.srcdoc = ${JSON.stringify(button('Made'))}; document.body.append(made)</script>`,
    {},
    { '/help.html': button('Help') },
  );
  for (const name of ['In', 'Help', 'Made'])
    await page.ask({ kind: 'click', element: await id(`button '${name}'`) });
  const shown = (await page.view()).replaceAll(/\[[\d.]+\] | focused/g, '').split('\n');
  expect(shown).toEqual([
    "iframe 'A'",
    "\tbutton 'In pressed'",
    "iframe 'B'",
    "\tbutton 'Help pressed'",
    "iframe 'C'",
    "\tbutton 'Made pressed'",
  ]);
});

it('taps and swipes elements that only handle touch', async () => {
  await open(
    `<div id="d" style="width:200px;height:60px;background:#eef">Card</div><p id="o"></p><script>let x; d.addEventListener('touchstart', e => { x = e.touches[0].clientX }); d.addEventListener('touchend', e => { const by = e.changedTouches[0].clientX - x; o.textContent += by < -40 ? 'swiped left' : 'tapped ' })</script>`,
  );
  const element = await id("clickable draggable 'Card'");
  await page.ask({ kind: 'click', element });
  await page.ask({ kind: 'drag', element, by: { x: -80, y: 0 } });
  expect(await page.view()).toContain("'tapped swiped left'");
});

describe('impossible actions are rejected with a reason', () => {
  it('a disabled button, a hidden one, a covered one', async () => {
    await open(
      `<button disabled>Off</button><button id="h">Away</button><button>Below</button><div role="dialog" aria-label="Sign up" style="position:fixed;inset:0;background:white"><button id="x">Hide it</button></div><script>x.onclick = () => h.style.display = 'none'</script>`,
    );
    expect(await refusal({ kind: 'click', element: await id("button 'Off'") })).toBe(
      "disabled: button 'Off' is disabled.",
    );
    expect(await refusal({ kind: 'click', element: await id("button 'Below'") })).toBe(
      "covered: button 'Below' is covered by dialog 'Sign up'. Close or move what covers it first.",
    );
    const away = await id("button 'Away'");
    await page.ask({ kind: 'click', element: await id("button 'Hide it'") });
    expect(await refusal({ kind: 'click', element: away })).toBe(
      "hidden: button 'Away' is not visible: it takes no room on the page.",
    );
  });

  it('the wrong command for a field names the right one', async () => {
    await open(
      `<select aria-label="S"><option>a</option><option disabled>b</option></select><input type="checkbox" aria-label="C"><input type="date" aria-label="D"><input readonly aria-label="R"><input type="file" aria-label="F"><button>B</button>`,
    );
    const element = await id("combobox 'S'");
    expect(await refusal({ kind: 'type', element, text: 'x' })).toContain("It has: 'a', 'b'.");
    expect(await refusal({ kind: 'select', element, options: ['z'] })).toBe(
      "no-option: combobox 'S' has no option 'z'. It has: 'a', 'b'.",
    );
    expect(await refusal({ kind: 'select', element, options: ['b'] })).toContain('is disabled');
    expect(await refusal({ kind: 'type', element: await id("checkbox 'C'"), text: 'x' })).toContain(
      'use check',
    );
    expect(await refusal({ kind: 'type', element: await id("textbox 'D'"), text: 'soon' })).toContain(
      'yyyy-mm-dd',
    );
    expect(await refusal({ kind: 'type', element: await id("textbox 'R'"), text: 'x' })).toContain(
      'read-only',
    );
    expect(await refusal({ kind: 'click', element: await id("button 'F'") })).toContain('upload');
    expect(await refusal({ kind: 'check', element: await id("button 'B'"), checked: true })).toContain(
      'click it',
    );
    expect(await refusal({ kind: 'press', keys: 'Controll+x' })).toContain('There is no key');
  });

  it('a sound that must not start, and an invalid time in it', { tags: 'chromium' }, async () => {
    await open(`<audio controls aria-label="Song"></audio>`);
    const element = await id("audio 'Song' paused");
    expect((await page.ask({ kind: 'click', element })).notes).toEqual([
      'It does not play: the browser blocks sound until the user has clicked into the page.',
    ]);
    expect(await refusal({ kind: 'type', element, text: 'loud' })).toContain('such as 0:42');
    expect(await refusal({ kind: 'type', element, text: '0:42' })).toContain('within its length');
  });

  it('an invalid form names the field', async () => {
    await open(`<form><label>Mail <input type="email" required></label><button>Join</button></form>`);
    const { report } = await page.ask({ kind: 'click', element: await id("button 'Join'") });
    const hint = engine === 'webkit' ? 'Fill out this field' : 'Please fill out this field.';
    expect(report).toBe(`Clicked button 'Join'. The form was not sent. textbox 'Mail': ${hint}`);
  });
});

describe('navigation is reported instead of followed', () => {
  it('links, also those whose click stops propagating; not prevented ones', async () => {
    await open(
      `<a href="two.html?x=1">Plain</a><div onclick="event.stopPropagation()"><a href="/three.html">Stopped</a></div><a href="four.html" onclick="event.stopPropagation(); event.preventDefault()">Prevented</a><a href="https://other.example/" target="_blank">New</a><a href="f.zip" download="g.zip">File</a><a href="#part">Part</a>`,
      { url: 'https://files.invalid/dir/index.html' },
    );
    const report: boolean[] = [];
    for (const name of ['Plain', 'Stopped', 'Prevented', 'New', 'File', 'Part'])
      report.push((await page.ask({ kind: 'click', element: await id(`link '${name}'`) })).left);
    expect(report).toEqual([true, true, false, false, false, false]);
    expect(eventsOf('navigate').map(({ url, how, popup }) => [url, how, popup])).toEqual([
      ['https://files.invalid/dir/two.html?x=1', 'link', false],
      ['https://files.invalid/three.html', 'link', false],
      ['https://other.example/', 'link', true],
    ]);
    expect(eventsOf('download')).toEqual([
      { event: 'download', url: 'https://files.invalid/dir/f.zip', name: 'g.zip', body: null },
    ]);
    expect(eventsOf('history').map(({ url }) => url)).toEqual(['https://files.invalid/dir/index.html#part']);
  });

  it('forms by GET and POST, with the pressed button, and submit() of a script', async () => {
    await open(
      `<form action="find"><input name="q" value="a b"><button name="how" value="fast">Find</button></form><form method="post" action="/save"><input name="n" value="1"><button>Save</button></form><form id="f" action="s"><input name="z" value="9"></form><button onclick="f.submit()">Script</button>`,
    );
    for (const name of ['Find', 'Save', 'Script'])
      expect((await page.ask({ kind: 'click', element: await id(`button '${name}'`) })).left).toBe(true);
    expect(eventsOf('navigate').map(({ url, method, fields }) => [url, method, fields])).toEqual([
      ['https://files.invalid/find?q=a+b&how=fast', 'get', []],
      ['https://files.invalid/save', 'post', [['n', '1']]],
      ['https://files.invalid/s?z=9', 'get', []],
    ]);
  });

  it('window.open, history.back at the start, and close', async () => {
    await open(
      `<button onclick="window.open('p.html').focus()">Open</button><button onclick="history.back()">Back</button><button onclick="window.close()">Close</button>`,
    );
    for (const name of ['Open', 'Back', 'Close'])
      await page.ask({ kind: 'click', element: await id(`button '${name}'`) });
    expect(eventsOf('navigate').map(({ url, how, popup }) => [url, how, popup])).toEqual([
      ['https://files.invalid/p.html', 'open', true],
      ['https://files.invalid/index.html', 'back', false],
    ]);
    expect(eventsOf('close').length).toBe(1);
  });
});

describe('messages of the page', () => {
  it('console output, errors and rejections are reported as shortened text', async () => {
    // WebKit hides errors of pages without an origin, as these are.
    const texts = { chromium: 'Uncaught Error: boom', firefox: 'Error: boom', webkit: 'Script error.' };
    const uncaught = texts[engine];
    await open(
      `<script>console.log('hi', { a: 1 }, [2]); console.warn('x'.repeat(9000)); setTimeout(() => { throw new Error('boom') }); Promise.reject(new Error('nope'))</script>`,
    );
    const log = eventsOf('console').map(({ level, text }) => [level, text.slice(0, 20), text.length]);
    expect(log).toEqual([
      ['log', 'hi {"a":1} [2]', 14],
      ['warn', 'x'.repeat(20), 2_000],
    ]);
    expect(
      eventsOf('error')
        .map(({ text }) => text.replace(/ \(line.*/, ''))
        .sort(),
    ).toEqual([uncaught, 'Unhandled rejection: Error: nope']);
  });

  it('dialogs are answered by the policy and reported with the action', async () => {
    await open(`<button onclick="o.textContent = confirm('Delete all?')">Delete</button><p id="o"></p>`, {
      dialogs: { accept: false, text: null },
    });
    const { report } = await page.ask({ kind: 'click', element: await id("button 'Delete'") });
    expect(report).toBe(
      "Clicked button 'Delete'. The page showed: confirm 'Delete all?' was answered: Cancel.",
    );
    expect(await page.view()).toContain("'false'");
  });

  it('stored data is reported and given to the next page', async () => {
    await open(
      `<script>localStorage.setItem('k', 'v'); sessionStorage.s = 1; document.cookie = 'c=2'</script>`,
    );
    expect(eventsOf('storage').map(({ area, key, value }) => [area, key, value])).toEqual([
      ['local', 'k', 'v'],
      ['session', 's', '1'],
      ['cookies', 'c', '2'],
    ]);
    page.close();
    await open(
      `<p id="o"></p><script>o.textContent = localStorage.k + sessionStorage.getItem('s') + document.cookie</script>`,
      {
        storage: { local: [['k', 'v']], session: [['s', '1']], cookies: [['c', '2']] },
      },
    );
    expect(await page.view()).toBe("'v1c=2'");
  });
});

describe('a hostile page', () => {
  it('cannot read the nonce or the driver, and cannot take the port', async () => {
    await open(
      `<p id="o">nothing</p><script>const found = []; if (document.documentElement.outerHTML.includes('ROLEZERO_' + 'DRIVER')) found.push('text'); addEventListener('message', e => found.push('message ' + JSON.stringify(e.data)), true); for (const s of document.scripts) if (s.textContent.length > 5000) found.push('script'); setTimeout(() => o.textContent = 'found: ' + found.join(), 30)</script>`,
    );
    expect(await page.view()).toBe("'found:'");
  });

  it('that replaces built-in functions does not stop the driver', async () => {
    await open(
      `<button id="b">Go</button><p id="o"></p><script>b.onclick = () => o.textContent = 'went'; MessagePort.prototype.postMessage = () => { throw 1 }; EventTarget.prototype.addEventListener = () => { throw 1 }; window.setTimeout = () => 0; performance.now = () => 0; Object.defineProperty(HTMLInputElement.prototype, 'value', { set() { throw 1 } })</script>`,
    );
    await page.ask({ kind: 'click', element: await id("button 'Go'") });
    expect(await page.view()).toContain("'went'");
  });
});

import type { Step } from '../../steps.js';
import { icon, script, taskPages, type RequestPages } from './request-pages.js';
// cspell:ignore novalidate inputmode Idafalse Maxtrue

/** Fields and controls of forms. */
const pages: RequestPages = {
  'Create an account for Lea with lea@mail.example and the password Blue-Whale-42.': {
    html: `<form id="f" novalidate><label for="n">Name</label><input id="n" required><label for="e">Email</label><input id="e" type="email" required>
      <label for="p">Password</label><input id="p" type="password"><label for="q">Repeat password</label><input id="q" type="password"><ul id="r"></ul>
      <label><input type="checkbox" id="a"> I accept the terms</label><button id="b" disabled>Create account</button></form>
      ${script(`const rules = [[/.{10}/, '10 characters'], [/[A-Z]/, 'a capital letter'], [/\\d/, 'a digit'], [/\\W/, 'a symbol']];
      f.oninput = () => { const open = rules.filter(([x]) => !x.test(p.value)); r.innerHTML = open.map(([, t]) => '<li>Needs ' + t + '</li>').join(''); b.disabled = open.length > 0 || p.value !== q.value || !f.checkValidity() || !a.checked };
      f.onsubmit = e => { e.preventDefault(); pass(n.value === 'Lea' && e.target.e.value === 'lea@mail.example' && p.value === 'Blue-Whale-42') }`)}`,
  },
  'Choose Portugal as the country and save.': {
    html: `<label id="l">Country</label><div class="wrap"><input role="combobox" aria-labelledby="l" aria-expanded="false" aria-controls="lb" aria-autocomplete="list" autocomplete="off" id="c"></div><button id="b">Save</button>
      ${script(`const all = ['Peru', 'Poland', 'Portugal', 'Puerto Rico', 'Spain']; let chosen = '', box;
      const close = () => { box?.remove(); box = undefined; c.ariaExpanded = 'false' };
      const open = () => { close(); box = document.createElement('div'); box.id = 'lb'; box.setAttribute('role', 'listbox'); box.style.cssText = 'position:absolute;top:120px;background:#fff;border:1px solid';
        for (const name of all.filter(x => x.toLowerCase().includes(c.value.toLowerCase()))) { const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = name; d.onmousedown = e => { e.preventDefault(); chosen = c.value = name; close() }; box.append(d) } document.body.append(box); c.ariaExpanded = 'true' };
      c.onfocus = c.oninput = () => { chosen = ''; open() }; c.onblur = () => { close(); if (!chosen) c.value = '' }; b.onclick = () => pass(chosen === 'Portugal')`)}`,
  },
  'Choose the stay from 3 June to 9 June 2026.': {
    html: `<style>td button{width:28px}td button.in{background:#9cf}</style><button id="t">Add dates</button><div id="cal" hidden></div>
      ${script(`let first = 4, from, to; const key = (m, d) => m * 100 + d;
      const month = m => { const lead = (new Date(2026, m, 1).getDay() + 6) % 7, days = new Date(2026, m + 1, 0).getDate(); let rows = '<tr>' + '<td></td>'.repeat(lead); for (let d = 1; d <= days; d++) { rows += '<td><button data-m="' + m + '" data-d="' + d + '"' + (m === 4 ? ' disabled' : '') + ' class="' + (key(m, d) >= from && key(m, d) <= (to ?? from) ? 'in' : '') + '">' + d + '</button></td>' + ((d + lead) % 7 ? '' : '</tr><tr>') } return '<table><caption>' + new Date(2026, m).toLocaleString('en', { month: 'long', year: 'numeric' }) + '</caption>' + rows + '</tr></table>' };
      const draw = () => { cal.innerHTML = '<button aria-label="Previous month">‹</button><button aria-label="Next month">›</button>' + month(first) + month(first + 1) };
      t.onclick = () => { cal.hidden = !cal.hidden; draw() };
      cal.onclick = e => { const x = e.target; if (x.ariaLabel) first += x.ariaLabel[0] === 'N' ? 1 : -1; else if (x.dataset.d) { const k = key(+x.dataset.m, +x.dataset.d); if (!from || to || k < from) { from = k; to = undefined } else to = k; t.textContent = from + ' to ' + (to ?? '…') } else return; draw(); pass(from === 503 && to === 509) }`)}`,
  },
  'Enter the code 482913 that came by SMS.': {
    html: `<p id="h">We sent a code to your phone.</p><div id="g" role="group" aria-labelledby="h">${[1, 2, 3, 4, 5, 6].map(() => `<input maxlength="1" inputmode="numeric" style="width:20px">`).join('')}</div>
      ${script(`const all = [...g.children]; g.oninput = e => { const i = all.indexOf(e.target); if (!/^\\d$/.test(e.target.value)) { e.target.value = ''; return } all[i + 1]?.focus(); pass(all.map(x => x.value).join('') === '482913') };
      g.onkeydown = e => { if (e.key === 'Backspace' && !e.target.value) e.target.previousElementSibling?.focus() }; g.onpaste = e => e.preventDefault()`)}`,
  },
  'Pay with the card 4111 1111 1111 1111, valid until 09/28, code 737.': {
    html: `<form id="f"><input placeholder="Card number" name="n"><input placeholder="MM / YY" name="d"><input placeholder="CVC" name="c" maxlength="3"><button>Pay 12 €</button><p role="alert" id="w"></p></form>
      ${script(`const { n, d, c } = f.elements; const digits = x => x.value.replace(/\\D/g, ''); n.oninput = () => n.value = digits(n).slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
      d.oninput = () => { const v = digits(d).slice(0, 4); d.value = v.length > 2 ? v.slice(0, 2) + ' / ' + v.slice(2) : v };
      f.onsubmit = e => { e.preventDefault(); const ok = n.value === '4111 1111 1111 1111' && d.value === '09 / 28' && c.value === '737'; w.textContent = ok ? '' : 'Please check your card'; pass(ok) }`)}`,
  },
  'Add the tags sea and sand, and remove the tag city.': {
    html: `<style>.tag{border:1px solid;padding:0 4px}</style><div id="t"><span class="tag">city<span class="x">×</span></span><span class="tag">sun<span class="x">×</span></span><input placeholder="Add a tag"></div>
      ${script(`const i = t.querySelector('input'); const check = () => pass([...t.querySelectorAll('.tag')].map(x => x.firstChild.data).sort().join() === 'sand,sea,sun');
      i.onkeydown = e => { if (e.key !== 'Enter' && e.key !== ',') return; e.preventDefault(); if (!i.value.trim()) return; const s = document.createElement('span'); s.className = 'tag'; s.innerHTML = '<span class="x">×</span>'; s.prepend(i.value.trim()); i.before(s); i.value = ''; check() };
      t.onclick = e => { if (e.target.className === 'x') { e.target.parentNode.remove(); check() } }`)}`,
  },
  'Limit the price to 20 to 60.': {
    html: `<style>#r{position:relative;width:300px;height:6px;background:#ccc;margin:20px}.h{position:absolute;top:-7px;width:20px;height:20px;margin-left:-10px;border-radius:50%;background:#06c;touch-action:none}</style>
      <h4>Price</h4><div id="r"><div class="h" style="left:0"></div><div class="h" style="left:300px"></div></div><p id="v">0 € – 100 €</p>
      ${script(`const hs = [...r.querySelectorAll('.h')], at = [0, 100]; hs.forEach((h, n) => { h.onpointerdown = e => { h.setPointerCapture(e.pointerId); h.onpointermove = m => { at[n] = Math.max(0, Math.min(100, Math.round((m.clientX - r.getBoundingClientRect().left) / 15) * 5)); h.style.left = at[n] * 3 + 'px'; v.textContent = at[0] + ' € – ' + at[1] + ' €' } }; h.onpointerup = h.onlostpointercapture = () => { h.onpointermove = null; pass(at.join() === '20,60') } })`)}`,
  },
  'Write "Buy milk and eggs" with "eggs" in bold.': {
    html: `<div role="toolbar" aria-label="Format"><button id="b" aria-label="Bold" aria-pressed="false"><b>B</b></button><button id="i" aria-label="Italic"><i>I</i></button></div><div id="e" contenteditable="true" style="min-height:40px;border:1px solid" data-placeholder="Write something"></div>
      ${script(`document.execCommand('styleWithCSS', false, false); for (const [x, name] of [[b, 'bold'], [i, 'italic']]) { x.onmousedown = m => m.preventDefault(); x.onclick = () => { document.execCommand(name); check() } }
      const check = () => { b.ariaPressed = String(document.queryCommandState('bold')); pass(e.textContent.replace(/\u00a0/g, ' ') === 'Buy milk and eggs' && [...e.querySelectorAll('b, strong')].map(x => x.textContent.trim()).join('') === 'eggs') }; e.oninput = check`)}`,
  },
  'Add three pieces in size XL and teal to the cart.': {
    html: `<style>.sw{width:24px;height:24px;display:inline-block;border:1px solid #fff;border-radius:50%}.sw.on{border-color:#000}</style><h2>T-shirt</h2>
      <div id="s">${['coral', 'teal', 'navy'].map((c) => `<span class="sw" data-c="${c}" style="background:${c}"></span>`).join('')}</div>
      <div role="radiogroup" aria-label="Size" id="z">${['S', 'M', 'L', 'XL'].map((s) => `<button role="radio" aria-checked="false">${s}</button>`).join('')}</div>
      <div><button id="less">${icon('minus')}</button><span id="q">1</span><button id="more">${icon('plus')}</button></div><button id="b">Add to cart</button>
      ${script(`let color, size; s.onclick = e => { if (!e.target.dataset.c) return; color = e.target.dataset.c; for (const x of s.children) x.classList.toggle('on', x === e.target) };
      z.onclick = e => { size = e.target.textContent; for (const x of z.children) x.ariaChecked = String(x === e.target) }; less.onclick = () => q.textContent = Math.max(1, q.textContent - 1); more.onclick = () => q.textContent++;
      b.onclick = () => pass(color === 'teal' && size === 'XL' && q.textContent === '3')`)}`,
  },
  'Attach /cv.txt, remove the photo, and send.': {
    html: `<ul id="l"><li>photo.png <button aria-label="Remove photo.png">${icon('x')}</button></li></ul><label for="f" style="cursor:pointer;border:1px dashed">Choose files</label><input type="file" id="f" multiple hidden><button id="b">Send</button>
      ${script(`f.onchange = async () => { for (const x of f.files) { const li = document.createElement('li'); li.textContent = x.name; li.dataset.text = await x.text(); l.append(li) } }; l.onclick = e => e.target.closest('button')?.parentNode.remove(); b.onclick = () => pass(l.children.length === 1 && l.firstElementChild.textContent === 'cv.txt' && l.firstElementChild.dataset.text === 'My life')`)}`,
    files: { '/cv.txt': 'My life' },
  },
  'Sign up for the dinner with two guests, Ida and Max. Max is vegetarian.': {
    html: `<form id="f"><label>Number of guests <input type="number" min="0" max="5" value="0" id="n"></label><div id="g"></div><button>Sign up</button></form>
      ${script(`n.oninput = () => { g.innerHTML = Array.from({ length: +n.value }, (_, i) => '<fieldset><legend>Guest ' + (i + 1) + '</legend><label>Name <input required></label><label><input type="checkbox"> vegetarian</label></fieldset>').join('') };
      f.onsubmit = e => { e.preventDefault(); pass([...g.children].map(x => x.querySelector('input').value + x.querySelector('[type=checkbox]').checked).join() === 'Idafalse,Maxtrue') }`)}`,
  },
  'Write "Thanks @Omar" as a comment, with Omar chosen from the list, and post it.': {
    html: `<div id="e" contenteditable="true" role="textbox" aria-multiline="true" aria-label="Comment" style="border:1px solid;min-height:30px"></div><ul id="l" role="listbox" aria-label="People" hidden></ul><button id="b">Post</button>
      ${script(`const people = ['Olga', 'Omar', 'Otto']; e.oninput = () => { const [, start] = /@(\\w*)$/.exec(e.textContent) ?? []; const found = start === undefined ? [] : people.filter(x => x.toLowerCase().startsWith(start.toLowerCase())); l.hidden = !found.length; l.innerHTML = found.map(x => '<li role="option">' + x).join('') };
      l.onmousedown = m => { m.preventDefault(); const s = document.createElement('span'); s.contentEditable = 'false'; s.className = 'mention'; s.textContent = '@' + m.target.textContent; e.lastChild.data = e.lastChild.data.replace(/@\\w*$/, ''); e.append(s, '\u00a0'); l.hidden = true }; b.onclick = () => pass(e.textContent.trim() === 'Thanks @Omar' && e.querySelector('.mention')?.textContent === '@Omar')`)}`,
  },
  'Read the terms to the end and accept them.': {
    html: `<div id="t" style="height:120px;width:300px;overflow-y:scroll;border:1px solid">${Array.from({ length: 24 }, (_, n) => `<p>${n + 1}. You do not copy part ${n + 1}.</p>`).join('')}</div><button id="b" disabled>I accept</button>
      ${script(`t.onscroll = () => { if (t.scrollTop + t.clientHeight >= t.scrollHeight - 4) b.disabled = false }; b.onclick = () => pass()`)}`,
  },
  'Choose the date of birth 14 August 1987.': {
    html: `<button id="t" aria-haspopup="dialog">Date of birth</button><div id="k" role="dialog" aria-label="Choose a date" hidden></div>
      ${script(`let view = 'days', at = new Date(2020, 0, 1); const cells = (list) => '<div>' + list.map(([v, s]) => '<div class="cell" style="display:inline-block;width:60px;cursor:pointer" data-v="' + v + '">' + s + '</div>').join('') + '</div>';
      const draw = () => { const y = at.getFullYear(), ten = y - y % 12; k.innerHTML = '<div class="head"><span class="arrow" data-go="-1">«</span> <span class="title" style="cursor:pointer">' + (view === 'years' ? ten + '–' + (ten + 11) : view === 'months' ? y : at.toLocaleString('en', { month: 'short', year: 'numeric' })) + '</span> <span class="arrow" data-go="1">»</span></div>' + cells(view === 'years' ? Array.from({ length: 12 }, (_, i) => [ten + i, ten + i]) : view === 'months' ? Array.from({ length: 12 }, (_, i) => [i, new Date(2000, i).toLocaleString('en', { month: 'short' })]) : Array.from({ length: new Date(y, at.getMonth() + 1, 0).getDate() }, (_, i) => [i + 1, i + 1])) };
      t.onclick = () => { k.hidden = false; draw() };
      k.onclick = e => { const d = e.target.dataset; if (d.go) { if (view === 'days') at.setMonth(at.getMonth() + +d.go); else at.setFullYear(at.getFullYear() + d.go * (view === 'years' ? 12 : 1)) } else if (e.target.className === 'title') view = view === 'days' ? 'months' : 'years'; else if (d.v) { if (view === 'years') { at.setFullYear(d.v); view = 'months' } else if (view === 'months') { at.setMonth(d.v); view = 'days' } else { at.setDate(d.v); k.hidden = true; t.textContent = at.toDateString(); pass(t.textContent === 'Fri Aug 14 1987') } } draw() }`)}`,
  },
  'Set the timer to 1 hour 25 minutes and start it.': {
    html: `<div id="w" style="display:flex;gap:8px"><div role="spinbutton" tabindex="0" aria-label="Hours" aria-valuemin="0" aria-valuemax="23" aria-valuenow="0">0</div>:<div role="spinbutton" tabindex="0" aria-label="Minutes" aria-valuemin="0" aria-valuemax="59" aria-valuenow="0">0</div></div><button id="b">Start</button>
      ${script(`const [h, m] = w.children; w.onkeydown = e => { const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[e.key]; if (!by) return; e.preventDefault(); const x = e.target, top = +x.ariaValueMax + 1; x.ariaValueNow = x.textContent = (+x.ariaValueNow + by + top) % top }; b.onclick = () => pass(h.textContent === '1' && m.textContent === '25')`)}`,
  },
  'Choose Science, then Physics, then Optics as the topic.': {
    html: `<style>#c{display:flex}#c ul{width:120px;min-height:80px;border:1px solid;list-style:none;padding:0}#c li.on{background:#def}</style><div id="i" class="input" style="border:1px solid;width:240px">Select a topic</div><div id="c" hidden></div>
      ${script(`const tree = { Arts: { Music: 0, Film: 0 }, Science: { Biology: { Cells: 0 }, Physics: { Optics: 0, Waves: 0 } } }; let path = [];
      const draw = () => { c.replaceChildren(); let node = tree; for (let n = 0; node; n++) { const u = document.createElement('ul'); for (const name in node) { const li = document.createElement('li'); li.textContent = name + (node[name] ? ' ›' : ''); li.className = path[n] === name ? 'on' : ''; u.append(li); li.addEventListener('click', () => { path = [...path.slice(0, n), name]; if (!u.isConnected) return; const leaf = !path.reduce((t, p) => t[p], tree); if (leaf) { c.hidden = true; i.textContent = path.join(' / '); pass(i.textContent === 'Science / Physics / Optics') } else draw() }) } c.append(u); node = node[path[n]] } };
      i.addEventListener('click', () => { c.hidden = !c.hidden; draw() })`)}`,
  },
  'Choose Mon and Thu as delivery days, and no others.': {
    html: `<style>#m{display:none;position:absolute;background:#fff;border:1px solid}#m.open{display:block}.opt{padding:2px}.opt.sel:before{content:"✓ "}</style><div class="dd"><div id="v" tabindex="0">Tue</div><div id="m">${['Mon', 'Tue', 'Wed', 'Thu'].map((d) => `<div class="opt${d === 'Tue' ? ' sel' : ''}">${d}</div>`).join('')}</div></div><p>Delivery costs nothing.</p><button id="b">Apply</button>
      ${script(`v.onclick = () => m.classList.toggle('open'); m.onclick = e => { if (!e.target.matches('.opt')) return; e.target.classList.toggle('sel'); v.textContent = [...m.querySelectorAll('.sel')].map(x => x.textContent).join(', ') || 'Days' };
      addEventListener('pointerdown', e => { if (!e.target.closest('.dd')) m.classList.remove('open') }); b.onclick = () => pass(v.textContent === 'Mon, Thu' && !m.matches('.open'))`)}`,
  },
};

/** Steps by request. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'Create an account for Lea with lea@mail.example and the password Blue-Whale-42.': [
    ['Browser.type', { element: "textbox 'Name'", content: 'Lea' }],
    ['Browser.type', { element: "textbox 'Email'", content: 'lea@mail.example' }],
    ['Browser.type', { element: "textbox 'Password'", content: 'Blue-Whale-42' }],
    ['Browser.type', { element: "textbox 'Repeat password'", content: 'Blue-Whale-42' }],
    ['Browser.check', { element: "checkbox 'I accept the terms'" }],
    ['Browser.click', { element: "button 'Create account'" }],
  ],
  'Choose Portugal as the country and save.': [
    ['Browser.type', { element: "combobox 'Country'", content: 'Portugal' }],
    ['Browser.click', { element: "option 'Portugal'" }],
    ['Browser.click', { element: "button 'Save'" }],
  ],
  'Choose the stay from 3 June to 9 June 2026.': [
    ['Browser.click', { element: "button 'Add dates'" }],
    ['Browser.click', { element: "button '3' #2" }],
    ['Browser.click', { element: "button '9' #2" }],
  ],
  'Enter the code 482913 that came by SMS.': [['Browser.type', { element: 'textbox', content: '482913' }]],
  'Pay with the card 4111 1111 1111 1111, valid until 09/28, code 737.': [
    ['Browser.type', { element: "textbox 'Card number'", content: '4111 1111 1111 1111' }],
    ['Browser.type', { element: "textbox 'MM / YY'", content: '09/28' }],
    ['Browser.type', { element: "textbox 'CVC'", content: '737' }],
    ['Browser.click', { element: "button 'Pay 12 €'" }],
  ],
  'Add the tags sea and sand, and remove the tag city.': [
    ['Browser.type', { element: "textbox 'Add a tag'", content: 'sea', press_enter_after: true }],
    ['Browser.type', { element: "textbox 'Add a tag'", content: 'sand', press_enter_after: true }],
    ['Browser.click', { element: "'×'" }],
  ],
  'Limit the price to 20 to 60.': [
    ['Browser.drag', { element: 'clickable draggable', by_x: 60 }],
    ['Browser.drag', { element: 'clickable draggable #2', by_x: -120 }],
  ],
  'Write "Buy milk and eggs" with "eggs" in bold.': [
    ['Browser.type', { element: 'textbox', content: 'Buy milk and eggs' }],
    ['Browser.select_text', { text: 'eggs' }],
    ['Browser.click', { element: "button 'Bold'" }],
  ],
  'Add three pieces in size XL and teal to the cart.': [
    ['Browser.click', { element: 'box teal' }],
    ['Browser.click', { element: "radio 'XL'" }],
    ['Browser.click', { element: "button icon: 'plus'", count: 2 }],
    ['Browser.click', { element: "button 'Add to cart'" }],
  ],
  'Attach /cv.txt, remove the photo, and send.': [
    ['Browser.upload', { element: "button 'Choose files'", paths: ['/cv.txt'] }],
    ['Browser.click', { element: "button 'Remove photo.png'" }],
    ['Browser.click', { element: "button 'Send'" }],
  ],
  'Sign up for the dinner with two guests, Ida and Max. Max is vegetarian.': [
    ['Browser.type', { element: "spinbutton 'Number of guests'", content: '2', clear: true }],
    ['Browser.type', { element: "textbox 'Name'", content: 'Ida' }],
    ['Browser.type', { element: "textbox 'Name' #2", content: 'Max' }],
    ['Browser.check', { element: "checkbox 'vegetarian' #2" }],
    ['Browser.click', { element: "button 'Sign up'" }],
  ],
  'Write "Thanks @Omar" as a comment, with Omar chosen from the list, and post it.': [
    ['Browser.type', { element: "textbox 'Comment'", content: 'Thanks @Om' }],
    ['Browser.click', { element: "option 'Omar'" }],
    ['Browser.click', { element: "button 'Post'" }],
  ],
  'Read the terms to the end and accept them.': [
    ['Browser.press', { element: 'box scroll', key_comb: 'End' }],
    ['Browser.click', { element: "button 'I accept'" }],
  ],
  'Choose the date of birth 14 August 1987.': [
    ['Browser.click', { element: "button 'Date of birth'" }],
    ['Browser.click', { element: "clickable 'Jan 2020'" }],
    ['Browser.click', { element: "clickable '2020'" }],
    ['Browser.click', { element: "'«'" }],
    ['Browser.click', { element: "'«'" }],
    ['Browser.click', { element: "'«'" }],
    ['Browser.click', { element: "clickable '1987'" }],
    ['Browser.click', { element: "clickable 'Aug'" }],
    ['Browser.click', { element: "clickable '14'" }],
  ],
  'Set the timer to 1 hour 25 minutes and start it.': [
    ['Browser.press', { element: "spinbutton 'Hours'", key_comb: 'ArrowUp' }],
    [
      'Browser.press',
      { element: "spinbutton 'Minutes'", key_comb: 'PageUp PageUp ArrowUp ArrowUp ArrowUp ArrowUp ArrowUp' },
    ],
    ['Browser.click', { element: "button 'Start'" }],
  ],
  'Choose Science, then Physics, then Optics as the topic.': [
    ['Browser.click', { element: "clickable 'Select a topic'" }],
    ['Browser.click', { element: "listitem 'Science ›'" }],
    ['Browser.click', { element: "listitem 'Physics ›'" }],
    ['Browser.click', { element: "listitem 'Optics'" }],
  ],
  'Choose Mon and Thu as delivery days, and no others.': [
    ['Browser.click', { element: "clickable 'Tue'" }],
    ['Browser.click', { element: "'Mon'" }],
    ['Browser.click', { element: "'Tue' #1" }],
    ['Browser.click', { element: "'Thu'" }],
    ['Browser.click', { element: "clickable 'Mon, Thu'" }],
    ['Browser.click', { element: "button 'Apply'" }],
  ],
};

export const formRequests = taskPages(pages, steps);

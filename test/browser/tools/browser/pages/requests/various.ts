import type { Step } from '../../steps.js';
import { icon, script, taskPages, type RequestPages } from './request-pages.js';
// cspell:ignore enots inputmode lightgreen

/** Pages with a request. They were written before the steps that solve them, which come from the views alone. */
const pages: RequestPages = {
  'Delete the second mail.': {
    html: `<ul>${['Ann', 'Ben', 'Cem'].map((who) => `<li><b>${who}</b> hello <button class="b" data-who="${who}">${icon('trash')}</button><button class="b" data-who="-">${icon('star')}</button></li>`).join('')}</ul>${script(`for (const b of document.querySelectorAll('.b')) b.onclick = () => b.dataset.who === 'Ben' && pass()`)}`,
  },
  'Mark the mail of Cem as important with its star.': {
    html: `<table>${['Ann', 'Cem', 'Dan'].map((who) => `<tr><td>${who}</td><td><i class="fa fa-star-o" onclick="'${who}' === 'Cem' && pass()" style="cursor:pointer;display:inline-block;width:12px;height:12px"></i></td><td>Lunch?</td></tr>`).join('')}</table>${script('')}`,
  },
  'Choose the 17th of March 2026.': {
    html: `<button id="p">‹</button><b id="m"></b><button id="n">›</button><div id="d" style="display:grid;grid-template-columns:repeat(7,30px)"></div>${script(`let at = new Date(2026, 0, 1); const draw = () => { m.textContent = at.toLocaleString('en', { month: 'long', year: 'numeric' }); d.replaceChildren(...Array.from({ length: 28 }, (_, i) => { const x = document.createElement('span'); x.textContent = i + 1; x.style.cursor = 'pointer'; x.onclick = () => at.getMonth() === 2 && i === 16 && pass(); return x })) }; p.onclick = () => { at.setMonth(at.getMonth() - 1); draw() }; n.onclick = () => { at.setMonth(at.getMonth() + 1); draw() }; draw()`)}`,
  },
  'Set the volume to 70.': {
    html: `<div id="s" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="100" aria-valuenow="50" style="width:200px;height:16px;background:#ccc"></div>${script(`s.onkeydown = e => { const by = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5 }[e.key] ?? 0; s.ariaValueNow = +s.ariaValueNow + by; if (s.ariaValueNow === '70') pass() }`)}`,
  },
  'Enter 4:30 pm and save.': {
    html: `<label>Time <input type="time" id="t"></label><button onclick="t.value === '16:30' && pass()">Save</button>${script('')}`,
  },
  'Sort the table by price, descending.': {
    html: `<table id="t"><thead><tr><th>Name</th><th style="cursor:pointer" aria-sort="none">Price</th></tr></thead><tbody><tr><td>A</td><td>3</td></tr><tr><td>B</td><td>9</td></tr></tbody></table>${script(`const th = t.querySelectorAll('th')[1]; th.onclick = () => { th.ariaSort = th.ariaSort === 'ascending' ? 'descending' : 'ascending'; const r = [...t.tBodies[0].rows].sort((a, b) => (a.cells[1].textContent - b.cells[1].textContent) * (th.ariaSort === 'ascending' ? 1 : -1)); t.tBodies[0].append(...r); if (th.ariaSort === 'descending') pass() }`)}`,
  },
  'Click the largest circle.': {
    html: `<svg width="200" height="100">${[8, 20, 14].map((r, n) => `<circle cx="${30 + n * 60}" cy="50" r="${r}" fill="navy" onclick="${r === 20 ? 'pass()' : ''}"/>`).join('')}</svg>${script('')}`,
  },
  'Type the word shown backwards.': {
    html: `<p>Word: <span style="unicode-bidi:bidi-override">stone</span></p><input aria-label="Answer"><button>Check</button>${script(`document.querySelector('button').onclick = () => document.querySelector('input').value === 'enots' && pass()`)}`,
  },
  'Open the third tab and press its button.': {
    html: `<div role="tablist">${[1, 2, 3].map((n) => `<button role="tab" aria-selected="${n === 1}" data-n="${n}">Part ${n}</button>`).join('')}</div>${[1, 2, 3].map((n) => `<div role="tabpanel" id="p${n}" ${n > 1 ? 'hidden' : ''}><button onclick="${n} === 3 && pass()">Do it</button></div>`).join('')}${script(`for (const t of document.querySelectorAll('[role=tab]')) t.onclick = () => { for (const n of [1, 2, 3]) document.getElementById('p' + n).hidden = String(n) !== t.dataset.n }`)}`,
  },
  'Drag the red card into the box "Done".': {
    html: `<style>.z{width:150px;height:90px;border:1px solid;float:left}.c{width:60px;height:30px}</style><div class="z" id="a"><div class="c" draggable="true" style="background:red"></div><div class="c" draggable="true" style="background:blue"></div></div><div class="z" id="b">Done</div><div style="clear:both"></div>${script(`let held; ondragstart = e => held = e.target; b.ondragover = e => e.preventDefault(); b.ondrop = e => { e.preventDefault(); if (held.style.background === 'red') pass() }`)}`,
  },
  'Unfold "Advanced" and switch on "Debug".': {
    html: `<details><summary>Advanced</summary><label><input type="checkbox" id="d"> Debug</label></details>${script(`d.onchange = () => d.checked && pass()`)}`,
  },
  'Find the tile that hides the bomb and click it.': {
    html: `<style>.t{width:36px;height:36px;display:inline-block;margin:2px}.t.x{background:url("/bomb.svg")}.t.y{background:url("/leaf.svg")}</style><div id="g">${['y', 'y', 'x', 'y'].map((k) => `<div class="t ${k}"></div>`).join('')}</div>${script(`g.onclick = e => e.target.matches('.x') && pass()`)}`,
    files: {
      '/bomb.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36"><circle cx="18" cy="18" r="12"/></svg>',
      '/leaf.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36"><rect width="36" height="36" fill="green"/></svg>',
    },
  },
  'Log out with the menu that opens under the name.': {
    html: `<style>.m ul{display:none}.m:hover ul{display:block}</style><div class="m" style="width:120px"><span>Ada</span><ul><li><a href="#s">Settings</a></li><li><a href="#x" onclick="pass()">Log out</a></li></ul></div>${script('')}`,
  },
  'Pay with the card ending in 4242.': {
    html: `<pay-form></pay-form>${script(`customElements.define('pay-form', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<label><input type="radio" name="c" value="1111"> Card 1111</label><label><input type="radio" name="c" value="4242"> Card 4242</label><button>Pay</button>'; r.querySelector('button').onclick = () => r.querySelector(':checked')?.value === '4242' && pass() } })`)}`,
  },
  'Draw a line from the left dot to the right dot.': {
    html: `<canvas id="c" width="200" height="100"></canvas><p>The dots are at 20,50 and 180,50.</p>${script(`let on = false, from; c.onmousedown = e => { on = true; from = e.offsetX }; c.onmouseup = e => { if (on && Math.abs(from - 20) < 6 && Math.abs(e.offsetX - 180) < 6) pass(); on = false }`)}`,
  },
  'Draw the letter L in the box.': {
    html: `<canvas id="c" width="120" height="120" aria-label="Pad"></canvas>${script(`let p = []; c.onpointerdown = e => p = [e]; c.onpointermove = e => e.buttons && p.push(e); c.onpointerup = () => { const [a, z] = [p[0], p.at(-1)]; const low = p.reduce((m, e) => Math.max(m, e.offsetY), 0); const corner = p.find(e => e.offsetY >= low - 3); if (a.offsetY < low - 40 && Math.abs(corner.offsetX - a.offsetX) < 12 && z.offsetX > corner.offsetX + 30) pass() }`)}`,
  },
  'Remember the code shown for a moment, and enter it.': {
    html: `<button id="b">Show</button><input aria-label="Code" id="i">${script(`b.onclick = () => { const m = document.createElement('p'); m.textContent = 'Code 7391'; document.body.prepend(m); setTimeout(() => m.remove(), 300) }; i.oninput = () => i.value === '7391' && pass()`)}`,
  },
  'Select the text "blue whale" and press Mark.': {
    html: `<p>The <i>blue</i> whale is large.</p><button id="b">Mark</button>${script(`b.onmousedown = e => e.preventDefault(); b.onclick = () => String(getSelection()) === 'blue whale' && pass()`)}`,
  },
  'Accept the terms in the window, then continue.': {
    html: `<button id="c" disabled>Continue</button><button onclick="d.showModal()">Terms</button><dialog id="d"><p>Be nice.</p><button onclick="d.close(); c.disabled = false">Accept</button></dialog>${script(`c.onclick = pass`)}`,
  },
  'Choose Kiwi and Fig, nothing else.': {
    html: `<select multiple aria-label="Fruit" id="s"><option selected>Apple<option>Fig<option>Kiwi<option>Lime</select><button id="b">OK</button>${script(`b.onclick = () => [...s.selectedOptions].map(x => x.value).join() === 'Fig,Kiwi' && pass()`)}`,
  },
  'Rename the file to report.txt.': {
    html: `<span id="f" title="Double-click to rename">draft.txt</span>${script(`f.ondblclick = () => { const i = document.createElement('input'); i.value = f.textContent; i.setAttribute('aria-label', 'Name'); f.replaceWith(i); i.focus(); i.onkeydown = e => { if (e.key === 'Enter' && i.value === 'report.txt') pass() } }`)}`,
  },
  'Copy the file with the menu of the right mouse button.': {
    html: `<div id="f" style="width:100px;height:30px;background:#eee">notes.md</div><ul id="m" hidden><li onclick="pass()">Copy</li><li>Delete</li></ul>${script(`f.oncontextmenu = e => { e.preventDefault(); m.hidden = false }`)}`,
  },
  'Turn on the lamp that is off.': {
    html: `<style>.l{width:24px;height:24px;border-radius:50%;display:inline-block;background:#ccc}</style><div id="g">${['a', 'b', 'c'].map((id) => `<div id="${id}" class="l${id === 'b' ? '' : ' on'}"></div>`).join('')}</div>${script(`for (const l of g.children) l.onclick = () => l.id === 'b' && pass()`)}`,
  },
  'Rate the film with four stars.': {
    html: `<div id="r">${[1, 2, 3, 4, 5].map((n) => `<span data-n="${n}" class="star" style="cursor:pointer">★</span>`).join('')}</div>${script(`r.onclick = e => e.target.dataset.n === '4' && pass()`)}`,
  },
  'Move the task "Buy" to the first place.': {
    html: `<ul id="l">${['Cook', 'Wash', 'Buy'].map((t) => `<li><span>${t}</span> <button aria-label="Up">↑</button><button aria-label="Down">↓</button></li>`).join('')}</ul>${script(`l.onclick = e => { const li = e.target.closest('li'); if (e.target.ariaLabel === 'Up') li.previousElementSibling?.before(li); if (e.target.ariaLabel === 'Down') li.nextElementSibling?.after(li); if (l.firstElementChild.textContent.startsWith('Buy')) pass() }`)}`,
  },
  'Find the flight with the lowest price and book it.': {
    html: `<div>${[
      ['Oslo Air', 310],
      ['Sky', 189],
      ['Jet', 205],
    ]
      .map(
        ([n, p]) =>
          `<div class="card"><h3>${n}</h3><p>Price ${p} €</p><button data-p="${p}">Book</button></div>`,
      )
      .join(
        '',
      )}</div>${script(`for (const b of document.querySelectorAll('button')) b.onclick = () => b.dataset.p === '189' && pass()`)}`,
  },
  'Fill in the phone number +49 30 123456.': {
    html: `<label>Phone <input id="t" inputmode="tel"></label><button id="b">Send</button>${script(`t.oninput = () => t.value = t.value.replace(/[^+\\d]/g, ''); b.onclick = () => t.value === '+4930123456' && pass()`)}`,
  },
  'Press the button when the bar is full.': {
    html: `<progress id="p" max="10" value="0"></progress><button id="b">Now</button>${script(`const t = setInterval(() => { p.value++; if (p.value >= 10) clearInterval(t) }, 150); b.onclick = () => p.value >= 10 && pass()`)}`,
  },
  'Reply "Thanks" to the comment of Eve.': {
    html: `${['Bob', 'Eve'].map((who) => `<article aria-label="Comment of ${who}"><p>${who}: nice</p><a href="#" role="button" data-who="${who}">Reply</a></article>`).join('')}${script(`for (const a of document.querySelectorAll('a')) a.onclick = e => { e.preventDefault(); const t = document.createElement('textarea'); t.setAttribute('aria-label', 'Reply to ' + a.dataset.who); const s = document.createElement('button'); s.textContent = 'Send'; s.onclick = () => t.value === 'Thanks' && a.dataset.who === 'Eve' && pass(); a.after(t, s) }`)}`,
  },
  'Zoom in twice, then press Print.': {
    html: `<button title="Zoom in">${icon('plus')}</button><button title="Zoom out">${icon('minus')}</button><button>${icon('printer')}</button>${script(`let z = 0; const [a, b, c] = document.querySelectorAll('button'); a.onclick = () => z++; b.onclick = () => z--; c.onclick = () => z === 2 && pass()`)}`,
  },
  'Book seat 2B.': {
    html: `<svg width="160" height="120">${['1A', '1B', '2A', '2B'].map((s, n) => `<g class="seat" data-s="${s}"><rect x="${10 + (n % 2) * 60}" y="${10 + Math.floor(n / 2) * 50}" width="40" height="40" fill="${s === '1A' ? 'gray' : 'lightgreen'}"/><text x="${20 + (n % 2) * 60}" y="${34 + Math.floor(n / 2) * 50}">${s}</text></g>`).join('')}</svg>${script(`for (const g of document.querySelectorAll('.seat')) g.onclick = () => g.dataset.s === '2B' && pass()`)}`,
  },
  'Pick a color with much green: #00ff00.': {
    html: `<label>Color <input type="color" id="c"></label>${script(`c.oninput = () => c.value === '#00ff00' && pass()`)}`,
  },
};

/** Steps by request. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'Delete the second mail.': [['Browser.click', { element: "button icon: 'trash' #2" }]],
  'Mark the mail of Cem as important with its star.': [['Browser.click', { element: 'clickable 12x12 #2' }]],
  'Choose the 17th of March 2026.': [
    ['Browser.click', { element: "button '›'" }],
    ['Browser.click', { element: "button '›'" }],
    ['Browser.click', { element: "clickable '17'" }],
  ],
  'Set the volume to 70.': [
    [
      'Browser.press',
      { element: "slider 'Volume'", key_comb: 'ArrowRight ArrowRight ArrowRight ArrowRight' },
    ],
  ],
  'Enter 4:30 pm and save.': [
    ['Browser.type', { element: "textbox 'Time'", content: '16:30' }],
    ['Browser.click', { element: "button 'Save'" }],
  ],
  'Sort the table by price, descending.': [
    ['Browser.click', { element: "cell 'Price'" }],
    ['Browser.click', { element: "cell 'Price'" }],
  ],
  'Click the largest circle.': [['Browser.click', { element: 'circle clickable navy 40x40' }]],
  'Type the word shown backwards.': [
    ['Browser.type', { element: "textbox 'Answer'", content: 'enots' }],
    ['Browser.click', { element: "button 'Check'" }],
  ],
  'Open the third tab and press its button.': [
    ['Browser.click', { element: "tab 'Part 3'" }],
    ['Browser.click', { element: "button 'Do it'" }],
  ],
  'Drag the red card into the box "Done".': [
    ['Browser.drag', { element: 'draggable red', to: "droppable 'Done'" }],
  ],
  'Unfold "Advanced" and switch on "Debug".': [
    ['Browser.click', { element: "summary 'Advanced'" }],
    ['Browser.check', { element: "checkbox 'Debug'" }],
  ],
  'Find the tile that hides the bomb and click it.': [
    ['Browser.click', { element: "box picture: 'bomb.svg'" }],
  ],
  'Log out with the menu that opens under the name.': [
    ['Browser.hover', { element: "hoverable 'Ada'" }],
    ['Browser.click', { element: "link 'Log out'" }],
  ],
  'Pay with the card ending in 4242.': [
    ['Browser.click', { element: "radio 'Card 4242'" }],
    ['Browser.click', { element: "button 'Pay'" }],
  ],
  'Draw a line from the left dot to the right dot.': [
    [
      'Browser.drag',
      {
        element: 'canvas',
        path: [
          [20, 50],
          [180, 50],
        ],
      },
    ],
  ],
  'Draw the letter L in the box.': [
    [
      'Browser.drag',
      {
        element: "canvas 'Pad'",
        path: [
          [20, 10],
          [20, 90],
          [80, 90],
        ],
      },
    ],
  ],
  'Remember the code shown for a moment, and enter it.': [
    ['Browser.click', { element: "button 'Show'" }],
    ['Browser.type', { element: "textbox 'Code'", content: '7391' }],
  ],
  'Select the text "blue whale" and press Mark.': [
    ['Browser.select_text', { text: 'blue whale' }],
    ['Browser.click', { element: "button 'Mark'" }],
  ],
  'Accept the terms in the window, then continue.': [
    ['Browser.click', { element: "button 'Terms'" }],
    ['Browser.click', { element: "button 'Accept'" }],
    ['Browser.click', { element: "button 'Continue'" }],
  ],
  'Choose Kiwi and Fig, nothing else.': [
    ['Browser.select', { element: "listbox 'Fruit'", options: ['Kiwi', 'Fig'] }],
    ['Browser.click', { element: "button 'OK'" }],
  ],
  'Rename the file to report.txt.': [
    ['Browser.click', { element: "clickable 'draft.txt'", count: 2 }],
    [
      'Browser.type',
      { element: "textbox 'Name'", content: 'report.txt', clear: true, press_enter_after: true },
    ],
  ],
  'Copy the file with the menu of the right mouse button.': [
    ['Browser.click', { element: "'notes.md'", button: 'right' }],
    ['Browser.click', { element: "listitem 'Copy'" }],
  ],
  'Turn on the lamp that is off.': [['Browser.click', { element: 'clickable light gray #2' }]],
  'Rate the film with four stars.': [['Browser.click', { element: "clickable '★' #4" }]],
  'Move the task "Buy" to the first place.': [
    ['Browser.click', { element: "button 'Up' #3" }],
    ['Browser.click', { element: "button 'Up' #2" }],
  ],
  'Find the flight with the lowest price and book it.': [['Browser.click', { element: "button 'Book' #2" }]],
  'Fill in the phone number +49 30 123456.': [
    ['Browser.type', { element: "textbox 'Phone'", content: '+49 30 123456' }],
    ['Browser.click', { element: "button 'Send'" }],
  ],
  'Press the button when the bar is full.': [
    ['Browser.wait', { seconds: 2 }],
    ['Browser.click', { element: "button 'Now'" }],
  ],
  'Reply "Thanks" to the comment of Eve.': [
    ['Browser.click', { element: "button 'Reply' #2" }],
    ['Browser.type', { element: "textbox 'Reply to Eve'", content: 'Thanks' }],
    ['Browser.click', { element: "button 'Send'" }],
  ],
  'Zoom in twice, then press Print.': [
    ['Browser.click', { element: "button 'Zoom in'", count: 2 }],
    ['Browser.click', { element: "button icon: 'printer'" }],
  ],
  'Book seat 2B.': [['Browser.click', { element: "text '2B'" }]],
  'Pick a color with much green: #00ff00.': [
    ['Browser.type', { element: "textbox 'Color'", content: '#00ff00' }],
  ],
};

export const variousRequests = taskPages(pages, steps);

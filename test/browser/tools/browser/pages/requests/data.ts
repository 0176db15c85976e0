import type { Step } from '../../steps.js';
import { icon, script, taskPages, type RequestPages } from './request-pages.js';
// cspell:ignore rowspan steelblue

/** Tables, trees, lists and boards. */
const pages: RequestPages = {
  'Open the newest order.': {
    html: `<style>th{cursor:pointer}</style><table id="t"><thead><tr><th>Order<th>Date</tr></thead><tbody></tbody></table>
      ${script(`let rows = [[1, '2026-02-11'], [2, '2025-12-30'], [3, '2026-10-02'], [4, '2026-09-28'], [5, '2026-01-19'], [6, '2025-11-03'], [7, '2026-03-05']], by = 0, sign = 1;
      const draw = () => { rows.sort((a, b) => (a[by] > b[by] ? 1 : -1) * sign); t.tBodies[0].innerHTML = rows.slice(0, 3).map(([n, d]) => '<tr><td>#' + n + '<td>' + d + '<td><a href="#' + n + '">Open</a></tr>').join('') + '<tr><td colspan="3">4 more are not shown</tr>' };
      t.tHead.onclick = e => { const n = e.target.cellIndex; sign = by === n ? -sign : 1; by = n; draw() }; onhashchange = () => pass(location.hash === '#3'); draw()`)}`,
  },
  'Change the quantity of Nails to 40.': {
    html: `<table id="t"><tr><th>Item<th>Quantity</tr>${['Screws', 'Nails', 'Hooks'].map((n) => `<tr><td>${n}<td class="ed" style="cursor:cell">12</tr>`).join('')}</table><p id="s"></p>
      ${script(`t.ondblclick = e => { const c = e.target.closest('.ed'); if (!c) return; const i = document.createElement('input'); i.value = c.textContent; i.style.width = '40px'; c.replaceChildren(i); i.select(); const end = keep => { i.onblur = null; c.textContent = keep ? i.value : '12'; s.textContent = keep ? 'Saved' : ''; pass([...t.querySelectorAll('.ed')].map(x => x.textContent).join() === '12,40,12') }; i.onblur = () => end(false); i.onkeydown = k => { if (k.key === 'Enter') end(true); if (k.key === 'Escape') end(false) } }`)}`,
  },
  'Select the row of Uma, who is on page 3.': {
    html: `<table id="t"></table><nav aria-label="Pages" id="n"></nav>
      ${script(`const names = ['Ada', 'Ben', 'Cem', 'Dan', 'Eve', 'Fay', 'Uma', 'Gil', 'Hal', 'Ian']; let page = 1; const draw = () => { t.innerHTML = names.slice(page * 3 - 3, page * 3).map(x => '<tr><td><input type="checkbox"></td><td>' + x + '</td></tr>').join(''); n.innerHTML = [1, 2, 3, 4].map(p => '<a href="#"' + (p === page ? ' aria-current="page"' : '') + '>' + p + '</a> ').join('') };
      n.onclick = e => { e.preventDefault(); t.innerHTML = '<tr><td>Loading…'; page = +e.target.textContent; setTimeout(draw, 400) }; t.onchange = e => pass(e.target.closest('tr').textContent === 'Uma' && e.target.checked); draw()`)}`,
  },
  'Show only the open issues of Kim.': {
    html: `<div><span id="a" class="filter">State: all ▾</span> <span id="b" class="filter">Author: all ▾</span></div><div id="m"></div><ul id="l"></ul>
      ${script(`const all = [['Crash', 'open', 'Kim'], ['Typo', 'closed', 'Kim'], ['Slow', 'open', 'Lou'], ['Blank', 'open', 'Kim']]; let state = 'all', who = 'all';
      const draw = () => { a.textContent = 'State: ' + state + ' ▾'; b.textContent = 'Author: ' + who + ' ▾'; m.replaceChildren(); const found = all.filter(([, s, w]) => (state === 'all' || s === state) && (who === 'all' || w === who)); l.innerHTML = found.map(x => '<li>' + x.join(' · ')).join(''); pass(found.map(x => x[0]).join() === 'Crash,Blank') };
      const menu = (list, set) => m.replaceChildren(...list.map(x => { const d = document.createElement('div'); d.textContent = x; d.addEventListener('click', () => { set(x); draw() }); return d })); a.addEventListener('click', () => menu(['all', 'open', 'closed'], x => state = x)); b.addEventListener('click', () => menu(['all', 'Kim', 'Lou'], x => who = x)); draw()`)}`,
  },
  'Open the file src/lib/util.ts in the tree.': {
    html: `<style>.row{cursor:default;user-select:none}.kids{margin-left:16px}</style><div id="t"></div>
      ${script(`const files = { src: { app: { 'main.ts': 0 }, lib: { 'util.ts': 0, 'view.ts': 0 } }, test: { lib: { 'util.ts': 0 } } };
      const build = (node, path) => { const box = document.createElement('div'); box.className = 'kids'; for (const [name, kids] of Object.entries(node)) { const row = document.createElement('div'); row.className = 'row'; row.innerHTML = (kids ? '<span class="twisty">▸</span>' : '') + '<span>' + name + '</span>'; box.append(row); const at = path + '/' + name; if (kids) row.firstChild.onclick = () => { if (row.nextSibling?.className === 'kids') { row.nextSibling.remove(); row.firstChild.textContent = '▸' } else { row.firstChild.textContent = '▾'; setTimeout(() => row.after(build(kids, at)), 150) } }; else row.ondblclick = () => pass(at === '/src/lib/util.ts') } return box }; t.append(build(files, ''))`)}`,
  },
  'Open message 57.': {
    html: `<div id="l" style="height:200px;overflow:auto;border:1px solid"></div>
      ${script(`let n = 0, busy = false; const more = () => { for (const end = n + 20; n < end;) { const a = document.createElement('article'); const id = ++n; a.style.padding = '8px'; a.innerHTML = '<a href="javascript:void 0">Message ' + id + '</a>'; a.firstChild.onclick = () => pass(id === 57); l.append(a) } };
      l.onscroll = () => { if (busy || n > 80 || l.scrollTop + l.clientHeight < l.scrollHeight - 20) return; busy = true; const s = document.createElement('div'); s.textContent = 'Loading more…'; l.append(s); setTimeout(() => { s.remove(); more(); busy = false }, 300) }; more()`)}`,
  },
  'Select row 480 of the long list.': {
    html: `<div id="v" style="height:200px;width:300px;overflow:auto;position:relative"><div id="s" style="height:10000px;position:relative"></div></div>
      ${script(`const draw = () => { const from = Math.floor(v.scrollTop / 20); s.innerHTML = Array.from({ length: 11 }, (_, i) => from + i + 1).filter(n => n <= 500).map(n => '<div class="r" style="position:absolute;height:20px;width:100%;top:' + (n - 1) * 20 + 'px">Row ' + n + '</div>').join('') }; v.onscroll = draw; s.onclick = e => pass(e.target.textContent === 'Row 480'); draw()`)}`,
  },
  'Select all metals but Zinc, and delete them.': {
    html: `<table id="t"><tr><th><input type="checkbox" id="a"></th><th>Metal</th></tr>${['Iron', 'Tin', 'Zinc', 'Lead'].map((n) => `<tr><td><input type="checkbox" class="c"></td><td>${n}</td></tr>`).join('')}</table><button id="b" disabled>Delete</button>
      ${script(`const cs = () => [...t.querySelectorAll('.c')]; t.onchange = e => { if (e.target === a) for (const c of cs()) c.checked = a.checked; const on = cs().filter(c => c.checked).length; a.checked = on === cs().length; a.indeterminate = on > 0 && !a.checked; b.disabled = !on; b.textContent = on ? 'Delete (' + on + ')' : 'Delete' };
      b.onclick = () => { for (const c of cs()) if (c.checked) c.closest('tr').remove(); pass(cs().map(c => c.closest('tr').textContent).join() === 'Zinc') }`)}`,
  },
  'Move the column Price before the column Name.': {
    html: `<table id="t" style="width:400px"><thead><tr><th draggable="true">Name</th><th draggable="true">Stock</th><th draggable="true">Price</th></tr></thead><tbody><tr><td>Cup</td><td>4</td><td>3 €</td></tr></tbody></table>
      ${script(`let from; t.ondragstart = e => { from = e.target.cellIndex; e.dataTransfer.setData('text/plain', from) }; t.ondragover = e => { if (e.target.tagName === 'TH') e.preventDefault() };
      t.ondrop = e => { e.preventDefault(); const to = e.target.cellIndex; for (const r of t.rows) { const c = r.cells[from]; r.cells[to][to < from ? 'before' : 'after'](c) } pass([...t.tHead.rows[0].cells].map(c => c.textContent).join() === 'Price,Name,Stock') }`)}`,
  },
  'Book the free room on Tuesday at 11.': {
    html: `<table border="1" id="t"><tr><th rowspan="2">Time</th><th colspan="2">Monday</th><th colspan="2">Tuesday</th></tr><tr><th>Room A</th><th>Room B</th><th>Room A</th><th>Room B</th></tr><tr><th>10</th><td rowspan="2">taken</td><td class="f">free</td><td rowspan="2">taken</td><td class="f">free</td></tr><tr><th>11</th><td class="f">free</td><td class="f" id="x">free</td></tr><tr><th>12</th><td class="f">free</td><td>taken</td><td class="f">free</td><td>taken</td></tr></table>
      ${script(`t.onclick = e => { const c = e.target; if (c.className !== 'f') return; c.className = 'mine'; c.textContent = 'yours'; pass(c.id === 'x' && t.querySelectorAll('.mine').length === 1) }`)}`,
  },
  'Enter the sales of May from the chart.': {
    html: `<svg width="260" height="120" id="g">${[31, 47, 52, 28, 66, 59].map((v, n) => `<rect class="bar" x="${10 + n * 40}" y="${110 - v}" width="26" height="${v}" fill="steelblue" data-v="${v}"/>`).join('')}</svg><div>${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].map((m) => `<span style="display:inline-block;width:40px">${m}</span>`).join('')}</div><div id="tip" style="position:fixed;pointer-events:none;background:#333;color:#fff" hidden></div><label>Sales in May <input id="i"></label>
      ${script(`for (const r of g.children) { const sold = r.dataset.v * 13 + 5; delete r.dataset.v; r.onmouseenter = e => { tip.hidden = false; tip.textContent = sold + ' sold'; tip.style.left = e.clientX + 10 + 'px'; tip.style.top = e.clientY + 'px' }; r.onmouseleave = () => tip.hidden = true } i.oninput = () => pass(i.value === '863')`)}`,
  },
  'Cancel order 1002.': {
    html: `<table id="t">${[1001, 1002, 1003].map((n) => `<tr class="r"><td><button aria-expanded="false">${icon('chevron-right')}</button></td><td>${n}</td><td class="st">paid</td></tr><tr hidden><td colspan="3">Two books <a role="button" tabindex="0" class="c">Cancel order</a></td></tr>`).join('')}</table><div id="d" role="alertdialog" aria-modal="true" aria-label="Cancel this order?" hidden style="position:fixed;inset:60px;background:#fff;border:1px solid"><button>Keep it</button><button>Yes, cancel</button></div>
      ${script(`let row; t.onclick = e => { const b = e.target.closest('[aria-expanded]'); if (b) { const open = b.ariaExpanded !== 'true'; b.ariaExpanded = String(open); b.closest('tr').nextElementSibling.hidden = !open } if (e.target.className === 'c') { row = e.target.closest('tr').previousElementSibling; d.hidden = false } };
      d.onclick = e => { if (e.target === d) return; d.hidden = true; if (e.target.textContent[0] === 'Y') row.querySelector('.st').textContent = 'canceled'; pass([...t.querySelectorAll('.st')].map(x => x.textContent).join() === 'paid,canceled,paid') }`)}`,
  },
  'Drag "Fix login" from To do to Doing.': {
    html: `<style>.col{width:160px;min-height:120px;float:left;border:1px solid;margin:4px}.card{border:1px solid;padding:4px;touch-action:none;user-select:none}</style>${['To do', 'Doing', 'Done'].map((c, n) => `<section class="col"><h4>${c}</h4>${n === 0 ? '<div class="card">Fix login</div><div class="card">Write docs</div>' : ''}</section>`).join('')}<br style="clear:both">
      ${script(`for (const c of document.querySelectorAll('.card')) c.addEventListener('pointerdown', e => { const x = e.clientX, y = e.clientY; let far = false; const move = m => { far ||= Math.hypot(m.clientX - x, m.clientY - y) > 5; if (far) c.style.cssText = 'position:relative;pointer-events:none;left:' + (m.clientX - x) + 'px;top:' + (m.clientY - y) + 'px' };
      const up = u => { removeEventListener('pointermove', move); removeEventListener('pointerup', up); const col = document.elementFromPoint(u.clientX, u.clientY)?.closest('.col'); c.style.cssText = ''; if (far && col) col.append(c); pass([...document.querySelectorAll('.col')].map(x => [...x.querySelectorAll('.card')].map(y => y.textContent)).join('|') === 'Write docs|Fix login|') }; addEventListener('pointermove', move); addEventListener('pointerup', up) })`)}`,
  },
  'Sort the playlist by hand: Air, Blue, Calm.': {
    html: `<style>#l{list-style:none;padding:0;width:240px}#l li{height:30px;border:1px solid;margin:2px}.grip{display:inline-block;width:16px;height:16px;cursor:grab;touch-action:none}</style><ol id="l">${['Calm', 'Air', 'Blue'].map((t) => `<li><span class="grip">${icon('grip')}</span>${t}</li>`).join('')}</ol>
      ${script(`l.onpointerdown = e => { const g = e.target.closest('.grip'); if (!g) return; e.preventDefault(); const li = g.parentNode; g.setPointerCapture(e.pointerId); g.onpointermove = m => { for (const x of l.children) { const r = x.getBoundingClientRect(); if (x === li || m.clientY < r.top || m.clientY > r.bottom) continue; if (m.clientY > r.top + r.height / 2) { if (x.compareDocumentPosition(li) & 2) x.after(li) } else if (x.compareDocumentPosition(li) & 4) x.before(li) } }; g.onpointerup = () => { g.onpointermove = null; pass([...l.children].map(x => x.textContent).join() === 'Air,Blue,Calm') } }`)}`,
  },
  'Make the left pane about 300 pixels wide.': {
    html: `<div id="s" style="display:flex;width:600px;height:100px;border:1px solid"><div id="a" style="width:150px;overflow:hidden">Files</div><div id="g" style="width:6px;background:#999;cursor:col-resize"></div><div style="flex:1">Editor</div></div><p id="w">150 px</p>
      ${script(`g.onmousedown = e => { e.preventDefault(); const x = e.clientX, w0 = a.offsetWidth; const move = m => { a.style.width = w0 + m.clientX - x + 'px'; w.textContent = a.offsetWidth + ' px' }; document.addEventListener('mousemove', move); document.addEventListener('mouseup', () => { document.removeEventListener('mousemove', move); pass(Math.abs(a.offsetWidth - 300) < 15) }, { once: true }) }`)}`,
  },
  'Move Tea from Available to Chosen.': {
    html: `<div style="display:flex"><div><b id="la">Available</b><ul role="listbox" aria-labelledby="la" id="a" tabindex="0">${['Milk', 'Tea', 'Rum'].map((n) => `<li role="option" aria-selected="false">${n}</li>`).join('')}</ul></div><div><button id="r" disabled>${icon('arrow-right')}</button><button id="x" disabled>${icon('arrow-left')}</button></div><div><b id="lc">Chosen</b><ul role="listbox" aria-labelledby="lc" id="c" tabindex="0"><li role="option" aria-selected="false">Water</li></ul></div></div>
      ${script(`const sel = u => u.querySelectorAll('[aria-selected=true]'); for (const u of [a, c]) u.onclick = e => { if (e.target === u) return; e.target.ariaSelected = String(e.target.ariaSelected !== 'true'); r.disabled = !sel(a).length; x.disabled = !sel(c).length };
      const go = (u, v) => { for (const li of sel(u)) { li.ariaSelected = 'false'; v.append(li) } r.disabled = x.disabled = true; pass([...c.children].map(y => y.textContent).join() === 'Water,Tea') }; r.onclick = () => go(a, c); x.onclick = () => go(c, a)`)}`,
  },
  'Write 15 into cell B2 of the sheet.': {
    html: `<style>#t td{width:60px;height:20px;border:1px solid #ccc}#t td.on{outline:2px solid #06c}</style><table id="t">${['', 'A', 'B', 'C'].map((c) => `<th>${c}</th>`).join('')}${[1, 2, 3].map((r) => `<tr><th>${r}</th><td></td><td></td><td></td></tr>`).join('')}</table>
      ${script(`let at, text; const put = keep => { if (text === undefined) return; at.textContent = keep ? text : ''; text = undefined; pass(t.rows[2].cells[2].textContent === '15' && t.textContent.replace(/\\s/g, '') === 'ABC12153') };
      t.onmousedown = e => { if (e.target.tagName !== 'TD') return; put(true); at?.classList.remove('on'); at = e.target; at.classList.add('on') };
      onkeydown = e => { if (!at || e.ctrlKey) return; if (e.key === 'Enter') put(true); else if (e.key === 'Escape') put(false); else if (e.key === 'Backspace') at.textContent = text = (text ?? '').slice(0, -1); else if (e.key.length === 1) at.textContent = text = (text ?? '') + e.key }`)}`,
  },
};

/** Steps by request. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'Open the newest order.': [
    ['Browser.click', { element: "cell 'Date'" }],
    ['Browser.click', { element: "cell 'Date'" }],
    ['Browser.click', { element: "link 'Open'" }],
  ],
  'Change the quantity of Nails to 40.': [
    ['Browser.click', { element: "cell '12' #2", count: 2 }],
    ['Browser.type', { element: 'textbox', content: '40', clear: true, press_enter_after: true }],
  ],
  'Select the row of Uma, who is on page 3.': [
    ['Browser.click', { element: "link '3'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.check', { element: 'checkbox' }],
  ],
  'Show only the open issues of Kim.': [
    ['Browser.click', { element: "clickable 'State: all ▾'" }],
    ['Browser.click', { element: "clickable 'open'" }],
    ['Browser.click', { element: "clickable 'Author: all ▾'" }],
    ['Browser.click', { element: "clickable 'Kim'" }],
  ],
  'Open the file src/lib/util.ts in the tree.': [
    ['Browser.click', { element: "clickable '▸'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "clickable '▸' #2" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "clickable 'util.ts'", count: 2 }],
  ],
  'Open message 57.': [
    ['Browser.scroll', { direction: 'down', element: 'box' }],
    ['Browser.scroll', { direction: 'down', element: 'box' }],
    ['Browser.scroll', { direction: 'down', element: 'box' }],
    ['Browser.wait', { seconds: 1 }],
    ...Array.from({ length: 4 }, (): Step => ['Browser.scroll', { direction: 'down', element: 'box' }]),
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "link 'Message 57'" }],
  ],
  'Select row 480 of the long list.': [
    ['Browser.press', { element: 'box', key_comb: 'End' }],
    ['Browser.scroll', { direction: 'up', element: 'box' }],
    ['Browser.scroll', { direction: 'up', element: 'box' }],
    ['Browser.click', { element: "'Row 480'" }],
  ],
  'Select all metals but Zinc, and delete them.': [
    ['Browser.check', { element: 'checkbox' }],
    ['Browser.check', { element: 'checkbox #4', checked: false }],
    ['Browser.click', { element: "button 'Delete (3)'" }],
  ],
  'Move the column Price before the column Name.': [
    ['Browser.drag', { element: "cell 'Price'", to: "cell 'Name'" }],
  ],
  'Book the free room on Tuesday at 11.': [['Browser.click', { element: "cell 'free' #4" }]],
  'Enter the sales of May from the chart.': [
    ['Browser.hover', { element: 'rectangle #5' }],
    ['Browser.type', { element: "textbox 'Sales in May'", content: '863' }],
  ],
  'Cancel order 1002.': [
    ['Browser.click', { element: "button icon: 'chevron-right' #2" }],
    ['Browser.click', { element: "button 'Cancel order'" }],
    ['Browser.click', { element: "button 'Yes, cancel'" }],
  ],
  'Drag "Fix login" from To do to Doing.': [
    ['Browser.drag', { element: "clickable draggable 'Fix login'", to: "heading 'Doing'" }],
  ],
  'Sort the playlist by hand: Air, Blue, Calm.': [
    ['Browser.drag', { element: "'(icon grip)'", to: "'Blue'", at_y: 28 }],
  ],
  'Make the left pane about 300 pixels wide.': [
    ['Browser.drag', { element: 'clickable draggable gray', by_x: 150 }],
  ],
  'Move Tea from Available to Chosen.': [
    ['Browser.click', { element: "option 'Tea'" }],
    ['Browser.click', { element: "button icon: 'arrow-right'" }],
  ],
  'Write 15 into cell B2 of the sheet.': [
    ['Browser.click', { element: 'cell row 3 column 3' }],
    ['Browser.press', { key_comb: '1 5 Enter' }],
  ],
};

export const dataRequests = taskPages(pages, steps);

import type { TaskPage } from '../steps.js';
import { page } from './jquery.js';

const ROWS = 500;

/** Tasks in a small box, like those of suites of mini tasks: covers, timers, shapes, keys and boxes without labels. */
export const smallTasks: readonly TaskPage[] = [
  {
    name: 'a cover says START, and the task behind it begins with a click',
    html: `<div id="wrap" style="position:relative;width:160px;height:210px"><div id="query">Click "ok".</div><button id="b">ok</button><div id="c" style="position:absolute;inset:0;background:rgba(50,90,200,.8);cursor:pointer;color:#fff;line-height:200px;text-align:center">START</div></div><p id="o"></p><script>let t; c.onclick = () => { c.remove(); t = 1 }; b.onclick = () => { o.textContent = t ? 'reward 1' : 'too early' }</script>`,
    steps: [
      ['Browser.click', { element: "clickable 'START'" }],
      ['Browser.click', { element: "button 'ok'" }],
    ],
    solved: "'reward 1'",
  },
  {
    name: 'buttons whose labels exist only in CSS are clicked',
    html: `<style>.i{display:inline-block;padding:4px;border:1px solid}.del::before{content:'Delete'}.keep::after{content:'Keep'}</style><span class="i del"></span><span class="i keep"></span><p id="o"></p><script>for (const i of document.querySelectorAll('.i')) i.addEventListener('click', () => o.textContent = 'did ' + i.className)</script>`,
    steps: [['Browser.click', { element: "clickable 'Delete'" }]],
    solved: "'did i del'",
  },
  {
    name: 'icons are identified by a title or the text of an image',
    html: `<div id="t" title="Reply" style="width:20px;height:20px;background:#ddd"></div><a id="a"><img alt="Trash" width="20" height="20"></a><p id="o"></p><script>t.onclick = () => o.textContent += 'replied '; a.onclick = () => o.textContent += 'trashed'</script>`,
    steps: [
      ['Browser.click', { element: "clickable 'Reply'" }],
      ['Browser.click', { element: "clickable 'Trash'" }],
    ],
    solved: "'replied trashed'",
  },
  {
    name: 'a button that moves all the time is clicked',
    html: `<button id="b" style="position:absolute;left:0;top:60px">Catch me</button><p id="o"></p><script>let n = 0; const m = setInterval(() => { b.style.left = (n += 15) % 300 + 'px' }, 80); b.onclick = () => { clearInterval(m); o.textContent = 'caught' }</script>`,
    steps: [['Browser.click', { element: "button 'Catch me'" }]],
    solved: "'caught'",
  },
  {
    name: 'a list that contains only the visible rows is scrolled to one of them',
    html: `<div id="v" style="height:120px;overflow-y:auto;position:relative" role="group" aria-label="People"><div id="all" style="height:${ROWS * 30}px"></div></div><p id="o"></p><script>const draw = () => { for (const r of v.querySelectorAll('.r')) r.remove(); const first = Math.floor(v.scrollTop / 30); for (let n = first; n < first + 6; n++) { const r = document.createElement('div'); r.className = 'r'; r.style.cssText = 'position:absolute;height:30px;top:' + n * 30 + 'px'; r.textContent = 'Person ' + n; r.onclick = () => o.textContent = 'met ' + n; v.append(r) } }; v.onscroll = draw; draw()</script>`,
    steps: [
      ['Browser.scroll', { element: "group 'People'", direction: 'down' }],
      ['Browser.scroll', { element: "group 'People'", direction: 'down' }],
      ['Browser.click', { element: "clickable 'Person 9'" }],
    ],
    solved: "'met 9'",
  },
  {
    name: 'cells of a grid on a canvas are clicked by their place',
    html: `<canvas id="c" width="150" height="150"></canvas><p id="o"></p><script>const g = c.getContext('2d'); for (let n = 0; n < 9; n++) g.strokeRect(n % 3 * 50, Math.floor(n / 3) * 50, 50, 50); c.addEventListener('mousedown', e => { const b = c.getBoundingClientRect(); o.textContent = 'cell ' + Math.floor((e.clientX - b.left) / 50) + ',' + Math.floor((e.clientY - b.top) / 50) })</script>`,
    steps: [['Browser.click', { element: 'canvas', at_x: 125, at_y: 75 }]],
    solved: "'cell 2,1'",
  },
  {
    name: 'a round menu opens under the mouse and one of its parts is clicked',
    html: `<svg id="s" width="150" height="150"><circle id="h" cx="75" cy="75" r="15" fill="gray"/><text x="70" y="80" pointer-events="none">+</text><g id="g" style="display:none"></g></svg><p id="o"></p><script>const ns = 'http://www.w3.org/2000/svg'; ['U', 'b', '7', 'q'].forEach((w, n) => { const a = n * Math.PI / 2, p = document.createElementNS(ns, 'path'), x = t => 75 + 60 * Math.cos(t), y = t => 75 + 60 * Math.sin(t); p.setAttribute('d', 'M75 75 L' + x(a) + ' ' + y(a) + ' A60 60 0 0 1 ' + x(a + 1.57) + ' ' + y(a + 1.57) + ' Z'); p.setAttribute('fill', 'lightblue'); const t = document.createElementNS(ns, 'text'); t.textContent = w; t.setAttribute('x', 70 + 35 * Math.cos(a + .78)); t.setAttribute('y', 80 + 35 * Math.sin(a + .78)); for (const e of [p, t]) { g.append(e); e.addEventListener('click', () => o.textContent = 'sector ' + w) } }); h.addEventListener('mouseover', () => g.style.display = '')</script>`,
    steps: [
      ['Browser.hover', { element: 'circle' }],
      ['Browser.click', { element: "text '7'" }],
    ],
    solved: "'sector 7'",
  },
  {
    name: 'a hue is picked on a color wheel',
    html: `<div id="w" style="width:120px;height:120px;border-radius:50%;background:conic-gradient(red, yellow, lime, aqua, blue, magenta, red)"></div><p id="o"></p><script>w.onmousedown = e => { const b = w.getBoundingClientRect(); const hue = Math.round((Math.atan2(e.clientX - b.left - 60, b.top + 60 - e.clientY) * 180 / Math.PI + 360) % 360); o.textContent = 'hue ' + hue }</script>`,
    steps: [['Browser.click', { element: 'clickable', at_x: 60, at_y: 110 }]],
    solved: "'hue 180'",
  },
  {
    name: 'all shades of one color are chosen among boxes',
    html: `<div id="g">${['#1b5e20', '#e53935', '#66bb6a', '#1e88e5', '#a5d6a7', '#8e24aa'].map((c) => `<div style="width:30px;height:30px;display:inline-block;background:${c}"></div>`).join('')}</div><button id="b">Submit</button><p id="o"></p><script>for (const d of g.children) d.addEventListener('click', () => d.classList.toggle('on')); b.onclick = () => o.textContent = 'chosen ' + [...g.children].map(d => Number(d.classList.contains('on'))).join('')</script>`,
    steps: [
      ['Browser.click', { element: 'clickable dark green' }],
      ['Browser.click', { element: 'clickable light green' }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'chosen 1",
  },
  {
    name: 'a circle of a drawing is dragged into a square of it',
    html: `<svg id="s" width="200" height="120"><rect id="r" x="140" y="40" width="40" height="40" fill="none" stroke="black"/><circle id="c" cx="30" cy="60" r="12" fill="orange"/></svg><p id="o"></p><script>let on; c.addEventListener('mousedown', () => on = 1); s.addEventListener('mousemove', e => { if (on) { const b = s.getBoundingClientRect(); c.setAttribute('cx', e.clientX - b.left); c.setAttribute('cy', e.clientY - b.top) } }); addEventListener('mouseup', () => { on = 0; o.textContent = c.getAttribute('cx') > 140 ? 'inside' : 'outside' })</script>`,
    steps: [['Browser.drag', { element: 'circle', to: 'square' }]],
    solved: "'inside'",
  },
  {
    name: 'the end of a long text in a field is read and copied',
    html: `<textarea id="t" readonly rows="5" aria-label="Story">${Array.from({ length: 150 }, (_, n) => `word${n}`).join(' ')} zebra</textarea><input id="i" aria-label="Last word"><button onclick="o.textContent = i.value === 'zebra' ? 'right' : 'wrong'">Submit</button><p id="o"></p>`,
    steps: [
      ['Browser.scroll', { element: "textbox 'Story'", direction: 'down' }],
      ['Browser.wait_for_text', { text: 'zebra', seconds: 1 }],
      ['Browser.type', { element: "textbox 'Last word'", content: 'zebra' }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'right'",
  },
  {
    name: 'a terminal that listens to keys anywhere runs what is typed',
    html: `<div id="t" style="background:#000;color:#0f0;height:80px">$ <span id="i"></span></div><p id="o"></p><script>addEventListener('keydown', e => { if (e.key === 'Enter') { if (i.textContent === 'rm notes.txt') o.textContent = 'removed'; i.textContent = '' } else if (e.key === 'Backspace') i.textContent = i.textContent.slice(0, -1); else if (e.key.length === 1) i.textContent += e.key })</script>`,
    steps: [
      ['Browser.type', { content: 'rm nx' }],
      ['Browser.press', { key_comb: 'Backspace' }],
      ['Browser.type', { content: 'otes.txt', press_enter_after: true }],
    ],
    solved: "'removed'",
  },
  {
    name: 'an editor in a separate frame (designMode) makes a word bold',
    html: `<iframe id="f" title="Editor" style="height:100px" srcdoc="<body>plain word<script>document.designMode='on'</script><button onmousedown='event.preventDefault()' onclick='document.execCommand(&quot;bold&quot;)'>Bold</button><p id=o contenteditable=false></p><script>oninput = () => o.textContent = document.querySelector('b')?.textContent ?? ''</script>"></iframe>`,
    steps: [
      ['Browser.select_text', { element: "iframe 'Editor'", text: 'word' }],
      ['Browser.click', { element: "button 'Bold'" }],
    ],
    solved: "'word'",
  },
  {
    name: 'a place is found by the text shown while the mouse moves over it (hot and cold)',
    html: `<div id="a" style="width:160px;height:120px;background:#eee" aria-label="Area" role="group"></div><p id="o">cold</p><script>a.onmousemove = e => { const d = Math.hypot(e.offsetX - 120, e.offsetY - 30); o.textContent = d < 10 ? 'hot' : d < 50 ? 'warm' : 'cold' }; a.onclick = () => { if (o.textContent === 'hot') o.textContent = 'found' }</script>`,
    steps: [
      ['Browser.hover', { element: "group 'Area'", at_x: 90, at_y: 40 }],
      ['Browser.wait_for_text', { text: 'warm', seconds: 1 }],
      ['Browser.click', { element: "group 'Area'", at_x: 120, at_y: 30 }],
    ],
    solved: "'found'",
  },
  {
    name: 'a board is walked with arrow keys and marked with Enter',
    html: `<div id="g" tabindex="0" style="display:grid;grid-template-columns:repeat(3,20px)">${'<div class="c" style="height:20px;border:1px solid"></div>'.repeat(9)}</div><p id="o"></p><script>let x = 0, y = 0; g.onkeydown = e => { if (e.key === 'ArrowRight') x++; if (e.key === 'ArrowDown') y++; if (e.key === 'Enter') o.textContent = 'marked ' + x + ',' + y }; g.focus()</script>`,
    steps: [['Browser.press', { element: 'clickable', key_comb: 'ArrowRight ArrowRight ArrowDown Enter' }]],
    solved: "'marked 2,1'",
  },
  {
    name: 'slides outside of a strip are reached with its arrows',
    html: `<div style="width:120px;overflow:hidden"><div id="s" style="display:flex;width:360px">${['One', 'Two', 'Three'].map((w) => `<div class="slide" style="flex:0 0 120px"><button onclick="o.textContent = 'took ${w}'">${w}</button></div>`).join('')}</div></div><span id="n">❯</span><p id="o"></p><script>let at = 0; n.addEventListener('click', () => { at = Math.min(at + 1, 2); s.style.transform = 'translateX(' + -120 * at + 'px)' })</script>`,
    steps: [
      ['Browser.click', { element: "clickable '❯'" }],
      ['Browser.click', { element: "clickable '❯'" }],
      ['Browser.click', { element: "button 'Three'" }],
    ],
    solved: "'took Three'",
  },
  {
    name: 'checkboxes without labels are distinguished by their order',
    html: `<div id="g" style="display:grid;grid-template-columns:repeat(3,20px)">${'<input type="checkbox">'.repeat(9)}</div><button id="b">Submit</button><p id="o"></p><script>b.onclick = () => o.textContent = 'ticks ' + [...g.children].map(x => Number(x.checked)).join('')</script>`,
    steps: [
      ['Browser.check', { element: 'checkbox #2' }],
      ['Browser.click', { element: 'checkbox #5' }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'ticks 010010000'",
  },
  {
    name: 'shapes and digits of a drawing are counted by kind, color and size',
    html: `<svg width="150" height="120">${[
      ['circle', 'cx="15" cy="15" r="5" fill="red"'],
      ['circle', 'cx="45" cy="20" r="14" fill="red"'],
      ['rect', 'x="70" y="5" width="10" height="10" fill="red"'],
      ['circle', 'cx="110" cy="20" r="14" fill="blue"'],
    ]
      .map(([kind = '', rest = '']) => `<${kind} ${rest}/>`)
      .join(
        '',
      )}<text x="20" y="90" fill="green">4</text></svg><p>How many red circles?</p><button class="n">1</button><button class="n">2</button><button class="n">3</button><p id="o"></p><script>onclick = e => { if (e.target.className === 'n') o.textContent = 'said ' + e.target.textContent }</script>`,
    steps: [
      ['Browser.hover', { element: 'circle red #2' }],
      ['Browser.hover', { element: "text '4' green" }],
      ['Browser.click', { element: "button '2'" }],
    ],
    solved: "'said 2'",
  },
  {
    name: 'a share is bought during the short time in which its price is low',
    html: `<p>Price: <b id="p">$60</b></p><button id="b">Buy</button><p id="o"></p><script>let n = 0; setInterval(() => { n++; p.textContent = '$' + (n % 12 < 8 ? 60 + n % 5 : 41) }, 150); b.onclick = () => o.textContent = p.textContent === '$41' ? 'bought low' : 'too dear at ' + p.textContent</script>`,
    steps: [
      ['Browser.hover', { element: "button 'Buy'" }],
      ['Browser.wait_for_text', { text: '$41', seconds: 10 }],
    ],
    solved: 'Price: $',
  },
  {
    name: 'words with rotated letters are read as words',
    html: `<div id="w">${['x', 'K', '7', 'q'].map((c, n) => `<span style="display:inline-block;transform:rotate(${n * 20 - 30}deg)">${c}</span>`).join('')}</div><input id="i" aria-label="Text"><button onclick="o.textContent = i.value === 'xK7q' ? 'human' : 'robot'">Submit</button><p id="o"></p>`,
    steps: [
      ['Browser.wait_for_text', { text: 'xK7q', seconds: 1 }],
      ['Browser.type', { element: "textbox 'Text'", content: 'xK7q' }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'human'",
  },
  {
    name: 'elements with touch listeners are tapped and swiped',
    html: `<div id="d" style="width:200px;height:60px;background:#eef">Card</div><p id="o"></p><script>let x; d.addEventListener('touchstart', e => { x = e.touches[0].clientX }); d.addEventListener('touchend', e => { const by = e.changedTouches[0].clientX - x; o.textContent += by < -40 ? 'swiped left' : 'tapped ' })</script>`,
    steps: [
      ['Browser.click', { element: "clickable draggable 'Card'" }],
      ['Browser.drag', { element: "clickable draggable 'Card'", by_x: -80, by_y: 0 }],
    ],
    solved: "'tapped swiped left'",
  },
  {
    name: 'lights that flash one after the other are repeated in their order (Simon says)',
    html: `<div id="g">${['red', 'green', 'blue', 'gold'].map((c) => `<div id="${c}" style="width:40px;height:40px;display:inline-block;background:${c};opacity:.3"></div>`).join('')}</div><button id="b">Play</button><p id="o"></p><script>const tune = ['blue', 'red', 'blue']; let said = []; b.onclick = async () => { b.disabled = true; for (const c of tune) { const d = document.getElementById(c); d.style.opacity = 1; await new Promise(r => setTimeout(r, 150)); d.style.opacity = .3; await new Promise(r => setTimeout(r, 50)) } b.disabled = false }; for (const d of g.children) d.onclick = () => { said.push(d.id); if (said.join() === tune.join()) o.textContent = 'heard' }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Play'" }],
      ['Browser.click', { element: 'clickable blue' }],
      ['Browser.click', { element: 'clickable red' }],
      ['Browser.click', { element: 'clickable blue' }],
    ],
    solved: "'heard'",
  },
  {
    name: 'jQuery UI: delayed suggestions are chosen with keys',
    html: page(
      '<input id="t" aria-label="Country">',
      `$('#t').autocomplete({ delay: 250, source: ['Senegal', 'Serbia', 'Seychelles'], select: (e, ui) => o.textContent = 'to ' + ui.item.value })`,
    ),
    steps: [
      ['Browser.type', { element: "textbox 'Country'", content: 'Se' }],
      ['Browser.wait_for_text', { text: 'Serbia', seconds: 5 }],
      ['Browser.press', { key_comb: 'ArrowDown ArrowDown Enter' }],
    ],
    solved: "'to Serbia'",
  },
  {
    name: 'jQuery UI: an option is chosen in a list that replaces the browser’s own (selectmenu)',
    html: page(
      '<label for="s">Speed</label><select id="s"><option>Slow</option><option>Fast</option></select>',
      `$('#s').selectmenu({ change: (e, ui) => o.textContent = 'speed ' + ui.item.value })`,
    ),
    steps: [['Browser.select', { element: 'combobox', options: 'Fast' }]],
    solved: "'speed Fast'",
  },
  {
    name: 'jQuery UI: entries are chosen with a frame drawn around them (selectable)',
    html: page(
      '<ol id="l" style="padding:20px"><li class="e">one</li><li class="e">two</li><li class="e">three</li></ol>',
      `$('#l').selectable({ stop: () => o.textContent = 'chose ' + $('.ui-selected').text() })`,
    ),
    steps: [
      ['Browser.drag', { element: "'one'", from_x: 2, from_y: 2, by_x: 60, by_y: 30 }],
      ['Browser.wait_for_text', { text: 'chose onetwo', seconds: 2 }],
    ],
    solved: "'chose onetwo'",
  },
  {
    name: 'jQuery UI: two handles of an upright slider, and a spinner',
    html: page(
      '<div id="s" style="height:100px;width:12px"></div><input id="n" value="1" aria-label="Count">',
      `$('#s').slider({ orientation: 'vertical', range: true, values: [2, 8], max: 10, change: (e, ui) => o.textContent = ui.values.join('-') + ' ' }); $('#n').spinner()`,
    ),
    steps: [
      ['Browser.press', { element: 'clickable dark gray', key_comb: 'ArrowUp ArrowUp' }],
      ['Browser.press', { element: "spinbutton 'Count'", key_comb: 'ArrowUp' }],
    ],
    solved: ["'4-8'", "spinbutton 'Count' value: 2"],
  },
];

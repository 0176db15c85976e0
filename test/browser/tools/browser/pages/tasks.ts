import type { TaskPage } from '../steps.js';

/**
 * Small tasks like those of public benchmarks: drawings, keyboard only, nested menus, mock apps, elements of any
 * kind.
 */
export const tasks: readonly TaskPage[] = [
  {
    name: 'a shape of a drawing is clicked by its kind and color',
    html: `<svg width="160" height="160"><rect x="10" y="10" width="20" height="20" fill="blue"/><circle cx="80" cy="80" r="12" fill="red"/><polygon points="120,120 140,120 130,100" fill="green"/></svg><p id="o"></p><script>for (const s of document.querySelectorAll('svg *')) s.addEventListener('click', () => o.textContent = 'hit ' + s.tagName)</script>`,
    steps: [['Browser.click', { element: 'triangle' }]],
    solved: "'hit polygon'",
  },
  {
    name: 'a place in a drawing without parts is clicked by its coordinates',
    html: `<svg id="s" width="200" height="200" style="background:#eee"></svg><p id="o"></p><script>s.addEventListener('click', e => { const c = document.createElementNS('http://www.w3.org/2000/svg', 'circle'); c.setAttribute('cx', e.offsetX); c.setAttribute('cy', e.offsetY); c.setAttribute('r', 8); s.append(c); o.textContent = 'dot at ' + e.offsetX + ' ' + e.offsetY })</script>`,
    steps: [['Browser.click', { element: 'img', at_x: 40, at_y: 150 }]],
    solved: "'dot at 40 150'",
  },
  {
    name: 'a line is drawn on a canvas with the mouse',
    html: `<canvas id="c" width="200" height="100"></canvas><p id="o"></p><script>let on = false, n = 0; c.onpointerdown = () => on = true; c.onpointermove = e => { if (on) n = Math.max(n, e.offsetX) }; onpointerup = () => { on = false; o.textContent = 'drawn to ' + n }</script>`,
    steps: [['Browser.drag', { element: 'canvas', from_x: 10, from_y: 50, by_x: 150, by_y: 0 }]],
    solved: "'drawn to 160'",
  },
  {
    name: 'several options of a list are clicked with a key held',
    html: `<ul id="l" style="cursor:pointer">${['Ann', 'Ben', 'Cem'].map((name) => `<li>${name}</li>`).join('')}</ul><p id="o"></p><script>for (const li of l.children) li.onclick = e => { if (!e.ctrlKey) for (const x of l.children) x.className = ''; li.className = 'on'; o.textContent = 'chosen ' + [...l.querySelectorAll('.on')].map(x => x.textContent) }</script>`,
    steps: [
      ['Browser.click', { element: "listitem 'Ann'" }],
      ['Browser.click', { element: "listitem 'Cem'", hold: ['Control'] }],
    ],
    solved: "'chosen Ann,Cem'",
  },
  {
    name: 'a word is selected by a double click, and its paragraph by three',
    html: `<p id="p" style="width:300px">Alpha</p><p id="o"></p><script>onmouseup = () => setTimeout(() => o.textContent = 'selected ' + getSelection(), 0)</script><button>x</button><script>p.ondblclick = () => p.title = 'double ' + getSelection()</script>`,
    steps: [['Browser.click', { element: "paragraph 'Alpha'", at_x: 10, at_y: 8, count: 2 }]],
    solved: ["'selected Alpha'", 'double Alpha'],
  },
  {
    name: 'a text is highlighted, copied and pasted',
    html: `<div id="t">The code is <b>XK-42</b>, do not tell.</div><input aria-label="Code"><p id="o"></p><script>document.querySelector('input').oninput = e => o.textContent = 'got ' + e.target.value</script>`,
    steps: [
      ['Browser.select_text', { text: 'XK-42' }],
      ['Browser.press', { key_comb: 'Control+c' }],
      ['Browser.press', { key_comb: 'Control+v', element: "textbox 'Code'" }],
    ],
    solved: "'got XK-42'",
  },
  {
    name: 'a copy button fills the clipboard, which is pasted',
    html: `<button id="b">Copy link</button><textarea aria-label="Message"></textarea><p id="o"></p><script>b.onclick = async () => { await navigator.clipboard.writeText('https://x.example/1'); b.textContent = 'Copied' }; document.querySelector('textarea').oninput = e => o.textContent = 'pasted ' + e.target.value</script>`,
    steps: [
      ['Browser.click', { element: "button 'Copy link'" }],
      ['Browser.click', { element: "textbox 'Message'" }],
      ['Browser.press', { key_comb: 'Control+v' }],
    ],
    solved: ["button 'Copied'", "'pasted https://x.example/1'"],
  },
  {
    name: 'an old copy button works through the selection (execCommand)',
    html: `<input id="i" value="abc-123" aria-label="Link"><button id="b">Copy</button><input id="j" aria-label="Here"><p id="o"></p><script>b.onclick = () => { i.select(); o.textContent = 'copied ' + document.execCommand('copy') }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Copy'" }],
      ['Browser.press', { key_comb: 'Control+v', element: "textbox 'Here'" }],
    ],
    solved: ["'copied true'", "textbox 'Here' value: 'abc-123'"],
  },
  {
    name: 'fields without labels are distinguished by their attributes',
    html: `<table><tr><td>First</td><td><input id="first"></td></tr><tr><td>Last</td><td><input id="last"></td></tr></table><button onclick="o.textContent = first.value + '/' + last.value">OK</button><p id="o"></p>`,
    steps: [
      ['Browser.type', { element: "textbox hint: 'first'", content: 'Ada' }],
      ['Browser.type', { element: "textbox hint: 'last'", content: 'King' }],
      ['Browser.click', { element: "button 'OK'" }],
    ],
    solved: "'Ada/King'",
  },
  {
    name: 'an option is typed into a list',
    html: `<select id="s" aria-label="Country"><option>Chad</option><option>Chile</option><option>China</option></select><p id="o"></p><script>s.onchange = () => o.textContent = 'to ' + s.value</script>`,
    steps: [['Browser.type', { element: "combobox 'Country'", content: 'Chile' }]],
    solved: "'to Chile'",
  },
  {
    name: 'a menu of three levels is opened under the mouse by its items',
    html: `<style>ul ul{display:none;margin:0}li:hover>ul{display:block}li{width:120px}</style><ul id="m"><li>File<ul><li>Export<ul><li onclick="o.textContent='as PDF'">PDF</li></ul></li></ul></li></ul><p id="o"></p>`,
    steps: [
      ['Browser.hover', { element: "listitem 'File'" }],
      ['Browser.hover', { element: "listitem 'Export'" }],
      ['Browser.click', { element: "listitem 'PDF'" }],
    ],
    solved: "'as PDF'",
  },
  {
    name: 'a menu that opens while something in it has the focus is used with keys',
    html: `<style>.drop{visibility:hidden}.menu:focus-within .drop{visibility:visible}</style><div class="menu"><button>Account</button><div class="drop"><a href="#out" onclick="o.textContent='signed out'">Sign out</a></div></div><p id="o"></p>`,
    steps: [
      ['Browser.click', { element: "button 'Account'" }],
      ['Browser.click', { element: "link 'Sign out'" }],
    ],
    solved: "'signed out'",
  },
  {
    name: 'a custom list is used with keys alone (aria-activedescendant)',
    html: `<div id="b" role="combobox" tabindex="0" aria-label="Fruit" aria-expanded="false" aria-controls="l">choose</div><ul id="l" role="listbox" hidden><li role="option" id="x0">Fig</li><li role="option" id="x1">Kiwi</li><li role="option" id="x2">Lime</li></ul><p id="o"></p><script>let at = -1; b.onkeydown = e => { if (e.key === 'ArrowDown') { e.preventDefault(); l.hidden = false; at = Math.min(at + 1, 2); b.setAttribute('aria-activedescendant', 'x' + at) } else if (e.key === 'Enter' && at >= 0) { b.textContent = l.children[at].textContent; l.hidden = true; o.textContent = 'ate ' + b.textContent } }</script>`,
    steps: [['Browser.press', { key_comb: 'ArrowDown ArrowDown Enter', element: "combobox 'Fruit'" }]],
    solved: "'ate Kiwi'",
  },
  {
    name: 'a page within a page within a page is used, and its links stay inside',
    html: `<iframe title="Shop" src="shop.html"></iframe>`,
    files: {
      '/shop.html': `<h1>Shop</h1><a href="cart.html">Cart</a><iframe title="Ad" srcdoc="<button onclick='this.textContent=1'>Ad</button>"></iframe>`,
      '/cart.html': `<h1>Cart</h1><button onclick="this.textContent = 'paid at ' + location.pathname">Pay</button>`,
    },
    steps: [
      ['Browser.click', { element: "button 'Ad'" }],
      ['Browser.click', { element: "link 'Cart'" }],
      ['Browser.click', { element: "button 'Pay'" }],
    ],
    solved: ["iframe 'Shop'", "button 'paid at /cart.html'"],
  },
  {
    name: 'a link shows its page in the frame it names',
    html: `<a href="two.html" target="view">Two</a><button onclick="document.querySelector('iframe').src = 'one.html'">One</button><iframe name="view" title="View" src="one.html"></iframe>`,
    files: { '/one.html': '<h1>Page one</h1>', '/two.html': '<h1>Page two</h1>' },
    steps: [
      ['Browser.click', { element: "link 'Two'" }],
      ['Browser.wait_for_text', { text: 'Page two' }],
      ['Browser.click', { element: "button 'One'" }],
    ],
    solved: "heading 'Page one'",
  },
  {
    name: 'a list in a frame is sorted by dragging',
    html: `<iframe title="Board" style="width:300px;height:200px" srcdoc="<ul id=l><li draggable=true>a</li><li draggable=true>b</li><li draggable=true>c</li></ul><p id=o></p><script>let held; l.ondragstart = e => held = e.target; l.ondragover = e => e.preventDefault(); l.ondrop = e => { e.preventDefault(); e.target.closest('li').before(held); o.textContent = 'order ' + [...l.children].map(x => x.textContent).join('') }</script>"></iframe>`,
    steps: [['Browser.drag', { element: "listitem 'c'", to: "listitem 'a'" }]],
    solved: "'order cab'",
  },
  {
    name: 'fields in a frame are chosen, ticked and given files',
    html: `<iframe title="Form" style="width:400px;height:200px" srcdoc="<select aria-label=Size><option>S<option>M</select><label><input type=checkbox>Gift</label><input type=file aria-label=Proof><p id=o></p><script>onchange = () => o.textContent = [document.querySelector('select').value, document.querySelector('[type=checkbox]').checked, document.querySelector('[type=file]').files[0]?.name].join()</script>"></iframe>`,
    files: { '/proof.txt': 'yes' },
    steps: [
      ['Browser.select', { element: "combobox 'Size'", options: 'M' }],
      ['Browser.check', { element: "checkbox 'Gift'" }],
      ['Browser.upload', { element: "button 'Proof'", paths: '/proof.txt' }],
    ],
    solved: "'M,true,proof.txt'",
  },
  {
    name: 'files are dropped where there is no field for them',
    html: `<div id="d" style="width:200px;height:60px;border:1px dashed">Drop files here</div><p id="o"></p><script>d.ondragover = e => e.preventDefault(); d.ondrop = async e => { e.preventDefault(); const [f] = e.dataTransfer.files; o.textContent = f.name + ' says ' + await f.text() }; d.onclick = () => {}</script>`,
    files: { '/note.txt': 'hello' },
    steps: [['Browser.upload', { element: "clickable 'Drop files here'", paths: ['/note.txt'] }]],
    solved: "'note.txt says hello'",
  },
  {
    name: 'an upload button hides its field',
    html: `<label for="f" style="background:navy;color:#fff;padding:4px">Choose picture</label><input type="file" id="f" hidden><p id="o"></p><script>f.onchange = () => o.textContent = 'picked ' + f.files[0].name + ' ' + f.files[0].type</script>`,
    files: { '/cat.png': 'x' },
    steps: [['Browser.upload', { element: "button 'Choose picture'", paths: ['/cat.png'] }]],
    solved: "'picked cat.png image/png'",
  },
  {
    name: 'content of closed shadow roots is read and used',
    html: `<vault-door></vault-door><script>customElements.define('vault-door', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({ mode: 'closed' }); r.innerHTML = '<input aria-label="Pin"><button>Open</button><p></p>'; r.querySelector('button').onclick = () => r.querySelector('p').textContent = 'opened with ' + r.querySelector('input').value } })</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Pin'", content: '7777' }],
      ['Browser.click', { element: "button 'Open'" }],
    ],
    solved: "'opened with 7777'",
  },
  {
    name: 'a box inside a box is scrolled until its last entry can be clicked',
    html: `<div style="height:150px;overflow:auto" aria-label="Outer" role="group"><div style="height:400px">top<div id="i" style="height:80px;overflow:auto" aria-label="Inner" role="group">${Array.from({ length: 20 }, (_, n) => `<div style="height:30px" class="e" onclick="o.textContent = 'entry ${n}'">Entry ${n}</div>`).join('')}</div></div></div><p id="o"></p>`,
    steps: [
      ['Browser.scroll', { element: "group 'Inner'", direction: 'down' }],
      ['Browser.click', { element: "clickable 'Entry 19'" }],
    ],
    solved: "'entry 19'",
  },
  {
    name: 'a login leads to the next page, which knows the user',
    html: `<form id="f"><input name="u" placeholder="User"><button>Log in</button></form><script>f.onsubmit = e => { e.preventDefault(); localStorage.setItem('user', f.u.value); sessionStorage.tab = '1'; document.cookie = 'sid=9'; location.href = 'home.html?from=login' }</script>`,
    files: {
      '/home.html': `<h1></h1><button onclick="window.location.assign('bye.html')">Leave</button><script>document.querySelector('h1').textContent = 'Hi ' + localStorage.user + sessionStorage.tab + document.cookie + location.search</script>`,
      '/bye.html': `<p>Bye</p><script>document.body.append(localStorage.getItem('user'))</script>`,
    },
    steps: [
      ['Browser.type', { element: "textbox 'User'", content: 'mia', press_enter_after: true }],
      ['Browser.view'],
      ['Browser.click', { element: "button 'Leave'" }],
    ],
    solved: ["'Bye'", 'mia', 'bye.html'],
  },
  {
    name: 'scripts navigate in all possible ways',
    html: `<div id="d"></div><script>const l = window.location; const next = name => l.pathname.replace(/[^/]*$/, name); d.innerHTML = '<button onclick="window.location = next(\\'b.html\\')">To B</button>'</script>`,
    files: {
      '/b.html': `<button>To C</button><script>const where = location; document.querySelector('button').onclick = () => where.replace('c.html')</script>`,
      '/c.html': `<a href="javascript:location.href='d.html'">To D</a>`,
      '/d.html': `<form method="post" action="e.html"><input name="n" value="5"><button>To E</button></form>`,
      '/e.html': `<h1>At the end</h1>`,
    },
    steps: [
      ['Browser.click', { element: "button 'To B'" }],
      ['Browser.click', { element: "button 'To C'" }],
      ['Browser.click', { element: "link 'To D'" }],
      ['Browser.click', { element: "button 'To E'" }],
    ],
    solved: ["heading 'At the end'", 'e.html'],
  },
  {
    name: 'a download becomes a file',
    html: `<button id="b">Export</button><script>b.onclick = () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' })); a.download = '../table.csv'; a.click() }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Export'" }],
      ['Browser.goto', { url: '/downloads/table.csv' }],
    ],
    solved: "'a,b'",
  },
  {
    name: 'a page that navigates after a delay is followed',
    html: `<button onclick="setTimeout(() => { location = 'late.html' }, 30)">Go</button>`,
    files: { '/late.html': '<h1>Late</h1>' },
    steps: [
      ['Browser.click', { element: "button 'Go'" }],
      ['Browser.wait_for_text', { text: 'Late' }],
    ],
    solved: "heading 'Late'",
  },
  {
    name: 'a flight is booked: suggestions, dates, and the cheapest of a list',
    html: `<label>From <input id="f" list="c"></label><datalist id="c"><option value="Oslo (OSL)"><option value="Rome (FCO)"></datalist><label>On <input type="date" id="d"></label><button id="s">Search</button><div id="r"></div><script>s.onclick = () => setTimeout(() => { r.innerHTML = [90, 45, 70].map(p => '<div class="flight"><span>' + p + ' €</span><button data-p="' + p + '">Book flight</button></div>').join(''); r.onclick = e => { if (e.target.dataset.p) r.textContent = ['booked', f.value, d.value, e.target.dataset.p].join(' ') } }, 300)</script>`,
    steps: [
      ['Browser.type', { element: "combobox 'From'", content: 'Oslo (OSL)' }],
      ['Browser.type', { element: "textbox 'On'", content: '2026-12-01' }],
      ['Browser.click', { element: "button 'Search'" }],
      ['Browser.wait_for_text', { text: 'Book flight' }],
      ['Browser.click', { element: "button 'Book flight' #2" }],
    ],
    solved: "'booked Oslo (OSL) 2026-12-01 45'",
  },
  {
    name: 'a post of a feed is answered over its own menu',
    html: `<div id="feed"></div><script>feed.innerHTML = ['@ann', '@bob'].map(u => '<div class="post"><b>' + u + '</b><span class="more">⋯</span><ul class="menu" hidden><li class="mute">Mute</li><li class="block">Block</li></ul></div>').join(''); for (const p of feed.querySelectorAll('.post')) { p.querySelector('.more').addEventListener('click', () => p.querySelector('.menu').hidden = false); p.querySelector('.block').addEventListener('click', () => { p.replaceWith('blocked ' + p.querySelector('b').textContent) }) }</script>`,
    steps: [
      ['Browser.click', { element: "clickable '⋯' #2" }],
      ['Browser.click', { element: "listitem 'Block'" }],
    ],
    solved: "'blocked @bob'",
  },
  {
    name: 'an editor makes a selected word bold',
    html: `<div id="bar"><button id="b">B</button></div><div id="e" contenteditable="true" aria-label="Text">make this bold now</div><p id="o"></p><script>b.onmousedown = e => e.preventDefault(); b.onclick = () => { document.execCommand('bold'); o.textContent = e.innerHTML }</script>`,
    steps: [
      ['Browser.select_text', { element: "textbox 'Text'", text: 'bold' }],
      ['Browser.click', { element: "button 'B'" }],
    ],
    solved: 'make this <b>bold</b> now',
  },
  {
    name: 'a list is filtered on key up, and its counter follows',
    html: `<input type="search" id="q" aria-label="Filter"><ul id="l">${['apple', 'apricot', 'banana'].map((x) => `<li>${x}</li>`).join('')}</ul><p id="o"></p><script>q.onkeyup = () => { let n = 0; for (const li of l.children) { const is = li.textContent.includes(q.value); li.style.display = is ? '' : 'none'; n += is } o.textContent = n + ' found' }</script>`,
    steps: [['Browser.type', { element: "searchbox 'Filter'", content: 'ap' }]],
    solved: "'2 found'",
  },
  {
    name: 'a dialog of the page asks before something is removed',
    html: `<button onclick="if (confirm('Remove all?')) this.replaceWith('removed')">Remove</button>`,
    steps: [
      ['Browser.answer_dialogs', { accept: true }],
      ['Browser.click', { element: "button 'Remove'" }],
    ],
    solved: "'removed'",
  },
  {
    name: 'a slider of two handles and a dial with keys',
    html: `<div role="slider" tabindex="0" id="a" aria-label="Least" aria-valuenow="10" aria-valuemin="0" aria-valuemax="100">10</div><div role="spinbutton" tabindex="0" id="b" aria-label="Dial" aria-valuenow="3">3</div><script>for (const x of [a, b]) x.addEventListener('keydown', e => { const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, PageUp: 10 }[e.key] ?? 0; x.ariaValueNow = x.textContent = Number(x.ariaValueNow) + by })</script>`,
    steps: [
      ['Browser.press', { key_comb: 'PageUp PageUp ArrowRight', element: "slider 'Least'" }],
      ['Browser.press', { key_comb: 'ArrowDown', element: "spinbutton 'Dial'" }],
    ],
    solved: ["slider 'Least' value: 31", "spinbutton 'Dial' value: 2"],
  },
];

import type { TaskPage } from '../steps.js';

/** Pages that change over time, talk to a server, or contain other documents. */
export const flows: readonly TaskPage[] = [
  {
    name: 'content that comes late is waited for',
    html: `<button id="b">Load</button><div id="o"></div><script>b.onclick = () => setTimeout(() => o.innerHTML = '<button onclick="this.textContent=\\'done\\'">Continue</button>', 400)</script>`,
    steps: [
      ['Browser.click', { element: "button 'Load'" }],
      ['Browser.wait_for_text', { text: 'Continue', seconds: 5 }],
      ['Browser.click', { element: "button 'Continue'" }],
    ],
    solved: "button 'done'",
  },
  {
    name: 'data is fetched and shown (fetch)',
    html: `<button id="b">Get</button><ul id="o"></ul><script>b.onclick = async () => { const r = await fetch('data/list.json'); for (const x of await r.json()) o.innerHTML += '<li>' + x + '</li>' }</script>`,
    files: { '/data/list.json': '["uno","dos"]' },
    steps: [['Browser.click', { element: "button 'Get'" }]],
    solved: ["'uno'", "'dos'"],
  },
  {
    name: 'data is fetched and shown (XMLHttpRequest)',
    html: `<button id="b">Get</button><p id="o"></p><script>b.onclick = () => { const x = new XMLHttpRequest(); x.open('GET', '/a.json'); x.responseType = 'json'; x.onload = () => o.textContent = x.status + ' ' + x.response.n; x.send() }</script>`,
    files: { '/a.json': '{"n":7}' },
    steps: [['Browser.click', { element: "button 'Get'" }]],
    solved: "'200 7'",
  },
  {
    name: 'a frame inside the page is read and used',
    html: `<p>Outer</p><iframe title="Inner" srcdoc="<label>Card <input id='i'></label><button onclick='o.textContent=i.value'>Pay</button><p id='o'></p>"></iframe>`,
    steps: [
      ['Browser.type', { element: "textbox 'Card'", content: '4242' }],
      ['Browser.click', { element: "button 'Pay'" }],
    ],
    solved: ["iframe 'Inner'", "'4242'"],
  },
  {
    name: 'a frame with its own file is read and used',
    html: `<iframe title="Help" src="help.html"></iframe>`,
    files: { '/help.html': `<button onclick="this.textContent='thanks'">Was this helpful</button>` },
    steps: [['Browser.click', { element: "button 'Was this helpful'" }]],
    solved: "button 'thanks'",
  },
  {
    name: 'an app with addresses in its fragment changes views and goes back',
    html: `<a href="#/list">List</a><main id="m"></main><script>const show = () => m.innerHTML = location.hash === '#/list' ? '<h1>All things</h1>' : '<h1>Home</h1>'; onhashchange = show; show()</script>`,
    steps: [['Browser.click', { element: "link 'List'" }], ['Browser.go_back'], ['Browser.go_forward']],
    solved: "heading 'All things'",
  },
  {
    name: 'an app that uses pushState changes views and goes back',
    html: `<a href="/about" id="a">About</a><main id="m">home</main><script>a.onclick = e => { e.preventDefault(); history.pushState({ page: 'about' }, '', '/about'); m.textContent = 'about, ' + history.state.page + ' ' + history.length }; onpopstate = e => m.textContent = 'home, ' + e.state</script>`,
    steps: [['Browser.click', { element: "link 'About'" }], ['Browser.go_back']],
    solved: "'home, null'",
  },
  {
    name: 'rows of a table are read in one line and their buttons used',
    html: `<table><tr><th>Name</th><th>Age</th><th></th></tr><tr><td>Bo</td><td>41</td><td><button onclick="o.textContent='removed Bo'">Remove</button></td></tr><tr><td>Cy</td><td>28</td><td><button onclick="o.textContent='removed Cy'">Remove</button></td></tr></table><p id="o"></p>`,
    steps: [['Browser.click', { element: "button 'Remove' #2" }]],
    solved: ["row 'Bo' | '41'", "'removed Cy'"],
  },
  {
    name: 'a table is sorted by its header and turned page by page',
    html: `<table><thead><tr><th onclick="sort()">Price</th></tr></thead><tbody id="t"></tbody></table><button id="n">Next page</button><script>let rows = [5, 3, 9, 1], page = 0; const show = () => t.innerHTML = rows.slice(page * 2, page * 2 + 2).map(x => '<tr><td>' + x + ' €</td></tr>').join(''); function sort() { rows.sort((a, b) => a - b); show() }; n.onclick = () => { page++; show() }; show()</script>`,
    steps: [
      ['Browser.click', { element: "cell 'Price'" }],
      ['Browser.click', { element: "button 'Next page'" }],
    ],
    solved: ["row '5 €'", "row '9 €'"],
  },
  {
    name: 'elements in nested shadow roots are seen and used',
    html: `<outer-box></outer-box><script>customElements.define('inner-box', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<label>Key <input></label><button>Try</button><p></p>'; r.querySelector('button').onclick = () => r.querySelector('p').textContent = 'tried ' + r.querySelector('input').value } }); customElements.define('outer-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<section><slot></slot><inner-box></inner-box></section>' } })</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Key'", content: 'k1' }],
      ['Browser.click', { element: "button 'Try'" }],
    ],
    solved: "'tried k1'",
  },
  {
    name: 'what a live region says is read',
    html: `<button id="b">Save</button><div role="status" id="s"></div><script>b.onclick = () => s.textContent = 'Saved at last'</script>`,
    steps: [['Browser.click', { element: "button 'Save'" }]],
    solved: "'Saved at last'",
  },
  {
    name: 'mail is opened, answered and put into another folder',
    html: `<div id="app"></div><script>const mails = [{ from: 'Ann', text: 'Lunch?' }, { from: 'Ben', text: 'Report' }]; let open = -1; const said = []; const show = () => { app.innerHTML = open < 0 ? mails.map((m, i) => '<div class="mail" data-i="' + i + '" style="cursor:pointer"><b>' + m.from + '</b> <span>' + m.text + '</span></div>').join('') + '<p>' + said + '</p>' : '<h2>' + mails[open].from + '</h2><textarea aria-label="Reply"></textarea><span id="send" style="cursor:pointer">Send</span>'; for (const x of app.querySelectorAll('.mail')) x.onclick = () => { open = +x.dataset.i; show() }; const send = document.getElementById('send'); if (send) send.onclick = () => { said.push('replied ' + app.querySelector('textarea').value + ' to ' + mails[open].from); open = -1; show() } }; show()</script>`,
    steps: [
      ['Browser.click', { element: "clickable 'Ben Report'" }],
      ['Browser.type', { element: "textbox 'Reply'", content: 'on it' }],
      ['Browser.click', { element: "clickable 'Send'" }],
    ],
    solved: "'replied on it to Ben'",
  },
  {
    name: 'an app that stores what it knows finds it again',
    html: `<button id="b">Add</button><p id="o"></p><script>b.onclick = () => { localStorage.n = Number(localStorage.n ?? 0) + 1; document.cookie = 'seen=yes; path=/'; o.textContent = localStorage.getItem('n') + Object.keys(localStorage) + document.cookie }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Add'" }],
      ['Browser.click', { element: "button 'Add'" }],
    ],
    solved: "'2nseen=yes'",
  },
  {
    name: 'a search shows results over several pages of links',
    html: `<input id="q" aria-label="Search"><button id="b">Search</button><div id="r"></div><script>let page = 0; const all = Array.from({ length: 6 }, (_, i) => 'Result ' + (i + 1)); const show = () => { r.innerHTML = all.slice(page * 3, page * 3 + 3).map(x => '<a href="#">' + x + '</a>').join(' ') + ' <a href="#" class="next">&gt;</a>'; for (const a of r.querySelectorAll('a')) a.addEventListener('click', e => { e.preventDefault(); if (a.className) { page++; show() } else r.textContent = 'opened ' + a.textContent }) }; b.onclick = show</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Search'", content: 'things' }],
      ['Browser.click', { element: "button 'Search'" }],
      ['Browser.click', { element: "link '>'" }],
      ['Browser.click', { element: "link 'Result 5'" }],
    ],
    solved: "'opened Result 5'",
  },
];

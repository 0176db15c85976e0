import type { Step } from '../../steps.js';
import { icon, script, taskPages, type RequestPages } from './request-pages.js';

/** Small applications, games, drawings, and parts inside other parts. */
const pages: RequestPages = {
  'Buy two pears and a melon.': {
    html: `<div id="s" style="display:grid;grid-template-columns:repeat(3,160px)">${['Melon', 'Pear', 'Plum'].map((n, k) => `<div class="card"><img alt="${n}" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/>"><div>${n}</div><div>${k + 2} €</div><button>Add</button></div>`).join('')}</div><button id="c" aria-label="Cart">${icon('cart')}<span id="n">0</span></button><aside id="a" hidden><ul></ul><b></b><button>Check out</button></aside>
      ${script(`const cart = {}; s.onclick = e => { if (e.target.tagName !== 'BUTTON') return; const k = e.target.parentNode.children[1].textContent; cart[k] = (cart[k] ?? 0) + 1; n.textContent++; draw() }; const draw = () => a.querySelector('ul').innerHTML = Object.entries(cart).map(([k, v]) => '<li>' + k + ' × ' + v).join('');
      c.onclick = () => a.hidden = !a.hidden; a.lastChild.onclick = () => pass(JSON.stringify(Object.entries(cart).sort()) === '[["Melon",1],["Pear",2]]')`)}`,
  },
  'Answer the quiz correctly.': {
    html: `<form id="f"></form>
      ${script(`const all = [['Capital of Peru', ['Quito', 'Lima', 'La Paz'], 1], ['7 × 8', ['54', '56', '63'], 1], ['H₂O is', ['water', 'salt', 'gold'], 0]]; let n = 0, score = 0; const draw = () => f.innerHTML = n < all.length ? '<fieldset><legend>' + all[n][0] + '?</legend>' + all[n][1].map((x, i) => '<label><input type="radio" name="a" value="' + i + '">' + x + '</label>').join('') + '</fieldset><button>Next</button><progress max="3" value="' + n + '"></progress>' : score + ' of 3';
      f.onsubmit = e => { e.preventDefault(); const a = f.elements.a.value; if (a === '') return; score += +a === all[n][2]; n++; draw(); if (n === all.length) pass(score === 3) }; draw()`)}`,
  },
  'Win the game as X.': {
    html: `<style>#g{display:grid;grid-template-columns:repeat(3,40px)}#g div{height:40px;border:1px solid;text-align:center}</style><p>X is next.</p><div id="g">${['X', 'O', '', 'O', 'X', '', '', '', ''].map((m) => `<div>${m}</div>`).join('')}</div>
      ${script(`const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]; let over; g.onclick = e => { if (over || e.target === g || e.target.textContent) return; e.target.textContent = 'X'; const m = [...g.children].map(x => x.textContent); over = true; pass(lines.some(l => l.every(i => m[i] === 'X'))) }`)}`,
  },
  'Find all pairs of the memory game.': {
    html: `<style>#g{display:grid;grid-template-columns:repeat(2,60px)}#g button{height:60px}</style><div id="g">${['☀', '☂', '☂', '☀'].map(() => `<button aria-label="Card"></button>`).join('')}</div><p id="m">0 moves</p>
      ${script(`const on = ['☀', '☂', '☂', '☀']; let open = [], moves = 0, done = 0; [...g.children].forEach((b, i) => b.onclick = () => { if (b.disabled || open.includes(i) || open.length === 2) return; b.textContent = on[i]; open.push(i); if (open.length < 2) return; m.textContent = ++moves + ' moves'; const [x, y] = open; if (on[x] === on[y]) { open = []; g.children[x].disabled = g.children[y].disabled = true; done += 2; pass(done === 4) } else setTimeout(() => { for (const k of open) g.children[k].textContent = ''; open = [] }, 500) })`)}`,
  },
  'Bring the robot to the flag: three fields to the right, two down.': {
    html: `<canvas id="c" tabindex="0" width="160" height="120" aria-label="Board. Arrow keys move the robot."></canvas><p id="s" aria-live="polite">Robot at 0,0</p>
      ${script(`let x = 0, y = 0; const g = c.getContext('2d'); const draw = () => { g.clearRect(0, 0, 160, 120); g.fillStyle = 'green'; g.fillRect(120, 80, 40, 40); g.fillStyle = 'black'; g.fillRect(x * 40 + 8, y * 40 + 8, 24, 24); s.textContent = 'Robot at ' + x + ',' + y; pass(x === 3 && y === 2) };
      c.onkeydown = e => { const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key]; if (!d) return; e.preventDefault(); x = Math.max(0, Math.min(3, x + d[0])); y = Math.max(0, Math.min(2, y + d[1])); draw() }; draw()`)}`,
  },
  'Ask the chat for a refund of order 7781.': {
    html: `<div id="w" style="position:fixed;right:8px;bottom:8px"><button id="b" aria-label="Chat" style="border-radius:50%">${icon('chat')}</button></div>
      ${script(`b.onclick = () => { w.innerHTML = '<div role="log" style="height:140px;width:240px;overflow:auto"></div><div id="q"></div><div id="i" contenteditable="true" role="textbox" aria-label="Message" style="border:1px solid;min-height:20px"></div>'; const log = w.firstChild; const say = (who, t) => { const p = document.createElement('p'); p.textContent = who + ': ' + t; log.append(p); p.scrollIntoView() }; let step = 0;
      const bot = (t, quick) => setTimeout(() => { say('Bot', t); q.innerHTML = quick.map(x => '<button>' + x + '</button>').join(' ') }, 400); bot('How can I help?', ['Track order', 'Refund', 'Other']);
      q.onclick = e => { if (e.target === q) return; const t = e.target.textContent; q.innerHTML = ''; say('You', t); if (t === 'Refund') { step = 1; bot('Which order?', []) } else if (step === 2 && t === 'Yes') bot('Your refund of 7781 is on its way.', []), setTimeout(pass, 450); else bot('Sorry, ask again.', ['Refund']) };
      i.onkeydown = e => { if (e.key !== 'Enter' || e.shiftKey) return; e.preventDefault(); const t = i.textContent.trim(); i.textContent = ''; say('You', t); if (step === 1 && /\\b7781\\b/.test(t)) { step = 2; bot('Refund order 7781?', ['Yes', 'No']) } else bot('Please choose above or enter an order.', step ? [] : ['Refund']) } }`)}`,
  },
  'Show the details of the museum on the map.': {
    html: `<style>#m{position:relative;width:300px;height:200px;background:#cde;overflow:hidden}.pin{position:absolute;width:16px;height:16px;background:crimson;border-radius:50% 50% 0}</style><div id="m" aria-label="Map"></div><p id="z">Zoom 1. Scroll or double-click to zoom in.</p><p id="d"></p>
      ${script(`let zoom = 1; const spots = [['Zoo', 40, 40, 1], ['Museum', 160, 100, 3], ['Park', 220, 150, 1]]; const draw = () => { z.textContent = 'Zoom ' + zoom; m.replaceChildren(...spots.filter(s => s[3] <= zoom).map(([n, x, y]) => { const p = document.createElement('div'); p.className = 'pin'; p.title = n; p.style.left = x + 'px'; p.style.top = y + 'px'; p.onclick = e => { e.stopPropagation(); d.textContent = n + ', open 9 to 5'; pass(n === 'Museum') }; return p })) };
      const by = n => { zoom = Math.max(1, Math.min(4, zoom + n)); draw() }; m.ondblclick = () => by(1); m.addEventListener('wheel', e => { e.preventDefault(); by(e.deltaY < 0 ? 1 : -1) }, { passive: false }); draw(); z.textContent += '. Scroll or double-click to zoom in.'`)}`,
  },
  'Choose the kitchen on the plan.': {
    html: `<img usemap="#p" src="/plan.svg" width="200" height="120" alt="Plan of the flat"><map name="p"><area shape="rect" coords="0,0,100,120" href="#living" alt="Living room"><area shape="rect" coords="100,0,200,60" href="#kitchen" alt="Kitchen"><area shape="rect" coords="100,60,200,120" href="#bath" alt="Bath"></map>
      ${script(`onhashchange = () => pass(location.hash === '#kitchen')`)}`,
    files: {
      '/plan.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120"><rect width="200" height="120" fill="#eee" stroke="black"/></svg>',
    },
  },
  'Choose the nickname Pip, and reload the page to see that it is stored.': {
    html: `<p id="h"></p><label>Nickname <input id="n"></label><button id="b">Save</button>${script(`const saved = localStorage.getItem('nick-of-user'); h.textContent = saved ? 'Hello ' + saved : 'Who are you?'; pass(saved === 'Pip'); b.onclick = () => { localStorage.setItem('nick-of-user', n.value); h.textContent = 'Saved' }`)}`,
  },
  'Buy the lamp.': {
    html: `<nav><a href="/">Home</a> <a href="/products">Products</a></nav><main id="v"></main>
      ${script(`const items = { 1: 'Sofa', 2: 'Lamp' }; let bought; const draw = path => { const id = /^\\/products\\/(\\d)$/.exec(path)?.[1]; v.innerHTML = path === '/products' ? Object.entries(items).map(([k, n]) => '<a href="/products/' + k + '">' + n + '</a> ').join('') : id ? '<h1>' + items[id] + '</h1><button>Buy now</button>' : '<h1>Welcome</h1>'; const b = v.querySelector('button'); if (b) b.onclick = () => { bought = items[id]; pass(bought === 'Lamp') } };
      document.addEventListener('click', e => { const a = e.target.closest('a'); if (!a) return; e.preventDefault(); const to = a.getAttribute('href'); history.pushState({ to }, '', to); draw(to) }); onpopstate = e => draw(e.state?.to ?? '/'); draw('/')`)}`,
  },
  'Give the hotel three stars in the review box.': {
    html: `<review-box><span slot="title">Hotel Sun</span></review-box>
      ${script(`customElements.define('star-row', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<style>i{display:inline-block;width:16px;height:16px;background:#ddd;margin:1px}i.on{background:gold}</style>' + '<i></i>'.repeat(5); [...r.querySelectorAll('i')].forEach((x, n, all) => x.addEventListener('click', () => { all.forEach((y, k) => y.classList.toggle('on', k <= n)); this.value = n + 1; this.dispatchEvent(new Event('change', { bubbles: true, composed: true })) })) } });
      customElements.define('review-box', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<section><h3><slot name="title"></slot></h3><star-row></star-row><button>Send</button></section>'; r.querySelector('button').onclick = () => pass(r.querySelector('star-row').value === 3) } })`)}`,
  },
  'Donate 25 € with the form in the frame.': {
    html: `<h1>Help us</h1><iframe title="Donation" width="300" height="140" srcdoc="<label><input type=radio name=a value=10> 10 €</label><label><input type=radio name=a value=x> Other</label><input id=n aria-label=Amount type=number disabled><button>Donate</button><script>onchange = e => { if (e.target.name === 'a') n.disabled = e.target.value !== 'x' }; document.querySelector('button').onclick = () => parent.postMessage({ paid: n.disabled ? 10 : n.value }, '*')&lt;/script>"></iframe>
      ${script(`onmessage = e => { if (e.data?.paid) pass(e.data.paid === '25') }`)}`,
  },
  'Create the report and open it when it is ready.': {
    html: `<button id="b">Create report</button><div id="r" aria-busy="false"></div><style>.sk{height:14px;margin:4px;background:#ddd;animation:k 1s infinite alternate}@keyframes k{to{opacity:.3}}</style>
      ${script(`b.onclick = () => { b.disabled = true; r.ariaBusy = 'true'; r.innerHTML = '<div class="sk"></div><div class="sk"></div>'; setTimeout(() => { r.ariaBusy = 'false'; r.innerHTML = '<a href="#report">Open report</a>'; r.firstChild.onclick = () => pass() }, 1500) }`)}`,
  },
  'Like the post. Try again if it fails.': {
    html: `<article><p>First snow!</p><button id="b" aria-pressed="false">${icon('heart')} <span id="n">4</span></button></article><div role="alert" id="w"></div>
      ${script(`let tries = 0; b.onclick = () => { if (b.ariaPressed === 'true') return; b.ariaPressed = 'true'; n.textContent = 5; w.textContent = ''; const ok = ++tries > 1; setTimeout(() => { if (ok) pass(); else { b.ariaPressed = 'false'; n.textContent = 4; w.textContent = 'Could not like the post. Try again.' } }, 500) }`)}`,
  },
  'Log in as kim with the password p4ss and open invoice 12.': {
    html: `<form action="/home.html"><label>User <input name="user"></label><label>Password <input type="password" name="pw"></label><button>Log in</button></form>`,
    files: {
      '/home.html': `<h1>Hello</h1><a href="/invoices.html">Invoices</a>${script(`if (new URLSearchParams(location.search).get('pw') === 'p4ss') sessionStorage.setItem('who', new URLSearchParams(location.search).get('user'))`)}`,
      '/invoices.html': `<style>header,footer{position:sticky;background:#fff;height:60px}header{top:0}footer{bottom:0}li{height:26px}</style><header>Invoices</header><ol>${Array.from({ length: 40 }, (_, n) => `<li><a href="/invoice.html?n=${40 - n}">Invoice ${40 - n}</a></li>`).join('')}</ol><footer>© Kim</footer>`,
      '/invoice.html': `<h1>Invoice</h1>${script(`pass(new URLSearchParams(location.search).get('n') === '12' && sessionStorage.getItem('who') === 'kim')`)}`,
    },
  },
  'Wait until ticket 7 is called, then confirm.': {
    html: `<p>Now serving: <b id="n" aria-live="polite">3</b></p><button id="b">I am here</button>
      ${script(`let over; const t = setInterval(() => { n.textContent++; if (n.textContent === '7') clearInterval(t) }, 350); b.onclick = () => { over = over || n.textContent !== '7'; pass(!over) }`)}`,
  },
  'Delete the account. The button must be held for a second.': {
    html: `<button id="b" style="width:160px">Hold to delete</button>
      ${script(`let t; b.onpointerdown = () => { b.textContent = 'Keep holding…'; t = setTimeout(() => { b.textContent = 'Account deleted'; b.disabled = true; pass() }, 1000) }; b.onpointerup = b.onpointerleave = () => { clearTimeout(t); if (!b.disabled) b.textContent = 'Hold to delete' }`)}`,
  },
};

/** Steps by request. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'Buy two pears and a melon.': [
    ['Browser.click', { element: "button 'Add' #2", count: 2 }],
    ['Browser.click', { element: "button 'Add'" }],
    ['Browser.click', { element: "button 'Cart'" }],
    ['Browser.click', { element: "button 'Check out'" }],
  ],
  'Answer the quiz correctly.': [
    ['Browser.click', { element: "radio 'Lima'" }],
    ['Browser.click', { element: "button 'Next'" }],
    ['Browser.click', { element: "radio '56'" }],
    ['Browser.click', { element: "button 'Next'" }],
    ['Browser.click', { element: "radio 'water'" }],
    ['Browser.click', { element: "button 'Next'" }],
  ],
  'Win the game as X.': [['Browser.click', { element: 'box 40x42 #5' }]],
  'Find all pairs of the memory game.': [
    ['Browser.click', { element: "button 'Card'" }],
    ['Browser.click', { element: "button 'Card' #2" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "button 'Card' #3" }],
    ['Browser.click', { element: "button 'Card' #2" }],
    ['Browser.click', { element: "button 'Card'" }],
    ['Browser.click', { element: "button 'Card' #4" }],
  ],
  'Bring the robot to the flag: three fields to the right, two down.': [
    [
      'Browser.press',
      { element: 'canvas', key_comb: 'ArrowRight ArrowRight ArrowRight ArrowDown ArrowDown' },
    ],
  ],
  'Ask the chat for a refund of order 7781.': [
    ['Browser.click', { element: "button 'Chat'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "button 'Refund'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.type', { element: "textbox 'Message'", content: '7781', press_enter_after: true }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "button 'Yes'" }],
    ['Browser.wait', { seconds: 1 }],
  ],
  'Show the details of the museum on the map.': [
    ['Browser.click', { element: "clickable 'Map'", count: 2, at_x: 20, at_y: 180 }],
    ['Browser.click', { element: "clickable 'Map'", count: 2, at_x: 20, at_y: 180 }],
    ['Browser.click', { element: "clickable 'Museum'" }],
  ],
  'Choose the kitchen on the plan.': [['Browser.click', { element: "link 'Kitchen'" }]],
  'Choose the nickname Pip, and reload the page to see that it is stored.': [
    ['Browser.type', { element: "textbox 'Nickname'", content: 'Pip' }],
    ['Browser.click', { element: "button 'Save'" }],
    ['Browser.goto', { url: '/index.html' }],
  ],
  'Buy the lamp.': [
    ['Browser.click', { element: "link 'Products'" }],
    ['Browser.click', { element: "link 'Lamp'" }],
    ['Browser.click', { element: "button 'Buy now'" }],
  ],
  'Give the hotel three stars in the review box.': [
    ['Browser.click', { element: 'clickable light gray #3' }],
    ['Browser.click', { element: "button 'Send'" }],
  ],
  'Donate 25 € with the form in the frame.': [
    ['Browser.click', { element: "radio 'Other'" }],
    ['Browser.type', { element: "spinbutton 'Amount'", content: '25' }],
    ['Browser.click', { element: "button 'Donate'" }],
  ],
  'Create the report and open it when it is ready.': [
    ['Browser.click', { element: "button 'Create report'" }],
    ['Browser.wait_for_text', { text: 'Open report' }],
    ['Browser.click', { element: "link 'Open report'" }],
  ],
  'Like the post. Try again if it fails.': [
    ['Browser.click', { element: "button '4'" }],
    ['Browser.wait', { seconds: 2 }],
    ['Browser.click', { element: "button '4'" }],
    ['Browser.wait', { seconds: 1 }],
  ],
  'Log in as kim with the password p4ss and open invoice 12.': [
    ['Browser.type', { element: "textbox 'User'", content: 'kim' }],
    ['Browser.type', { element: "textbox 'Password'", content: 'p4ss' }],
    ['Browser.click', { element: "button 'Log in'" }],
    ['Browser.click', { element: "link 'Invoices'" }],
    ['Browser.click', { element: "link 'Invoice 12'" }],
  ],
  'Wait until ticket 7 is called, then confirm.': [
    ['Browser.wait_for_text', { text: 'Now serving: 7' }],
    ['Browser.click', { element: "button 'I am here'" }],
  ],
  'Delete the account. The button must be held for a second.': [
    ['Browser.click', { element: "button 'Hold to delete'", seconds: 1.5 }],
  ],
};

export const appRequests = taskPages(pages, steps);

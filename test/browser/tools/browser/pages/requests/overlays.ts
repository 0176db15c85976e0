import type { Step } from '../../steps.js';
import { icon, script, taskPages, type RequestPages } from './request-pages.js';
// cspell:ignore roledescription العربية الاسم حفظ إلغاء ليلى 苹果 香蕉 数量 增加 减少 结算 删除

/** Menus, dialogs, banners, and navigation. */
const pages: RequestPages = {
  'Refuse cookies, close the advertisement, and open the article about bees.': {
    html: `<header style="position:sticky;top:0;background:#fff;height:40px">Daily</header><main>${['Ants', 'Bees'].map((n) => `<article><h3><a href="#${n}">${n} in the city</a></h3><p>Why there are so many.</p></article>`).join('')}</main>
      <div id="ad" style="position:fixed;inset:0;background:#0008;z-index:3"><div style="background:#fff;margin:80px">Buy honey! <span class="close" id="x" style="cursor:pointer">✕</span></div></div>
      <div id="ck" style="position:fixed;inset:auto 0 0 0;height:400px;background:#eee;z-index:9">We value your privacy. <button>Accept all</button> <button>Settings</button><div id="st" hidden><label><input type="checkbox" checked> Ads</label><label><input type="checkbox" checked> Analytics</label><button>Save choices</button></div></div>
      ${script(`let refused; ck.onclick = e => { const t = e.target.textContent; if (t === 'Settings') st.hidden = false; if (t === 'Save choices' || t === 'Accept all') { refused = t[0] === 'S' && !st.querySelector(':checked'); ck.remove() } }; x.onclick = () => ad.remove(); onhashchange = () => pass(refused && location.hash === '#Bees' && !document.querySelector('#ad'))`)}`,
  },
  'Export the sheet as CSV with the menu File.': {
    html: `<style>.m{position:absolute;background:#fff;border:1px solid;display:none;width:140px}.open>.m{display:block}li{list-style:none}.sub .m{left:140px;margin-top:-20px}</style><ul role="menubar"><li role="none" id="f"><a role="menuitem" aria-haspopup="true" href="#">File</a><ul class="m" role="menu"><li role="menuitem">Save</li><li class="sub" role="menuitem" aria-haspopup="true">Export<ul class="m" role="menu"><li role="menuitem">As PDF</li><li role="menuitem">As CSV</li></ul></li></ul></li></ul>
      ${script(`const s = f.querySelector('.sub'); let t; f.firstChild.onclick = e => { e.preventDefault(); f.classList.toggle('open') }; s.onmouseenter = () => t = setTimeout(() => s.classList.add('open'), 250); s.onmouseleave = () => { clearTimeout(t); s.classList.remove('open') };
      f.onclick = e => { if (e.target.textContent === 'As CSV' && s.matches('.open')) { f.classList.remove('open'); pass() } }`)}`,
  },
  'Archive the chat with Bo.': {
    html: `<ul id="l">${['Al', 'Bo', 'Cy'].map((n) => `<li class="chat" tabindex="0">${n}</li>`).join('')}</ul><small>Tip: right-click a chat for more.</small>
      ${script(`l.oncontextmenu = e => { const li = e.target.closest('li'); if (!li) return; e.preventDefault(); document.querySelector('.cm')?.remove(); const m = document.createElement('div'); m.className = 'cm'; m.style.cssText = 'position:fixed;background:#fff;border:1px solid;left:' + e.clientX + 'px;top:' + e.clientY + 'px'; m.innerHTML = '<div>Mute</div><div>Archive</div><hr><div>Delete</div>'; m.onclick = c => { m.remove(); if (c.target.textContent !== 'Mute') li.remove(); pass(c.target.textContent === 'Archive' && li.textContent === 'Bo') }; document.body.append(m) }; onclick = () => document.querySelector('.cm')?.remove()`)}`,
  },
  'Delete the draft "Ideas", then undo that.': {
    html: `<ul id="l">${['Ideas', 'Plan'].map((n) => `<li>${n} <button title="Delete">${icon('trash')}</button></li>`).join('')}</ul><div id="s" role="status" style="position:fixed;bottom:8px;left:8px"></div>
      ${script(`let undone; l.onclick = e => { const b = e.target.closest('button'); if (!b) return; const li = b.parentNode, next = li.nextSibling; li.remove(); s.innerHTML = 'Draft deleted. <a href="#">Undo</a>'; const t = setTimeout(() => s.textContent = '', 6000); s.onclick = c => { c.preventDefault(); if (c.target.tagName !== 'A') return; clearTimeout(t); l.insertBefore(li, next); s.textContent = ''; undone = li.textContent.trim(); pass(undone === 'Ideas' && l.children.length === 2) } }`)}`,
  },
  'Switch to the dark theme with the command palette (Ctrl+K).': {
    html: `<main>Notes</main><div id="p" role="dialog" aria-label="Commands" hidden style="position:fixed;top:20px;left:100px;background:#fff;border:1px solid"><input placeholder="Type a command"><ul></ul></div>
      ${script(`const i = p.querySelector('input'), u = p.querySelector('ul'), all = ['New note', 'Toggle dark theme', 'Toggle sidebar']; let n = 0; const list = () => all.filter(x => x.toLowerCase().includes(i.value.toLowerCase())); const draw = () => u.innerHTML = list().map((x, k) => '<li style="background:' + (k === n ? '#def' : '') + '">' + x).join('');
      onkeydown = e => { if (e.ctrlKey && e.key.toLowerCase() === 'k') { e.preventDefault(); p.hidden = false; i.value = ''; n = 0; i.focus(); draw() } else if (!p.hidden && e.key === 'Escape') p.hidden = true; else if (!p.hidden && /^Arrow(Up|Down)$/.test(e.key)) { n = (n + (e.key === 'ArrowDown' ? 1 : -1) + list().length) % list().length; draw() } else if (!p.hidden && e.key === 'Enter') { p.hidden = true; const run = list()[n]; if (run === 'Toggle dark theme') document.body.classList.toggle('dark'); pass(document.body.matches('.dark')) } }; i.oninput = () => { n = 0; draw() }`)}`,
  },
  'Delete the project "apollo".': {
    html: `<h2>apollo</h2><button id="b">Delete this project</button><dialog id="d" aria-labelledby="h"><h3 id="h">Are you absolutely sure?</h3><form method="dialog" id="f"><label>Type <b>team/apollo</b> to confirm <input id="i" autocomplete="off"></label><button id="y" disabled value="y">I understand, delete</button><button value="n">Cancel</button></form></dialog>
      ${script(`b.onclick = () => d.showModal(); i.oninput = () => y.disabled = i.value !== 'team/apollo'; d.onclose = () => pass(d.returnValue === 'y')`)}`,
  },
  'Close the file b.js without saving.': {
    html: `<style>.tab{display:inline-block;padding:4px 20px 4px 4px;border:1px solid;position:relative}.tab .x{position:absolute;right:2px;visibility:hidden;width:14px;height:14px}.tab:hover .x{visibility:visible}</style><div id="t">${['a.js', 'b.js', 'c.js'].map((n) => `<div class="tab">${n}<i class="x codicon codicon-close"></i></div>`).join('')}</div>
      ${script(`t.onclick = e => { if (!e.target.matches('.x')) return; const tab = e.target.parentNode; if (tab.textContent !== 'b.js') { tab.remove(); return } if (confirm('Discard the changes in b.js?')) tab.remove(); pass([...t.children].map(x => x.textContent).join() === 'a.js,c.js') }`)}`,
  },
  'Like the fourth picture of the carousel.': {
    html: `<style>#v{width:200px;height:90px;overflow:hidden}#r{display:flex;transition:transform .2s}.sl{flex:0 0 200px;height:90px}</style><section aria-roledescription="carousel" aria-label="Trip"><div id="v"><div id="r">${['Lake', 'Hill', 'Town', 'Boat', 'Fire'].map((n) => `<div class="sl" role="group" aria-label="${n}">${n} <button class="like">${icon('heart')}</button></div>`).join('')}</div></div><button id="p" aria-label="Previous">‹</button><button id="n" aria-label="Next">›</button></section>
      ${script(`let at = 0; const go = by => { at = Math.max(0, Math.min(4, at + by)); r.style.transform = 'translateX(' + at * -200 + 'px)' }; p.onclick = () => go(-1); n.onclick = () => go(1); r.onclick = e => { const b = e.target.closest('.like'); if (!b) return; b.ariaPressed = b.ariaPressed === 'true' ? 'false' : 'true'; pass([...r.querySelectorAll('[aria-pressed=true]')].map(x => x.parentNode.ariaLabel).join() === 'Boat') }`)}`,
  },
  'Find out how long refunds take, and say that the answer helped.': {
    html: `<h2>Help</h2>${['Do you ship abroad?', 'When is my refund paid?', 'Where is my parcel?'].map((q, n) => `<h3><button aria-expanded="false" aria-controls="a${n}">${q}</button></h3><div id="a${n}" hidden>${['Yes.', 'Within 5 days.', 'See the link in our mail.'][n]} <p>Was this helpful? <button class="v">Yes</button> <button class="v">No</button></p></div>`).join('')}
      ${script(`onclick = e => { const b = e.target.closest('[aria-expanded]'); if (b) { for (const x of document.querySelectorAll('[aria-expanded]')) { const open = x === b && x.ariaExpanded !== 'true'; x.ariaExpanded = String(open); document.getElementById(x.getAttribute('aria-controls')).hidden = !open } } if (e.target.className === 'v') { const box = e.target.closest('[id]'); e.target.parentNode.textContent = 'Thanks!'; pass(e.target.textContent === 'Yes' && box.id === 'a1') } }`)}`,
  },
  'Enter ليلى as the name and save.': {
    html: `<main dir="rtl" lang="ar"><h1>العربية</h1><label>الاسم <input id="n"></label><button id="c">إلغاء</button><button id="s">حفظ</button></main>
      ${script(`c.onclick = () => n.value = ''; s.onclick = () => pass(n.value === 'ليلى')`)}`,
  },
  'Set the number of 苹果 to 3 and check out.': {
    html: `<table lang="zh" id="t">${['香蕉', '苹果'].map((n) => `<tr><td>${n}</td><td>数量</td><td><button aria-label="减少">−</button> <span class="q">1</span> <button aria-label="增加">+</button></td><td><a href="#">删除</a></td></tr>`).join('')}</table><button id="b">结算</button>
      ${script(`t.onclick = e => { e.preventDefault(); const r = e.target.closest('tr'); if (e.target.tagName === 'A') r.remove(); const q = r?.querySelector('.q'); if (e.target.ariaLabel === '增加') q.textContent++; if (e.target.ariaLabel === '减少') q.textContent-- }; b.onclick = () => pass([...t.querySelectorAll('.q')].map(x => x.textContent).join() === '1,3')`)}`,
  },
  'Print the receipt in landscape, two copies.': {
    html: `<button id="b" aria-label="Print">${icon('printer')}</button><dialog id="d"><h2>Print</h2><fieldset><legend>Layout</legend><label><input type="radio" name="l" value="p" checked> Portrait</label><label><input type="radio" name="l" value="l"> Landscape</label></fieldset><label>Copies <input type="number" id="n" value="1" min="1"></label><button id="go">Print</button><button onclick="d.close()">Cancel</button></dialog>
      ${script(`b.onclick = () => d.showModal(); go.onclick = () => { d.close(); print(); pass(document.querySelector('[name=l]:checked').value === 'l' && n.value === '2') }`)}`,
  },
  'Follow Mia with the card that opens over her name.': {
    html: `<p>New posts by <a href="#ann" class="u">Ann</a> and <a href="#mia" class="u">Mia</a></p>
      ${script(`let card, t; const drop = () => { t = setTimeout(() => { card?.remove(); card = null }, 200) };
      for (const u of document.querySelectorAll('.u')) { u.onclick = e => e.preventDefault(); u.onmouseenter = () => { clearTimeout(t); t = setTimeout(() => { card?.remove(); card = document.createElement('div'); card.style.cssText = 'position:absolute;background:#fff;border:1px solid;padding:8px;left:' + u.offsetLeft + 'px;top:' + (u.offsetTop + 18) + 'px'; card.innerHTML = '<b>' + u.textContent + '</b> <button>Follow</button>'; card.onmouseenter = () => clearTimeout(t); card.onmouseleave = drop; card.lastChild.onclick = e => { e.target.textContent = 'Following'; pass(u.textContent === 'Mia') }; document.body.append(card) }, 300) }; u.onmouseleave = () => { clearTimeout(t); drop() } }`)}`,
  },
  'Send the report weekly.': {
    html: `<div class="field"><div class="lbl">Report</div><div class="sel"><div class="cur"><span>Never</span><div class="arr"></div></div><div class="lst" style="display:none">${['Never', 'Daily', 'Weekly'].map((n) => `<div class="it"><span>${n}</span></div>`).join('')}</div></div></div><div class="btn">Save</div>
      ${script(`const q = s => document.querySelector(s); document.addEventListener('click', e => { const at = s => e.target.closest(s); if (at('.cur')) q('.lst').style.display = 'block'; else { if (at('.it')) q('.cur span').textContent = e.target.textContent; q('.lst').style.display = 'none' } if (at('.btn')) pass(q('.cur span').textContent === 'Weekly') })`)}`,
  },
  'Turn Wi-Fi on and Bluetooth off.': {
    html: `<style>.sw{display:inline-block;width:34px;height:18px;border-radius:9px;background:#ccc}.sw[aria-checked=true]{background:#3a3}</style><div id="g">${[
      ['Wi-Fi', false],
      ['Bluetooth', true],
      ['Location', true],
    ]
      .map(
        ([n, on], k) =>
          `<div><span id="n${k}">${n}</span> <span role="switch" class="sw" tabindex="0" aria-checked="${on}" aria-labelledby="n${k}"></span></div>`,
      )
      .join(
        '',
      )}</div>${script(`g.onclick = e => { if (!e.target.matches('.sw')) return; e.target.ariaBusy = 'true'; setTimeout(() => { e.target.ariaBusy = null; e.target.ariaChecked = String(e.target.ariaChecked !== 'true'); pass([...g.querySelectorAll('.sw')].map(x => x.ariaChecked).join() === 'true,false,true') }, 200) }`)}`,
  },
  'Look at the red chair, go back, and buy the blue chair.': {
    html: `<h1>Chairs</h1><a href="/red.html">Red chair</a> <a href="/blue.html">Blue chair</a>`,
    files: {
      '/red.html': `<h1>Red chair</h1><p>Sold out.</p><a href="javascript:history.back()">Back</a>${script(`sessionStorage.setItem('seen', 'red')`)}`,
      '/blue.html': `<h1>Blue chair</h1><button id="b">Buy</button>${script(`b.onclick = () => pass(sessionStorage.getItem('seen') === 'red')`)}`,
    },
  },
  'Open the settings of Ann, then go back to the list of users with the history.': {
    html: `<nav><a href="#/">Users</a></nav><div id="v"></div>
      ${script(`const seen = []; const draw = () => { const at = location.hash.slice(1) || '/'; seen.push(at); v.innerHTML = at === '/' ? ['ann', 'bob'].map(u => '<li><a href="#/users/' + u + '">' + u + '</a>').join('') : '<h2>' + at.split('/')[2] + '</h2><a href="#' + at.split('/').slice(0, 3).join('/') + '/settings">Settings</a>' + (at.endsWith('settings') ? '<p>Mail: on</p>' : ''); pass(seen.join(' ').endsWith('/users/ann /users/ann/settings /users/ann /')) }; onhashchange = draw; draw()`)}`,
  },
};

/** Steps by request. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'Refuse cookies, close the advertisement, and open the article about bees.': [
    ['Browser.click', { element: "button 'Settings'" }],
    ['Browser.check', { element: "checkbox 'Ads'", checked: false }],
    ['Browser.check', { element: "checkbox 'Analytics'", checked: false }],
    ['Browser.click', { element: "button 'Save choices'" }],
    ['Browser.click', { element: "clickable '✕'" }],
    ['Browser.click', { element: "link 'Bees in the city'" }],
  ],
  'Export the sheet as CSV with the menu File.': [
    ['Browser.click', { element: "menuitem 'File'" }],
    ['Browser.hover', { element: "menuitem 'Export'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "menuitem 'As CSV'" }],
  ],
  'Archive the chat with Bo.': [
    ['Browser.click', { element: "listitem 'Bo'", button: 'right' }],
    ['Browser.click', { element: "'Archive'" }],
  ],
  'Delete the draft "Ideas", then undo that.': [
    ['Browser.click', { element: "button 'Delete'" }],
    ['Browser.click', { element: "link 'Undo'" }],
  ],
  'Switch to the dark theme with the command palette (Ctrl+K).': [
    ['Browser.press', { key_comb: 'Control+k' }],
    ['Browser.type', { element: "textbox 'Type a command'", content: 'dark', press_enter_after: true }],
  ],
  'Delete the project "apollo".': [
    ['Browser.click', { element: "button 'Delete this project'" }],
    ['Browser.type', { element: "textbox 'Type team/apollo to confirm'", content: 'team/apollo' }],
    ['Browser.click', { element: "button 'I understand, delete'" }],
  ],
  'Close the file b.js without saving.': [
    ['Browser.hover', { element: "hoverable 'b.js'" }],
    ['Browser.click', { element: 'box 14x14' }],
  ],
  'Like the fourth picture of the carousel.': [['Browser.click', { element: "button icon: 'heart' #4" }]],
  'Find out how long refunds take, and say that the answer helped.': [
    ['Browser.click', { element: "button 'When is my refund paid?'" }],
    ['Browser.click', { element: "button 'Yes'" }],
  ],
  'Enter ليلى as the name and save.': [
    ['Browser.type', { element: "textbox 'الاسم'", content: 'ليلى' }],
    ['Browser.click', { element: "button 'حفظ'" }],
  ],
  'Set the number of 苹果 to 3 and check out.': [
    ['Browser.click', { element: "button '增加' #2", count: 2 }],
    ['Browser.click', { element: "button '结算'" }],
  ],
  'Print the receipt in landscape, two copies.': [
    ['Browser.click', { element: "button 'Print'" }],
    ['Browser.check', { element: "radio 'Landscape'" }],
    ['Browser.type', { element: "spinbutton 'Copies'", content: '2', clear: true }],
    ['Browser.click', { element: "button 'Print'" }],
  ],
  'Follow Mia with the card that opens over her name.': [
    ['Browser.hover', { element: "link 'Mia'" }],
    ['Browser.wait', { seconds: 1 }],
    ['Browser.click', { element: "button 'Follow'" }],
  ],
  'Send the report weekly.': [
    ['Browser.click', { text: 'Never' }],
    ['Browser.click', { text: 'Weekly' }],
    ['Browser.click', { text: 'Save' }],
  ],
  'Turn Wi-Fi on and Bluetooth off.': [
    ['Browser.check', { element: "switch 'Wi-Fi'" }],
    ['Browser.check', { element: "switch 'Bluetooth'", checked: false }],
  ],
  'Look at the red chair, go back, and buy the blue chair.': [
    ['Browser.click', { element: "link 'Red chair'" }],
    ['Browser.go_back'],
    ['Browser.click', { element: "link 'Blue chair'" }],
    ['Browser.click', { element: "button 'Buy'" }],
  ],
  'Open the settings of Ann, then go back to the list of users with the history.': [
    ['Browser.click', { element: "link 'ann'" }],
    ['Browser.click', { element: "link 'Settings'" }],
    ['Browser.go_back'],
    ['Browser.go_back'],
  ],
};

export const overlayRequests = taskPages(pages, steps);

import type { TaskPage } from '../steps.js';
import { page } from './jquery.js';

/** Twenty seconds of silence as an audio file, created by the page. */
const SOUND = `const sound = seconds => { const rate = 3000, n = seconds * rate, v = new DataView(new ArrayBuffer(44 + n)), put = (at, s) => [...s].forEach((c, i) => v.setUint8(at + i, c.charCodeAt())); put(0, 'RIFF'); v.setUint32(4, 36 + n, true); put(8, 'WAVEfmt '); v.setUint32(16, 16, true); v.setUint16(20, 1, true); v.setUint16(22, 1, true); v.setUint32(24, rate, true); v.setUint32(28, rate, true); v.setUint16(32, 1, true); v.setUint16(34, 8, true); put(36, 'data'); v.setUint32(40, n, true); for (let i = 0; i < n; i++) v.setUint8(44 + i, 128); return URL.createObjectURL(new Blob([v], { type: 'audio/wav' })) };`;

const at = (left: number, top: number): string =>
  `position:absolute;left:${left}px;top:${top}px;width:20px;height:20px;margin:0`;

/** Pages whose elements are identified by place, shape, color or time alone, and media. */
export const measures: readonly TaskPage[] = [
  {
    name: 'the ends of lines are listed, and an angle between two is divided by a third',
    html: `<svg id="s" width="160" height="160"><line x1="20" y1="140" x2="140" y2="140" stroke="black"/><line x1="20" y1="140" x2="20" y2="20" stroke="black"/></svg><p id="o"></p><script>let from; s.onmousedown = e => from = e; s.onmouseup = e => o.textContent = Math.round(Math.atan2(from.clientY - e.clientY, e.clientX - from.clientX) * 180 / Math.PI) + ' degrees'</script>`,
    steps: [
      ['Browser.hover', { element: 'line black from 20,140 to 140,140' }],
      ['Browser.drag', { element: 'img', from_x: 20, from_y: 140, by_x: 80, by_y: -80 }],
    ],
    solved: ["'45 degrees'", 'line black from 20,140 to 20,20'],
  },
  {
    name: 'boxes without labels are ticked in the shape of a digit, by their places',
    html: `${[0, 1, 2, 3, 4, 5].map((n) => `<input type="checkbox" style="${at(20 + (n % 2) * 30, 20 + Math.floor(n / 2) * 30)}">`).join('')}<button id="b" style="position:absolute;top:120px">Submit</button><p id="o" style="position:absolute;top:150px"></p><script>b.onclick = () => o.textContent = 'form ' + [...document.querySelectorAll('input')].map(x => Number(x.checked)).join('')</script>`,
    steps: [
      ...[30, 60, 90].map((y) => ['Browser.check', { element: `checkbox at 60,${y}` }] as const),
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'form 010101'",
  },
  {
    name: 'the chosen entry is indicated by its color alone',
    html: `<style>.on{background:yellow}</style><div id="l">${['One', 'Two', 'Three'].map((w) => `<div class="e">${w}</div>`).join('')}</div><button id="b">Next</button><p id="o"></p><script>const e = [...document.querySelectorAll('.e')]; for (const d of e) d.addEventListener('click', () => { for (const x of e) x.className = 'e'; d.className = 'e on' }); let n = 0; b.onclick = () => e[++n % 3].click(); e[2].className = 'e on'; o.textContent = 'choose'</script>`,
    steps: [
      ['Browser.hover', { element: "clickable 'Three' yellow" }],
      ['Browser.click', { element: "clickable 'Two'" }],
    ],
    solved: ["clickable 'Two' yellow"],
  },
  {
    name: 'boxes are distinguished by their shape: the round red one is meant',
    html: `<div class="b" style="width:40px;height:40px;background:red"></div><div class="b" style="width:40px;height:40px;background:red;border-radius:50%"></div><div class="b" style="width:40px;height:40px;background:blue;border-radius:20px"></div><p id="o"></p><script>document.querySelectorAll('.b').forEach((d, n) => d.onclick = () => o.textContent = 'box ' + n)</script>`,
    steps: [['Browser.click', { element: 'clickable red round' }]],
    solved: "'box 1'",
  },
  {
    name: 'hours of a day are dragged over and given a title',
    html: `<div id="d" style="user-select:none">${[9, 10, 11, 12].map((h) => `<div class="h" data-h="${h}" style="height:30px;border-bottom:1px solid">${h}:00</div>`).join('')}</div><div id="f" hidden><input id="t" aria-label="What"><button id="b">Save</button></div><p id="o"></p><script>let from, to; for (const h of document.querySelectorAll('.h')) { h.addEventListener('mousedown', () => from = h.dataset.h); h.addEventListener('mouseup', () => { to = h.dataset.h; f.hidden = false }) } b.onclick = () => o.textContent = t.value + ' ' + from + '-' + to</script>`,
    steps: [
      ['Browser.drag', { element: "clickable draggable '10:00'", to: "clickable draggable '12:00'" }],
      ['Browser.type', { element: "textbox 'What'", content: 'Lunch' }],
      ['Browser.click', { element: "button 'Save'" }],
    ],
    solved: "'Lunch 10-12'",
  },
  {
    name: 'a cube is turned by dragging until another side of it is visible',
    html: `<div id="c" style="width:120px;height:120px;background:#ddd;perspective:300px"><div id="k" style="transform-style:preserve-3d;width:120px;height:120px">${[0, 1, 2, 3].map((n) => `<div class="side" style="position:absolute;width:80px;height:80px;backface-visibility:hidden;transform:rotateY(${n * 90}deg) translateZ(40px)">side ${n}</div>`).join('')}</div></div><button id="b">Submit</button><p id="o"></p><script>let a = 0, x; c.onmousedown = e => x = e.clientX; addEventListener('mousemove', e => { if (x === undefined) return; a += e.clientX - x; x = e.clientX; k.style.transform = 'rotateY(' + a + 'deg)' }); addEventListener('mouseup', () => x = undefined); b.onclick = () => o.textContent = 'shown ' + Math.round(((360 - a % 360) % 360) / 90) % 4</script>`,
    steps: [
      ['Browser.drag', { element: 'clickable draggable', by_x: -90, by_y: 0 }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: "'shown 1'",
  },
  {
    name: 'a moving shape in a drawing is clicked',
    html: `<svg id="s" width="300" height="100"><circle id="c" cx="20" cy="50" r="12" fill="purple"/></svg><p id="o"></p><script>let n = 0; setInterval(() => c.setAttribute('cx', 20 + (n += 11) % 260), 60); c.addEventListener('click', () => o.textContent = 'met')</script>`,
    steps: [['Browser.click', { element: 'circle clickable purple' }]],
    solved: "'met'",
  },
  {
    name: 'a window that opens in the middle of a login is closed first',
    html: `<form id="f"><input id="u" aria-label="User"><input id="p" type="password" aria-label="Password"><button>Log in</button></form><p id="o"></p><script>u.addEventListener('focus', () => { const w = document.createElement('div'); w.style.cssText = 'position:fixed;inset:0;background:#fff'; w.innerHTML = '<p>Your session is about to end.</p><span>Stay</span>'; w.querySelector('span').onclick = () => w.remove(); document.body.append(w) }, { once: true }); f.onsubmit = e => { e.preventDefault(); o.textContent = 'in as ' + u.value + p.value }</script>`,
    steps: [
      ['Browser.click', { element: "textbox 'User'" }],
      ['Browser.click', { element: "clickable 'Stay'" }],
      ['Browser.type', { element: "textbox 'User'", content: 'kim' }],
      ['Browser.type', { element: "textbox 'Password'", content: '77', press_enter_after: true }],
    ],
    solved: "'in as kim77'",
  },
  {
    name: 'a range of entries is chosen with Shift, another one with Control',
    html: `<ul id="l" style="user-select:none">${[1, 2, 3, 4, 5].map((n) => `<li>File ${n}</li>`).join('')}</ul><p id="o"></p><script>const all = [...l.children], on = new Set(); let last; for (const li of all) li.addEventListener('click', e => { const n = all.indexOf(li); if (e.shiftKey) for (let m = Math.min(n, last); m <= Math.max(n, last); m++) on.add(m); else if (e.ctrlKey) on.add(n); else { on.clear(); on.add(n) } last = n; o.textContent = 'files ' + [...on].map(m => m + 1).sort().join('') })</script>`,
    steps: [
      ['Browser.click', { element: "listitem 'File 1'" }],
      ['Browser.click', { element: "listitem 'File 3'", hold: ['Shift'] }],
      ['Browser.click', { element: "listitem 'File 5'", hold: ['Control'] }],
    ],
    solved: "'files 1235'",
  },
  {
    name: 'a button acts only when it is held for a while',
    html: `<button id="b">Hold to delete</button><p id="o"></p><script>let t; b.onpointerdown = () => t = setTimeout(() => o.textContent = 'deleted', 700); b.onpointerup = () => clearTimeout(t)</script>`,
    steps: [['Browser.click', { element: "button 'Hold to delete'", seconds: 1 }]],
    solved: "'deleted'",
  },
  {
    name: 'an option is added to the selection of a native list with a key held',
    html: `<select id="s" multiple size="4" aria-label="Days"><option>Mon</option><option>Tue</option><option>Wed</option></select><button id="b">Submit</button><p id="o"></p><script>b.onclick = () => o.textContent = [...s.selectedOptions].map(x => x.text).join('+')</script>`,
    steps: [
      ['Browser.select', { element: "listbox 'Days'", options: ['Mon', 'Wed'] }],
      ['Browser.click', { element: "button 'Submit'" }],
    ],
    solved: ["'Mon+Wed'", "value: 'Mon', 'Wed'"],
  },
  {
    name: 'jQuery UI: items of a grid are moved to other places',
    html: page(
      `<div id="g" style="width:180px">${['A', 'B', 'C', 'D', 'E', 'F'].map((n) => `<div style="float:left;width:50px;height:50px;margin:2px;background:#ddd">${n}</div>`).join('')}</div><p style="clear:both"></p>`,
      `$('#g').sortable({ update: () => o.textContent = 'grid ' + $('#g').text() })`,
    ),
    steps: [['Browser.drag', { element: "'F'", to: "'A'" }]],
    solved: "'grid FABCDE'",
  },
  {
    name: 'jQuery UI: a tooltip is read',
    html: page(
      '<span id="i" title="The code is 4711">Info</span><input id="c" aria-label="Code">',
      `$('#i').tooltip({ show: false }); $('#c').on('input', () => o.textContent = c.value === '4711' ? 'right' : '')`,
    ),
    steps: [
      ['Browser.hover', { element: "hoverable 'Info'" }],
      ['Browser.wait_for_text', { text: 'The code is 4711', seconds: 3 }],
      ['Browser.type', { element: "textbox 'Code'", content: '4711' }],
    ],
    solved: "'right'",
  },
  {
    name: "a video with the browser's controls is played, moved, turned down and muted",
    html: `<video id="a" controls aria-label="Film" style="width:300px;height:80px"></video><p id="o"></p><script>${SOUND} a.src = sound(20); const heard = new Set(); for (const type of ['play', 'pause', 'seeked', 'volumechange']) a.addEventListener(type, () => { heard.add(type); o.textContent = [...heard].sort().join(' ') })</script>`,
    steps: [
      ['Browser.wait_for_text', { text: '0:00 of 0:20', seconds: 5 }],
      ['Browser.click', { element: "video 'Film' paused" }],
      ['Browser.wait_for_text', { text: 'playing', seconds: 5 }],
      ['Browser.press', { element: "video 'Film' playing", key_comb: 'Space' }],
      ['Browser.wait_for_text', { text: "video 'Film' paused", seconds: 5 }],
      ['Browser.type', { element: "video 'Film'", content: '0:12' }],
      ['Browser.press', { element: "video 'Film'", key_comb: 'ArrowRight' }],
      ['Browser.type', { element: "video 'Film'", content: '40%' }],
      ['Browser.press', { element: "video 'Film'", key_comb: 'm' }],
    ],
    solved: ["video 'Film' paused 0:17 of 0:20 muted volume 40%", "'pause play seeked volumechange'"],
  },
  {
    name: 'a player with the page’s own buttons plays, stops and moves',
    html: `<video id="a" style="width:300px;height:80px"></video><button id="p">Play</button><input type="range" id="r" aria-label="Place" max="20" value="0"><p id="o"></p><script>${SOUND} a.src = sound(20); p.onclick = () => a.paused ? a.play() : a.pause(); a.onplay = () => p.textContent = 'Pause'; a.onpause = () => p.textContent = 'Play'; r.oninput = () => a.currentTime = r.value; a.onseeked = () => o.textContent = 'at ' + Math.floor(a.currentTime)</script>`,
    steps: [
      ['Browser.click', { element: "button 'Play'" }],
      ['Browser.wait_for_text', { text: 'Pause', seconds: 5 }],
      ['Browser.click', { element: "button 'Pause'" }],
      ['Browser.type', { element: "slider 'Place'", content: '9' }],
      ['Browser.wait_for_text', { text: 'at 9', seconds: 5 }],
    ],
    solved: ["button 'Play'", "'at 9'"],
  },
];

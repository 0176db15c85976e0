import type { TaskPage } from '../steps.js';
import { page } from './jquery.js';

const svg = (inside: string, rest = '') =>
  `<svg width="16" height="16" viewBox="0 0 16 16" ${rest}>${inside}<path d="M1 1h9v9z"/></svg>`;
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><rect width="30" height="30" fill="${color}"/></svg>`;

/** State and meaning that only icons, pictures and classes carry, and actions that depend on time and place. */
export const signs: readonly TaskPage[] = [
  {
    name: 'buttons that show only an icon are distinguished by its title, class, reference or file',
    html: `<style>.icon-save::before{content:"\\e001"}.i{width:16px;height:16px;display:inline-block;background:#999}</style>
      <button onclick="say('a')">${svg('<title>Trash</title>')}</button><button onclick="say('b')"><i class="fa fa-lg fa-pencil" aria-hidden="true"></i></button>
      <button onclick="say('c')">${svg('<use href="#icon-star"/>', 'aria-hidden="true"')}</button><button onclick="say('d')"><span class="i icon-save"></span></button>
      <button onclick="say('e')"><img src="/print.svg"></button><button onclick="say('f')">${svg('', 'data-icon="bell"')}</button><div id="g" style="cursor:pointer;width:20px">${svg('', 'class="lucide lucide-heart"')}</div><p id="o"></p><script>const say = (x) => { o.textContent += x }; g.onclick = () => say('g')</script>`,
    files: { '/print.svg': picture('gray') },
    steps: [
      ['Browser.click', { element: "button 'Trash'" }],
      ['Browser.click', { element: "button icon: 'pencil'" }],
      ['Browser.click', { element: "button icon: 'star'" }],
      ['Browser.click', { element: "button icon: 'save'" }],
      ['Browser.click', { element: "button icon: 'print'" }],
      ['Browser.click', { element: "button icon: 'bell'" }],
      ['Browser.click', { element: "clickable '(icon heart)'" }],
    ],
    solved: "'abcdefg'",
  },
  {
    name: 'icons in running text, in cells and in menu items are read',
    html: `<p>Server A <img src="/ok.svg"> Server B <i class="icon-warning" style="display:inline-block;width:9px;height:9px"></i></p><table><tr><td>Backup</td><td><i class="fa fa-check"></i></td></tr></table><ul role="menu"><li role="menuitem" tabindex="0" onclick="o.textContent='locked it'">Door <span class="bi bi-lock"></span></li><li role="menuitem" tabindex="0">Door <span class="bi bi-unlock"></span></li></ul><p id="o"></p>`,
    files: { '/ok.svg': picture('green') },
    steps: [['Browser.click', { element: "menuitem 'Door' icon: 'lock'" }]],
    solved: ["'Server A (icon ok) Server B (icon warning)'", "'Backup' | '(icon check)'", "'locked it'"],
  },
  {
    name: 'fields of a board show pictures by content, background or class alone',
    html: `<style>.f{width:30px;height:30px;display:inline-block}.bomb{content:url(/bomb.svg)}.flag{background:url("/flag.svg")}.mark::after{content:url(/mark.svg)}</style><div id="b">${['f', 'f bomb', 'f flag', 'f mark'].map((name, index) => `<div class="${name}" id="f${index}"></div>`).join('')}</div><p id="o"></p><script>for (const f of b.children) f.onclick = () => o.textContent = 'hit ' + f.className</script>`,
    files: {
      '/bomb.svg': picture('black'),
      '/flag.svg': picture('red'),
      '/mark.svg': picture('blue'),
    },
    steps: [
      ['Browser.click', { element: "clickable picture: 'flag.svg'" }],
      ['Browser.wait_for_text', { text: 'hit f flag' }],
      ['Browser.click', { element: "clickable picture: 'bomb.svg'" }],
    ],
    solved: ["'hit f bomb'", '(icon mark.svg)'],
  },
  {
    name: 'lamps with ids differ only by their classes',
    html: `<style>.lamp{width:20px;height:20px;border:1px solid;display:inline-block}.lit{box-shadow:0 0 9px gold}</style>${['one', 'two', 'three'].map((id) => `<div id="${id}" class="lamp${id === 'two' ? ' lit' : ''}"></div>`).join('')}<p id="o"></p><script>for (const l of document.querySelectorAll('.lamp')) l.onclick = () => { l.classList.toggle('lit'); o.textContent = [...document.querySelectorAll('.lit')].map(x => x.id) + ' lit' }</script>`,
    steps: [['Browser.click', { element: "clickable 22x22 at 41,19 hint: 'two' class: 'lit'" }]],
    solved: "'lit'",
  },
  {
    name: 'entries that are marked by a class alone are distinguished',
    html: `<style>.done{text-decoration:line-through}</style><ul id="l">${['milk', 'bread', 'salt'].map((name, n) => `<li style="cursor:pointer" class="${n === 1 ? 'todo done' : 'todo'}">${name}</li>`).join('')}</ul><p id="o"></p><script>l.onclick = e => { e.target.classList.toggle('done'); o.textContent = 'left ' + l.querySelectorAll('li:not(.done)').length }</script>`,
    steps: [['Browser.click', { element: "listitem 'bread' clickable class: 'done'" }]],
    solved: "'left 3'",
  },
  {
    name: 'the address of a link is seen and opened',
    html: `<title>Shop of the week</title><a href="docs/a.html?x=1">Docs</a> <a href="https://other.example/b">Other</a> <a href="#top">Top</a><p id="o"></p>`,
    files: { '/docs/a.html': '<title>The docs</title><h1>Docs</h1>' },
    steps: [
      ['Browser.hover', { element: "link 'Docs' url: /docs/a.html?x=1" }],
      ['Browser.hover', { element: "link 'Other' url: https://other.example/b" }],
      ['Browser.hover', { element: "link 'Top'" }],
      ['Browser.goto', { url: '/docs/a.html' }],
    ],
    solved: ["title: 'The docs'", "heading 'Docs'"],
  },
  {
    name: 'a word in a rich-text field is selected and made bold with a key',
    html: `<div id="e" contenteditable="true" aria-label="Note">plain word here</div><p id="o"></p><script>e.onkeydown = k => { if (k.ctrlKey && k.key === 'b') { k.preventDefault(); document.execCommand('bold'); o.textContent = 'bold ' + e.querySelector('b')?.textContent } }</script>`,
    steps: [
      ['Browser.select_text', { element: "textbox 'Note'", text: 'word' }],
      ['Browser.press', { key_comb: 'Control+b' }],
    ],
    solved: "'bold word'",
  },
  {
    name: 'a signature is drawn along a path',
    html: `<canvas id="c" width="200" height="100" aria-label="Sign here"></canvas><p id="o"></p><script>const t = c.getContext('2d'); let on = false, turns = [], last; c.onpointerdown = e => { on = true; last = e; t.beginPath(); t.moveTo(e.offsetX, e.offsetY) }; c.onpointermove = e => { if (!on) return; t.lineTo(e.offsetX, e.offsetY); t.stroke(); const d = Math.sign(e.offsetY - last.offsetY); if (d && d !== turns.at(-1)) turns.push(d); last = e }; onpointerup = () => { on = false; o.textContent = 'signed ' + turns.join() + ' to ' + last.offsetX }</script>`,
    steps: [
      [
        'Browser.drag',
        {
          element: "canvas 'Sign here'",
          path: [
            [10, 80],
            [60, 20],
            [110, 80],
            ['160', '20'],
          ],
        },
      ],
    ],
    solved: "'signed -1,1,-1 to 160'",
  },
  {
    name: 'shapes are chosen with a lasso around them',
    html: `<svg id="s" width="200" height="200" style="background:#eee"><circle cx="50" cy="50" r="8"/><circle cx="150" cy="150" r="8" fill="red"/></svg><p id="o"></p><script>let p = null; s.onmousedown = e => p = [[e.offsetX, e.offsetY]]; s.onmousemove = e => p?.push([e.offsetX, e.offsetY]); onmouseup = () => { const path = new Path2D('M' + p.join('L') + 'Z'); const t = document.createElement('canvas').getContext('2d'); o.textContent = 'in it ' + [...s.children].filter(c => t.isPointInPath(path, +c.getAttribute('cx'), +c.getAttribute('cy'))).map(c => c.getAttribute('fill')); p = null }</script>`,
    steps: [
      [
        'Browser.drag',
        {
          element: 'img clickable',
          path: [
            [120, 120],
            [180, 120],
            [180, 180],
            [120, 180],
            [120, 120],
          ],
        },
      ],
    ],
    solved: "'in it red'",
  },
  {
    name: 'a box is dragged exactly into a box beside it',
    html: `<style>.b{position:absolute;width:60px;height:60px}</style><div class="b" id="a" style="left:10px;top:10px;background:teal"></div><div class="b" id="z" style="left:200px;top:80px;outline:2px dashed"></div><p id="o" style="margin-top:200px"></p><script>a.onmousedown = e => { const x = e.clientX - a.offsetLeft, y = e.clientY - a.offsetTop; onmousemove = m => { a.style.left = m.clientX - x + 'px'; a.style.top = m.clientY - y + 'px' }; onmouseup = () => { onmousemove = onmouseup = null; o.textContent = Math.hypot(a.offsetLeft - z.offsetLeft, a.offsetTop - z.offsetTop) < 4 ? 'exact' : 'off by ' + (a.offsetLeft - z.offsetLeft) } }; z.onclick = () => {}</script>`,
    steps: [['Browser.drag', { element: 'clickable draggable teal', to: 'clickable 60x60' }]],
    solved: "'exact'",
  },
  {
    name: 'jQuery UI: entries whose handles are inside of them are sorted',
    html: page(
      `<style>.h{cursor:grab;display:block}</style><ul id="l">${[2, 3, 1].map((n) => `<li><span class="h" id="h${n}" onclick="">${n}</span></li>`).join('')}</ul>`,
      `$('#l').sortable({ handle: '.h', update: () => o.textContent = 'order ' + $('#l').text() })`,
    ),
    steps: [['Browser.drag', { element: "clickable '1'", to: "clickable '2'" }]],
    solved: "'order 123'",
  },
  {
    name: 'lights that start to flash late are watched',
    html: `<div id="g">${['red', 'green', 'blue'].map((c) => `<div id="${c}" style="width:40px;height:40px;display:inline-block;background:${c};opacity:.3"></div>`).join('')}</div><button id="b">Play</button><p id="o"></p><script>let said = []; b.onclick = () => setTimeout(async () => { for (const c of ['blue', 'red']) { const d = document.getElementById(c); d.style.opacity = 1; await new Promise(r => setTimeout(r, 150)); d.style.opacity = .3; await new Promise(r => setTimeout(r, 50)) } }, 1500); for (const d of g.children) d.onclick = () => { said.push(d.id); o.textContent = 'said ' + said }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Play'" }],
      ['Browser.wait', { seconds: 2.5 }],
      ['Browser.click', { element: 'clickable blue' }],
      ['Browser.click', { element: 'clickable red' }],
    ],
    solved: "'said blue,red'",
  },
];

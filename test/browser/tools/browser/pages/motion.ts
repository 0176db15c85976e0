import type { TaskPage } from '../steps.js';

const FILLER = '<div style="height:900px"></div>';

/** Dragging, sliding, scrolling, selecting. */
export const motion: readonly TaskPage[] = [
  {
    name: 'cards are moved with the drag and drop of the platform',
    html: `<div id="a"><div id="c" draggable="true">Card</div></div><div id="b" aria-label="Done" role="region" style="height:80px;background:#eee"></div><p id="o"></p>
      <script>c.ondragstart = e => e.dataTransfer.setData('text/plain', 'c'); b.ondragover = e => e.preventDefault(); b.ondrop = e => { e.preventDefault(); b.append(document.getElementById(e.dataTransfer.getData('text/plain'))); o.textContent = 'in ' + c.parentNode.id }; c.ondragend = () => o.textContent += ' ended'</script>`,
    steps: [['Browser.drag', { element: "draggable 'Card'", to: "region 'Done'" }]],
    solved: "'in b ended'",
  },
  {
    name: 'a box that follows the mouse is dragged by some pixels',
    html: `<div id="d" style="position:absolute;left:20px;top:20px;width:50px;height:50px;background:teal"></div><p id="o" style="margin-top:300px"></p>
      <script>d.addEventListener('mousedown', e => { const x = e.clientX - d.offsetLeft, y = e.clientY - d.offsetTop; document.onmousemove = m => { d.style.left = m.clientX - x + 'px'; d.style.top = m.clientY - y + 'px' }; document.onmouseup = () => { document.onmousemove = null; o.textContent = 'at ' + d.offsetLeft + ',' + d.offsetTop } })</script>`,
    steps: [['Browser.drag', { element: 'clickable draggable teal', by_x: 100, by_y: 60 }]],
    solved: "'at 120,80'",
  },
  {
    name: 'a handle that captures the pointer is dragged',
    html: `<div style="width:200px;height:20px;background:#ddd;position:relative"><div id="h" role="slider" aria-label="Mix" aria-valuenow="0" aria-valuemin="0" aria-valuemax="100" tabindex="0" style="position:absolute;width:20px;height:20px;background:navy"></div></div><script>h.onpointerdown = e => { h.setPointerCapture(e.pointerId); const start = e.clientX; h.onpointermove = m => { const v = Math.round((m.clientX - start) / 2); h.style.left = v * 1.8 + 'px'; h.ariaValueNow = v }; h.onlostpointercapture = () => h.onpointermove = null }</script>`,
    steps: [['Browser.drag', { element: "slider 'Mix'", by_x: 80, by_y: 0 }]],
    solved: "slider 'Mix' value: 40",
  },
  {
    name: 'a slider of the browser is dragged and stepped',
    html: `<input type="range" id="r" aria-label="Size" min="0" max="10" style="width:200px"><p id="o"></p><script>r.oninput = () => o.textContent = 'size ' + r.value</script>`,
    steps: [
      ['Browser.press', { element: "slider 'Size'", key_comb: 'Home' }],
      ['Browser.press', { key_comb: 'ArrowRight ArrowRight' }],
      ['Browser.drag', { element: "slider 'Size'", by_x: 80, by_y: 0 }],
    ],
    solved: "'size 9'",
  },
  {
    name: 'a list is sorted by dragging its entries',
    html: `<style>li{height:30px;cursor:grab}</style><ol id="l" style="list-style:none;padding:0">${[3, 1, 2].map((n) => `<li>${n}</li>`).join('')}</ol><p id="o"></p>
      <script>let held; const says = () => o.textContent = 'order ' + [...l.children].map(x => x.textContent).join(''); for (const li of l.children) li.addEventListener('mousedown', e => { held = li; e.preventDefault() }); document.addEventListener('mousemove', e => { if (!held) return; const over = [...l.children].find(x => { const b = x.getBoundingClientRect(); return e.clientY > b.top && e.clientY < b.bottom }); if (over && over !== held) l.insertBefore(held, [...l.children].indexOf(over) > [...l.children].indexOf(held) ? over.nextSibling : over) }); document.addEventListener('mouseup', () => { held = null; says() })</script>`,
    steps: [['Browser.drag', { element: "listitem '3'", to: "listitem '2'" }]],
    solved: "'order 123'",
  },
  {
    name: 'a sortable list of the platform drags entries over one another',
    html: `<ul id="l">${['x', 'y', 'z'].map((n) => `<li draggable="true">${n}</li>`).join('')}</ul><p id="o"></p><script>let held; l.ondragstart = e => held = e.target; l.ondragover = e => { e.preventDefault(); const t = e.target.closest('li'); if (t && t !== held) { const b = t.getBoundingClientRect(); l.insertBefore(held, e.clientY > b.top + b.height / 2 ? t.nextSibling : t) } }; l.ondragend = () => o.textContent = [...l.children].map(x => x.textContent).join('')</script>`,
    steps: [['Browser.drag', { element: "listitem 'z'", to: "listitem 'x'" }]],
    solved: ["'zxy'"],
  },
  {
    name: 'a text area is made larger at its corner',
    html: `<textarea id="t" aria-label="Notes" style="width:100px;height:60px"></textarea><p id="o"></p><script>new ResizeObserver(() => o.textContent = t.offsetWidth > 190 ? 'large' : 'small').observe(t)</script>`,
    steps: [['Browser.drag', { element: "textbox 'Notes'", from_x: 98, from_y: 60, by_x: 100, by_y: 50 }]],
    solved: "'large'",
  },
  {
    name: 'the page is scrolled down to a button far below, which appears on the way',
    html: `<p>top</p>${FILLER}<button onclick="o.textContent='end'">Last</button><p id="o"></p>`,
    steps: [
      ['Browser.scroll', { direction: 'down' }],
      ['Browser.click', { element: "button 'Last'" }],
    ],
    solved: "'end'",
  },
  {
    name: 'an endless list grows while it is scrolled',
    html: `<div id="l" style="height:200px;overflow:auto" aria-label="Feed" role="feed"></div><script>let n = 0; const more = () => { for (let i = 0; i < 20; i++) { const p = document.createElement('p'); p.textContent = 'item ' + ++n; l.append(p) } }; more(); l.onscroll = () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 200 && n < 60) more() }</script>`,
    steps: [
      ['Browser.scroll', { direction: 'down', element: "feed 'Feed'" }],
      ['Browser.scroll', { direction: 'down', element: "feed 'Feed'" }],
      ['Browser.scroll', { direction: 'down', element: "feed 'Feed'" }],
      ['Browser.scroll', { direction: 'down', element: "feed 'Feed'" }],
    ],
    solved: "'item 40'",
  },
  {
    name: 'conditions are scrolled to their end before they are accepted',
    html: `<div id="t" tabindex="0" style="height:100px;overflow:auto"><div style="height:500px">Terms</div></div><button id="b" disabled>Accept</button><p id="o"></p><script>t.onscroll = () => { if (t.scrollTop + t.clientHeight >= t.scrollHeight - 2) b.disabled = false }; b.onclick = () => o.textContent = 'accepted'</script>`,
    steps: [
      ...Array.from(
        { length: 4 },
        () => ['Browser.scroll', { direction: 'down', element: "clickable 'Terms'" }] as const,
      ),
      ['Browser.click', { element: "button 'Accept'" }],
    ],
    solved: "'accepted'",
  },
  {
    name: 'words are selected as with the mouse',
    html: `<p id="p">The <b>quick brown</b> fox jumps.</p><button id="b">What</button><p id="o"></p><script>b.onmousedown = e => e.preventDefault(); b.onclick = () => o.textContent = 'chosen ' + getSelection()</script>`,
    steps: [
      ['Browser.select_text', { text: 'quick brown fox' }],
      ['Browser.click', { element: "button 'What'" }],
    ],
    solved: "'chosen quick brown fox'",
  },
];

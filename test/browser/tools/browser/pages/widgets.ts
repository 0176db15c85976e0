import type { TaskPage } from '../steps.js';

/** Widgets of plain elements: menus, dialogs, tabs, trees. */
export const widgets: readonly TaskPage[] = [
  {
    name: 'a native dialog is opened, answered and closed, and hides the page meanwhile',
    html: `<button id="b">Open</button><dialog id="d"><form method="dialog"><p>Sure?</p><button value="yes">Yes</button><button value="no">No</button></form></dialog><p id="o"></p><script>b.onclick = () => d.showModal(); d.onclose = () => o.textContent = 'answer ' + d.returnValue</script>`,
    steps: [
      ['Browser.click', { element: "button 'Open'" }],
      ['Browser.click', { element: "button 'Yes'" }],
    ],
    solved: "'answer yes'",
  },
  {
    name: 'Escape closes a dialog',
    html: `<dialog id="d"><p>Hi</p></dialog><p id="o"></p><script>d.showModal(); d.onclose = () => o.textContent = 'closed'</script>`,
    steps: [['Browser.press', { key_comb: 'Escape' }]],
    solved: "'closed'",
  },
  {
    name: 'a modal with a focus trap is filled in and left',
    html: `<button id="b">Edit</button><div id="m" role="dialog" aria-modal="true" aria-label="Edit name" hidden style="position:fixed;inset:0;background:#fff"><input aria-label="Name" id="n"><button id="s">Save</button></div><p id="o"></p>
      <script>b.onclick = () => { m.hidden = false; n.focus() }; m.onkeydown = e => { if (e.key === 'Tab') { e.preventDefault(); (document.activeElement === n ? s : n).focus() } }; s.onclick = () => { m.hidden = true; o.textContent = 'saved ' + n.value }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Edit'" }],
      ['Browser.type', { content: 'Zoe' }],
      ['Browser.press', { key_comb: 'Tab Enter' }],
    ],
    solved: "'saved Zoe'",
  },
  {
    name: 'a cookie banner is closed before the button it covers is clicked',
    html: `<button id="b" onclick="o.textContent='bought'">Buy</button><p id="o"></p><div id="c" role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#eee">We use cookies <button onclick="c.remove()">Reject all</button></div>`,
    steps: [
      ['Browser.click', { element: "button 'Reject all'" }],
      ['Browser.click', { element: "button 'Buy'" }],
    ],
    solved: "'bought'",
  },
  {
    name: 'a menu that only CSS opens under the mouse is used',
    html: `<style>.sub{display:none}.menu:hover .sub{display:block}</style><div class="menu" style="width:200px">File<div class="sub"><button onclick="o.textContent='saved as'">Save as</button></div></div><p id="o"></p><script>document.querySelector('.menu').onmouseenter = () => {}</script><style>.menu{cursor:pointer}</style>`,
    steps: [
      ['Browser.hover', { element: "clickable 'File'" }],
      ['Browser.click', { element: "button 'Save as'" }],
    ],
    solved: "'saved as'",
  },
  {
    name: 'a menu that a script opens under the mouse is used',
    html: `<ul role="menubar"><li role="menuitem" id="m" aria-haspopup="true">Edit<ul role="menu" hidden id="s"><li role="menuitem" onclick="o.textContent='pasted'">Paste</li></ul></li></ul><p id="o"></p><script>m.onmouseenter = () => s.hidden = false; m.onmouseleave = () => s.hidden = true</script>`,
    steps: [
      ['Browser.hover', { element: "menuitem 'Edit'" }],
      ['Browser.click', { element: "menuitem 'Paste'" }],
    ],
    solved: "'pasted'",
  },
  {
    name: 'tabs show their panels',
    html: `<div role="tablist"><button role="tab" aria-selected="true" id="t1">Info</button><button role="tab" aria-selected="false" id="t2">Price</button></div><div role="tabpanel" id="p">about</div><script>t2.onclick = () => { t1.ariaSelected = 'false'; t2.ariaSelected = 'true'; p.textContent = 'costs 9' }</script>`,
    steps: [['Browser.click', { element: "tab 'Price'" }]],
    solved: ["'costs 9'", "tab 'Price' selected"],
  },
  {
    name: 'an accordion of details elements and one of custom elements are opened',
    html: `<details><summary>More</summary><p>inner one</p></details><h3 id="h" style="cursor:pointer">Second</h3><div id="f" style="height:0;overflow:hidden"><p>inner two</p></div><script>h.onclick = () => f.style.height = 'auto'</script>`,
    steps: [
      ['Browser.click', { element: "summary 'More'" }],
      ['Browser.click', { element: "heading 'Second'" }],
    ],
    solved: ["'inner one'", "'inner two'"],
  },
  {
    name: 'a tree is expanded and a leaf is chosen',
    html: `<ul role="tree"><li role="treeitem" aria-expanded="false" id="a"><span>Animals</span><ul role="group" hidden><li role="treeitem" id="c">Cat</li><li role="treeitem">Dog</li></ul></li></ul><p id="o"></p>
      <script>a.onclick = e => { if (e.target.closest('[role=treeitem]') === a) { const open = a.ariaExpanded !== 'true'; a.ariaExpanded = open; a.querySelector('ul').hidden = !open } else o.textContent = 'chose ' + e.target.textContent }</script>`,
    steps: [
      ['Browser.click', { element: "treeitem 'Animals'" }],
      ['Browser.click', { element: "treeitem 'Cat'" }],
    ],
    solved: "'chose Cat'",
  },
  {
    name: 'a toggle button and a star rating keep their states',
    html: `<button id="b" aria-pressed="false">Bold</button><div role="radiogroup" aria-label="Stars"><span role="radio" aria-checked="false" aria-label="1 star" tabindex="0">★</span><span role="radio" aria-checked="false" aria-label="2 stars" tabindex="0">★</span></div>
      <script>b.onclick = () => b.ariaPressed = String(b.ariaPressed !== 'true'); for (const r of document.querySelectorAll('[role=radio]')) r.onclick = () => { for (const x of document.querySelectorAll('[role=radio]')) x.ariaChecked = String(x === r) }</script>`,
    steps: [
      ['Browser.check', { element: "button 'Bold'", checked: true }],
      ['Browser.check', { element: "radio '2 stars'", checked: true }],
    ],
    solved: ["button 'Bold' pressed", "radio '2 stars' checked"],
  },
  {
    name: 'a calendar is turned to the next month and a day is chosen',
    html: `<input id="i" aria-label="Date" readonly><div id="c"></div><script>let m = 10; const names = ['November', 'December']; const show = () => { c.innerHTML = '<a href="#" title="Next" id="n">&gt;</a><b>' + names[m - 10] + '</b><table>' + [0, 1, 2, 3].map(w => '<tr>' + [1, 2, 3, 4, 5, 6, 7].map(d => '<td><a href="#">' + (w * 7 + d) + '</a></td>').join('') + '</tr>').join('') + '</table>'; c.onclick = e => { e.preventDefault(); if (e.target.id === 'n') { m++; show() } else if (e.target.closest('td')) { i.value = '2026-' + (m + 1) + '-' + e.target.textContent; c.innerHTML = '' } } }; i.onfocus = show</script>`,
    steps: [
      ['Browser.click', { element: "textbox 'Date'" }],
      ['Browser.click', { element: "link '>'" }],
      ['Browser.click', { element: "link '17'" }],
    ],
    solved: 'value: 2026-12-17',
  },
  {
    name: 'boxes whose only sign of being clickable is a listener have lines, with their colors',
    html: `<div id="g"></div><p id="o"></p><script>for (const c of ['red', 'blue', 'lime', '#e53030']) { const d = document.createElement('div'); d.style.cssText = 'width:40px;height:40px;display:inline-block;background:' + c; d.addEventListener('click', () => o.textContent = 'box ' + c); g.append(d) }</script>`,
    steps: [['Browser.click', { element: 'clickable blue' }]],
    solved: "'box blue'",
  },
  {
    name: 'shapes of a drawing have lines with kind, color, size and place',
    html: `<svg width="160" height="160"><circle cx="30" cy="30" r="10" fill="green"></circle><rect x="80" y="10" width="40" height="40" fill="red"></rect><polygon points="20,100 60,100 40,60" fill="blue"></polygon><text x="90" y="120" fill="purple">K</text></svg><p id="o"></p><script>document.querySelector('svg').addEventListener('click', e => o.textContent = 'hit ' + e.target.tagName)</script>`,
    steps: [['Browser.click', { element: 'triangle blue' }]],
    solved: ["'hit polygon'", 'circle green 20x20 at 30,30', 'square red 40x40', "text 'K' purple"],
  },
  {
    name: 'one listener for a whole list: each of its entries can be addressed',
    html: `<div id="l"><div>alpha</div><div>beta</div><div>gamma</div></div><p id="o"></p><script>l.addEventListener('click', e => o.textContent = 'picked ' + e.target.textContent)</script>`,
    steps: [['Browser.click', { element: "'beta'" }]],
    solved: "'picked beta'",
  },
  {
    name: 'the empty cells of a board are clicked (tic-tac-toe)',
    html: `<style>td{width:40px;height:40px;border:1px solid}</style><table id="t"><tr><td></td><td></td><td></td></tr><tr><td></td><td></td><td></td></tr></table><script>let n = 0; t.addEventListener('click', e => { if (e.target.localName === 'td') e.target.textContent = 'XO'[n++ % 2] })</script>`,
    steps: [
      ['Browser.click', { element: 'cell #2' }],
      ['Browser.click', { element: 'cell #3' }],
    ],
    solved: ["cell 'X'", "cell 'O'"],
  },
  {
    name: 'a point of an element is clicked by its coordinates',
    html: `<canvas id="c" width="200" height="100"></canvas><p id="o"></p><script>c.onclick = e => o.textContent = 'at ' + e.offsetX + ',' + e.offsetY</script>`,
    steps: [['Browser.click', { element: 'canvas', at_x: 150, at_y: 20 }]],
    solved: ["'at 150,20'", 'its content cannot be read'],
  },
  {
    name: 'a context menu, a double click and a click with a key held are noticed',
    html: `<div id="d" tabindex="0" style="width:100px;height:40px">Target</div><p id="o"></p><script>const said = []; const say = x => { said.push(x); o.textContent = said.join() }; d.oncontextmenu = e => { e.preventDefault(); say('menu') }; d.ondblclick = () => say('double'); d.onclick = e => { if (e.shiftKey) say('shift') }</script>`,
    steps: [
      ['Browser.click', { element: "clickable 'Target'", button: 'right' }],
      ['Browser.click', { element: "clickable 'Target'", count: 2 }],
      ['Browser.click', { element: "clickable 'Target'", hold: ['Shift'] }],
    ],
    solved: "'menu,double,shift'",
  },
  {
    name: 'alert, confirm and prompt are answered',
    html: `<button id="b">Ask</button><p id="o"></p><script>b.onclick = () => { alert('hey'); o.textContent = confirm('ok?') + ' ' + prompt('name?', 'me') }</script>`,
    steps: [
      ['Browser.answer_dialogs', { accept: true, text: 'Ada' }],
      ['Browser.click', { element: "button 'Ask'" }],
    ],
    solved: "'true Ada'",
  },
  {
    name: 'a keyboard shortcut of the page is handled',
    html: `<p id="o">press</p><script>onkeydown = e => { if (e.ctrlKey && e.key === 'k') { e.preventDefault(); o.textContent = 'palette ' + e.keyCode } }</script>`,
    steps: [['Browser.press', { key_comb: 'Control+k' }]],
    solved: "'palette 75'",
  },
  {
    name: 'a key is held down',
    html: `<div tabindex="0" id="d" aria-label="Game">x</div><p id="o"></p><script>let n = 0; d.onkeydown = e => { if (e.key === 'ArrowRight') o.textContent = ++n > 3 ? 'moved far' : 'moved' }</script>`,
    steps: [['Browser.press', { key_comb: 'ArrowRight', element: "clickable 'Game'", seconds: 0.5 }]],
    solved: "'moved far'",
  },
  {
    name: 'a popover opens and closes',
    html: `<button popovertarget="p">Help</button><div id="p" popover>Call 112</div><p id="o"></p><script>p.ontoggle = e => o.textContent = e.newState</script>`,
    steps: [
      ['Browser.click', { element: "button 'Help'" }],
      ['Browser.press', { key_comb: 'Escape' }],
    ],
    solved: "'closed'",
  },
];

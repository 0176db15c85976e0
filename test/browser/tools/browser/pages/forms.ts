import type { TaskPage } from '../steps.js';

/** Fields of all kinds, and what pages do with them. */
export const forms: readonly TaskPage[] = [
  {
    name: 'a form with text fields, checkboxes, radio buttons and a select is filled in and sent',
    html: `<form id="f"><label>Name <input name="name" required></label>
      <label>E-mail <input type="email" name="mail"></label>
      <label>About <textarea name="about"></textarea></label>
      <fieldset><legend>Size</legend><label><input type="radio" name="size" value="s">Small</label><label><input type="radio" name="size" value="l">Large</label></fieldset>
      <label><input type="checkbox" name="news" value="yes"> Newsletter</label>
      <label>Country <select name="country"><option>France</option><option>Germany</option></select></label>
      <button>Send</button></form><output id="o"></output>
      <script>f.onsubmit = e => { e.preventDefault(); o.textContent = [...new FormData(f)].map(x => x.join('=')).join(';') }</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Name'", content: 'Ada {Lovelace} 日本' }],
      ['Browser.type', { element: "textbox 'E-mail'", content: 'ada@example.org' }],
      ['Browser.type', { element: "textbox 'About'", content: 'one\ntwo' }],
      ['Browser.check', { element: "radio 'Large'", checked: true }],
      ['Browser.check', { element: "checkbox 'Newsletter'", checked: true }],
      ['Browser.select', { element: "combobox 'Country'", options: ['Germany'] }],
      ['Browser.click', { element: "button 'Send'" }],
    ],
    solved: "'name=Ada {Lovelace} 日本;mail=ada@example.org;about=one two;size=l;news=yes;country=Germany'",
  },
  {
    name: 'date, time, month, color and range inputs take values in their formats and as people write them',
    html: `<label>Day <input type="date" id="d"></label><label>At <input type="time" id="t"></label><label>Month <input type="month" id="m"></label>
      <label>Week <input type="week" id="w"></label><label>When <input type="datetime-local" id="l"></label>
      <label>Paint <input type="color" id="c"></label><label>Volume <input type="range" id="r" max="10"></label><p id="o"></p>
      <script>onchange = () => o.textContent = [d, t, m, w, l, c, r].map(x => x.value).join(' ')</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Day'", content: '12/24/2026' }],
      ['Browser.type', { element: "textbox 'At'", content: '5:07 PM' }],
      ['Browser.type', { element: "textbox 'Month'", content: '2026-11' }],
      ['Browser.type', { element: "textbox 'Week'", content: '2026-W47' }],
      ['Browser.type', { element: "textbox 'When'", content: '2026-11-22 06:40' }],
      ['Browser.type', { element: "textbox 'Paint'", content: 'tomato' }],
      ['Browser.type', { element: "slider 'Volume'", content: '7' }],
    ],
    solved: "'2026-12-24 17:07 2026-11 2026-W47 2026-11-22T06:40 #ff6347 7'",
  },
  {
    name: 'a number field is typed into, and stepped with arrow keys',
    html: `<label>Count <input type="number" id="n" min="0" max="20" value="4"></label><p id="o"></p><script>n.oninput = () => o.textContent = 'count is ' + n.value</script>`,
    steps: [
      ['Browser.type', { element: "spinbutton 'Count'", content: '12', clear: true }],
      ['Browser.press', { key_comb: 'ArrowUp ArrowUp ArrowDown' }],
    ],
    solved: "'count is 13'",
  },
  {
    name: 'typing adds to what a field holds, clear replaces it, and maxlength holds',
    html: `<label>Code <input id="c" value="AB" maxlength="5"></label><label>Name <input id="n" value="old"></label><p id="o"></p>
      <script>oninput = () => o.textContent = c.value + '/' + n.value</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Code'", content: 'CDEFGH' }],
      ['Browser.type', { element: "textbox 'Name'", content: 'new', clear: true }],
    ],
    solved: "'ABCDE/new'",
  },
  {
    name: 'Enter in a field sends a form whose button is below',
    html: `<form id="f"><input name="q" placeholder="Find"><button>Go</button></form><p id="o"></p><script>f.addEventListener('submit', e => { e.preventDefault(); o.textContent = 'found ' + f.q.value })</script>`,
    steps: [['Browser.type', { element: "textbox 'Find'", content: 'cats', press_enter_after: true }]],
    solved: "'found cats'",
  },
  {
    name: 'a required field and an invalid address block a form, and the model gets the reason',
    html: `<form id="f"><label>Mail <input type="email" required name="m"></label><button>Join</button></form><p id="o"></p><script>f.onsubmit = e => { e.preventDefault(); o.textContent = 'joined ' + f.m.value }</script>`,
    steps: [
      ['Browser.click', { element: "button 'Join'" }],
      ['Browser.type', { element: "textbox 'Mail'", content: 'nobody' }],
      ['Browser.click', { element: "button 'Join'" }],
      ['Browser.type', { element: "textbox 'Mail'", content: '@example.org', press_enter_after: true }],
    ],
    solved: "'joined nobody@example.org'",
  },
  {
    name: 'a list with several choices takes several options',
    html: `<label>Fruit <select id="s" multiple size="4"><option>apple</option><option>pear</option><option>plum</option><option disabled>fig</option></select></label><p id="o"></p><script>s.onchange = () => o.textContent = [...s.selectedOptions].map(x => x.text).join('+')</script>`,
    steps: [['Browser.select', { element: "listbox 'Fruit'", options: ['apple', 'plum'] }]],
    solved: "'apple+plum'",
  },
  {
    name: 'a file field gets files with their contents',
    html: `<label>Photos <input type="file" id="i" multiple></label><p id="o"></p><script>i.onchange = async () => { const parts = []; for (const x of i.files) parts.push(x.name + ':' + await x.text()); o.textContent = parts.join(' ') }</script>`,
    files: { '/a.txt': 'alpha', '/b.txt': 'beta' },
    steps: [['Browser.upload', { element: "button 'Photos'", paths: ['/a.txt', '/b.txt'] }]],
    solved: "'a.txt:alpha b.txt:beta'",
  },
  {
    name: 'a password is typed and not displayed',
    html: `<form id="f"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Log in</button></form><p id="o"></p><script>f.onsubmit = e => { e.preventDefault(); o.textContent = f.u.value === 'bo' && f.p.value === 'secret7' ? 'welcome' : 'wrong' }</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'User'", content: 'bo' }],
      ['Browser.type', { element: "textbox 'Password'", content: 'secret7' }],
      ['Browser.click', { element: "button 'Log in'" }],
    ],
    solved: ["'welcome'", "value: '•••••••'"],
  },
  {
    name: 'a switch made of a hidden checkbox and a styled label is flipped',
    html: `<style>#s{position:absolute;opacity:0;width:0;height:0}.knob{display:inline-block;width:40px;height:20px;background:#ccc}</style><label>Dark mode <input type="checkbox" role="switch" id="s"><span class="knob"></span></label><p id="o"></p><script>s.onchange = () => o.textContent = 'dark ' + s.checked</script>`,
    steps: [['Browser.check', { element: "switch 'Dark mode'", checked: true }]],
    solved: "'dark true'",
  },
  {
    name: 'a checkbox that is not displayed is ticked at its label',
    html: `<style>input{display:none}</style><input type="checkbox" id="a"><label for="a">Accept</label><p id="o"></p><script>a.onchange = () => o.textContent = 'accepted ' + a.checked</script>`,
    steps: [['Browser.check', { element: "checkbox 'Accept'", checked: true }]],
    solved: ["'accepted true'", "checkbox 'Accept' checked"],
  },
  {
    name: 'a part that is edited in place takes text, lines and shortcuts',
    html: `<div id="e" contenteditable="true" aria-label="Note">Hello</div><p id="o"></p><script>e.oninput = () => o.textContent = e.innerText.replace(/\\n+/g, '/')</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Note'", content: ' world\nsecond' }],
      ['Browser.press', { key_comb: 'Backspace Backspace' }],
    ],
    solved: "'Hello world/seco'",
  },
  {
    name: 'a choice of suggestions is typed for and chosen (autocomplete)',
    html: `<input id="i" role="combobox" aria-label="City" aria-expanded="false" aria-controls="l"><ul id="l" role="listbox" hidden></ul><p id="o"></p>
      <script>const all = ['Berlin', 'Bern', 'Rome'];
      i.oninput = () => setTimeout(() => { l.innerHTML = ''; for (const x of all.filter(y => y.toLowerCase().startsWith(i.value.toLowerCase()))) { const li = document.createElement('li'); li.setAttribute('role', 'option'); li.textContent = x; li.onmousedown = e => { e.preventDefault(); i.value = x; l.hidden = true; o.textContent = 'city ' + x }; l.append(li) } l.hidden = false }, 30)</script>`,
    steps: [
      ['Browser.type', { element: "combobox 'City'", content: 'Ber' }],
      ['Browser.click', { element: "option 'Bern'" }],
    ],
    solved: "'city Bern'",
  },
  {
    name: 'a list box made of other elements is opened and chosen from with select',
    html: `<button id="b" role="combobox" aria-label="Plan" aria-expanded="false" aria-haspopup="listbox" aria-controls="l">Free</button><ul id="l" role="listbox" hidden><li role="option">Free</li><li role="option">Team</li></ul><p id="o"></p>
      <script>b.onclick = () => { l.hidden = !l.hidden; b.setAttribute('aria-expanded', !l.hidden) }; l.onclick = e => { b.textContent = e.target.textContent; l.hidden = true; o.textContent = 'plan ' + b.textContent }</script>`,
    steps: [['Browser.select', { element: "combobox 'Plan'", options: ['team'] }]],
    solved: "'plan Team'",
  },
  {
    name: 'keys move among radio buttons, tab stops and select options',
    html: `<label><input type="radio" name="r" value="1" checked>One</label><label><input type="radio" name="r" value="2">Two</label><select id="s" aria-label="Tone"><option>a</option><option>b</option><option>c</option></select><p id="o"></p>
      <script>onchange = () => o.textContent = document.querySelector(':checked').value + s.value</script>`,
    steps: [
      ['Browser.click', { element: "radio 'One'" }],
      ['Browser.press', { key_comb: 'ArrowDown Tab ArrowDown ArrowDown' }],
    ],
    solved: "'2c'",
  },
  {
    name: 'text is copied from one field and pasted into another',
    html: `<textarea id="a" aria-label="From">copy me</textarea><input id="b" aria-label="To"><p id="o"></p><script>b.oninput = () => o.textContent = 'got ' + b.value</script>`,
    steps: [
      ['Browser.click', { element: "textbox 'From'" }],
      ['Browser.press', { key_comb: 'Control+a Control+c' }],
      ['Browser.click', { element: "textbox 'To'" }],
      ['Browser.press', { key_comb: 'Meta+v' }],
    ],
    solved: "'got copy me'",
  },
  {
    name: 'a field that formats what is typed shows it',
    html: `<input id="i" aria-label="Phone"><p id="o"></p><script>i.addEventListener('input', () => { const d = i.value.replace(/\\D/g, ''); i.value = d.length > 3 ? d.slice(0, 3) + '-' + d.slice(3) : d; o.textContent = 'phone ' + i.value })</script>`,
    steps: [['Browser.type', { element: "textbox 'Phone'", content: '5551234' }]],
    solved: "'phone 555-1234'",
  },
  {
    name: 'fields of a wizard are filled in over three steps',
    html: `<div id="w"></div><script>let n = 1; const got = []; const show = () => { w.innerHTML = n < 4 ? '<h2>Step ' + n + '</h2><input aria-label="Answer ' + n + '"><button id="next">Next</button>' : '<p>answers ' + got.join() + '</p>'; if (n < 4) next.onclick = () => { got.push(w.querySelector('input').value); n++; show() } }; show()</script>`,
    steps: [
      ['Browser.type', { element: "textbox 'Answer 1'", content: 'a' }],
      ['Browser.click', { element: "button 'Next'" }],
      ['Browser.type', { element: "textbox 'Answer 2'", content: 'b' }],
      ['Browser.click', { element: "button 'Next'" }],
      ['Browser.type', { element: "textbox 'Answer 3'", content: 'c' }],
      ['Browser.click', { element: "button 'Next'" }],
    ],
    solved: "'answers a,b,c'",
  },
];

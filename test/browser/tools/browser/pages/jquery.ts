import jqueryText from 'jquery/dist/jquery.min.js?raw';
import widgetsText from 'jquery-ui/dist/jquery-ui.min.js?raw';
import type { TaskPage } from '../steps.js';

const STYLE = `<style>.ui-helper-hidden-accessible{position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden}.ui-slider{position:relative;width:200px;height:12px;background:#ddd}.ui-slider-handle{position:absolute;width:16px;height:16px;margin-left:-8px;background:#555}.ui-menu{list-style:none;padding:0;width:120px;background:#fff}.ui-menu .ui-menu{position:absolute}.ui-front{z-index:100}.ui-autocomplete{position:absolute}.ui-resizable{position:relative}.ui-resizable-handle{position:absolute;width:9px;height:9px}.ui-resizable-se{right:1px;bottom:1px}.ui-dialog{position:absolute;background:#eee}#l li{height:24px}</style>`;
const widgets = `${jqueryText}\n${widgetsText}`.replaceAll('</script', '<\\/script');
export const page = (html: string, script: string) =>
  `${STYLE}${html}<p id="o"></p><script>${widgets}</script><script>$(() => { ${script} })</script>`;

/** The widgets of jQuery UI: mouse events on the document, key codes, delegated listeners, classes instead of roles. */
export const jquery: readonly TaskPage[] = [
  {
    name: 'jQuery UI: a slider is moved with keys and by its handle',
    html: page(
      '<div id="s"></div>',
      `$('#s').slider({ max: 10, slide: (e, ui) => o.textContent = 'value ' + ui.value })`,
    ),
    steps: [
      ['Browser.drag', { element: 'clickable dark gray', by_x: 100, by_y: 0 }],
      ['Browser.press', { key_comb: 'ArrowRight ArrowRight' }],
    ],
    solved: "'value 7'",
  },
  {
    name: 'jQuery UI: a date is chosen in a calendar',
    html: page(
      '<input id="d" readonly aria-label="Day">',
      `$('#d').datepicker({ defaultDate: '11/05/2026', onSelect: x => o.textContent = x })`,
    ),
    steps: [
      ['Browser.click', { element: "textbox 'Day'" }],
      ['Browser.click', { element: "clickable 'Next'" }],
      ['Browser.click', { element: "link '24'" }],
    ],
    solved: "'12/24/2026'",
  },
  {
    name: 'jQuery UI: numbers are sorted by dragging',
    html: page(
      '<ul id="l"><li>2</li><li>3</li><li>1</li></ul>',
      `$('#l').sortable({ update: () => o.textContent = 'order ' + $('#l').text() })`,
    ),
    steps: [['Browser.drag', { element: "'1'", to: "'2'" }]],
    solved: "'order 123'",
  },
  {
    name: 'jQuery UI: a box is dragged onto another',
    html: page(
      '<div id="a" style="width:60px;height:40px;background:gold">Drag me</div><div id="b" style="position:absolute;left:200px;top:100px;width:90px;height:90px;background:silver">Here</div>',
      `$('#a').draggable(); $('#b').droppable({ drop: () => o.textContent = 'dropped' })`,
    ),
    steps: [['Browser.drag', { element: "clickable draggable 'Drag me'", to: "'Here'" }]],
    solved: "'dropped'",
  },
  {
    name: 'jQuery UI: a spinner counts up',
    html: page(
      '<input id="n" value="3" aria-label="Tickets">',
      `$('#n').spinner({ spin: (e, ui) => o.textContent = 'n ' + ui.value })`,
    ),
    steps: [
      ['Browser.click', { element: "spinbutton 'Tickets'" }],
      ['Browser.press', { key_comb: 'ArrowUp ArrowUp' }],
    ],
    solved: "'n 5'",
  },
  {
    name: 'jQuery UI: a suggestion is chosen',
    html: page(
      '<input id="t" aria-label="Tag">',
      `$('#t').autocomplete({ delay: 0, source: ['Armenia', 'Aruba', 'Chile'], select: (e, ui) => o.textContent = 'tag ' + ui.item.value })`,
    ),
    steps: [
      ['Browser.type', { element: "textbox 'Tag'", content: 'Ar' }],
      ['Browser.click', { element: "'Aruba'" }],
    ],
    solved: "'tag Aruba'",
  },
  {
    name: 'jQuery UI: an entry of a menu inside a menu is chosen',
    html: page(
      '<ul id="m"><li><div>Save</div></li><li><div>Playback</div><ul><li><div>Stop</div></li><li><div>Play</div></li></ul></li></ul>',
      `$('#m').menu({ select: (e, ui) => o.textContent = 'chose ' + ui.item.text() })`,
    ),
    steps: [
      ['Browser.hover', { element: "menuitem 'Playback'" }],
      ['Browser.wait_for_text', { text: 'Stop', seconds: 2 }],
      ['Browser.click', { element: "menuitem 'Play'" }],
    ],
    solved: "'chose Play'",
  },
  {
    name: 'jQuery UI: tabs, a folded section and a dialog',
    html: page(
      '<div id="t"><ul><li><a href="#x">One</a></li><li><a href="#y">Two</a></li></ul><div id="x">first</div><div id="y">second</div></div><div id="a"><h3>A</h3><div>under A</div><h3>B</h3><div>under B</div></div><div id="d" title="Note">Read this</div>',
      `$('#t').tabs(); $('#a').accordion({ animate: false }); $('#d').dialog({ close: () => o.textContent = 'read' })`,
    ),
    steps: [
      ['Browser.click', { element: "button 'Close'" }],
      ['Browser.click', { element: "tab 'Two'" }],
      ['Browser.click', { element: "tab 'B'" }],
    ],
    solved: ["'second'", "'under B'", "'read'"],
  },
  {
    name: 'jQuery UI: a box is resized at its handle',
    html: page(
      '<div id="r" style="width:100px;height:60px;background:#eee">Box</div>',
      `$('#r').resizable({ stop: (e, ui) => o.textContent = 'width ' + Math.round(ui.size.width) })`,
    ),
    steps: [['Browser.drag', { element: 'hoverable 9x9 at 95,55', by_x: 50, by_y: 20 }]],
    solved: "'width 150'",
  },
];

import lit from '../apps/lit.mjs?script';
import react from '../apps/react.mjs?script';
import vue from '../apps/vue.mjs?script';
import type { TaskPage } from '../steps.js';

const app = (script: string, root = '<div id="root"></div>') => `${root}<script>${script}</script>`;

/** Apps of frameworks. Frameworks notice events that differ from those of a user. */
export const frameworks: readonly TaskPage[] = [
  {
    name: 'React: a controlled field and a div that is a button',
    html: app(react),
    steps: [
      ['Browser.type', { element: "textbox 'Item'", content: 'bread' }],
      ['Browser.select', { element: "combobox 'Kind'", options: ['Tool'] }],
      ['Browser.click', { element: "clickable 'Add'" }],
    ],
    solved: "'BREAD (tool)'",
  },
  {
    name: 'React: Enter in a controlled field, which is emptied, and a controlled checkbox',
    html: app(react),
    steps: [
      ['Browser.type', { element: "textbox 'Item'", content: 'oil', press_enter_after: true }],
      ['Browser.type', { element: "textbox 'Item'", content: 'tea', press_enter_after: true }],
      ['Browser.check', { element: "checkbox 'Done'", checked: true }],
    ],
    solved: ["'OIL (food)'", "'TEA (food)'", "'all done'"],
  },
  {
    name: 'React: a controlled field is cleared and typed into again',
    html: app(react),
    steps: [
      ['Browser.type', { element: "textbox 'Item'", content: 'wrong' }],
      ['Browser.type', { element: "textbox 'Item'", content: 'right', clear: true, press_enter_after: true }],
    ],
    solved: "'RIGHT (food)'",
  },
  {
    name: 'Vue: fields bound both ways and a span that is a button',
    html: app(vue),
    steps: [
      ['Browser.type', { element: "textbox 'Name'", content: ' Ida ' }],
      ['Browser.select', { element: "combobox 'Color'", options: ['green'] }],
      ['Browser.click', { element: "clickable 'Greet'" }],
    ],
    solved: "'hello Ida in green'",
  },
  {
    name: 'Lit: a form in a shadow root and buttons of its entries',
    html: app(lit, '<todo-list></todo-list>'),
    steps: [
      ['Browser.type', { element: "textbox 'Todo'", content: 'two', press_enter_after: true }],
      ['Browser.type', { element: "textbox 'Todo'", content: '!' }],
      ['Browser.click', { element: "button 'Add'" }],
      ['Browser.click', { element: "button 'Remove one'" }],
    ],
    solved: ["'two'", "'two!'", "'2 left'"],
  },
];

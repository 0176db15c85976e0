import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** Controlled fields, a list with keys, and a div that acts as a button. */
function App() {
  const [items, setItems] = useState(['milk']);
  const [text, setText] = useState('');
  const [kind, setKind] = useState('food');
  const [done, setDone] = useState(false);
  const add = () => {
    if (text) setItems([...items, `${text} (${kind})`]);
    setText('');
  };
  return h(
    'main',
    null,
    h('input', {
      'aria-label': 'Item',
      value: text,
      onChange: (e) => setText(e.target.value.toUpperCase()),
      onKeyDown: (e) => e.key === 'Enter' && add(),
    }),
    h(
      'select',
      { 'aria-label': 'Kind', value: kind, onChange: (e) => setKind(e.target.value) },
      h('option', { value: 'food' }, 'Food'),
      h('option', { value: 'tool' }, 'Tool'),
    ),
    h('div', { onClick: add, className: 'button' }, 'Add'),
    h('label', null, h('input', { type: 'checkbox', checked: done, onChange: () => setDone(!done) }), 'Done'),
    h(
      'ul',
      null,
      items.map((item) => h('li', { key: item }, item)),
    ),
    h('p', null, done ? 'all done' : 'open'),
  );
}

createRoot(document.getElementById('root')).render(h(App));

import { createApp, h, ref, vModelSelect, vModelText, withDirectives } from 'vue';

/** Two-way bound fields and a button with modifiers. */
createApp({
  setup() {
    const name = ref('');
    const color = ref('red');
    const greeted = ref('');
    return () => [
      withDirectives(
        h('input', { 'aria-label': 'Name', 'onUpdate:modelValue': (value) => (name.value = value) }),
        [[vModelText, name.value, '', { trim: true }]],
      ),
      withDirectives(
        h('select', { 'aria-label': 'Color', 'onUpdate:modelValue': (value) => (color.value = value) }, [
          h('option', 'red'),
          h('option', 'green'),
        ]),
        [[vModelSelect, color.value]],
      ),
      h('span', { onClick: () => (greeted.value = `hello ${name.value} in ${color.value}`) }, 'Greet'),
      h('p', greeted.value),
    ];
  },
}).mount('#root');

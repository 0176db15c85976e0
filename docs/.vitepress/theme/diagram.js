import library from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

const LIGHT = {
  background: '#ffffff',
  primaryColor: '#eeedff',
  primaryTextColor: '#2b2b3a',
  primaryBorderColor: '#6d6af8',
  lineColor: '#5c5c70',
  textColor: '#2b2b3a',
  clusterBkg: '#f7f7fb',
  clusterBorder: '#d5d5e2',
  edgeLabelBackground: '#ffffff',
};
const DARK = {
  background: '#12121a',
  primaryColor: '#2a2950',
  primaryTextColor: '#ececf4',
  primaryBorderColor: '#8f8cff',
  lineColor: '#a5a5b8',
  textColor: '#ececf4',
  clusterBkg: '#1a1a25',
  clusterBorder: '#3a3a4d',
  edgeLabelBackground: '#12121a',
};

let loading;
let count = 0;

/** Draws a diagram in the language of Mermaid. Shows its source until the library is loaded, and without JavaScript. */
export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const text = decodeURIComponent(source);
    const drawing = ref('');
    const draw = async () => (drawing.value = await render(text, isDark.value));
    onMounted(draw);
    watch(isDark, draw);
    return () =>
      drawing.value === ''
        ? h('pre', { class: 'diagram', tabindex: 0 }, text)
        : h('div', { class: 'diagram', tabindex: 0, innerHTML: drawing.value });
  },
});

async function render(text, isDark) {
  loading ??= load();
  const mermaid = await loading;
  mermaid.initialize({
    startOnLoad: false,
    theme: 'base',
    themeVariables: {
      darkMode: isDark,
      fontSize: '15px',
      fontFamily: getComputedStyle(document.body).fontFamily,
      ...(isDark ? DARK : LIGHT),
    },
    flowchart: { nodeSpacing: 30, rankSpacing: 35, padding: 10 },
  });
  const { svg } = await mermaid.render(`diagram-${++count}`, text);
  return svg;
}

/** The library is a script that defines a global variable. */
function load() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = library;
    script.onload = () => resolve(window.mermaid);
    script.onerror = () => reject(new Error(`Could not load ${library}.`));
    document.head.append(script);
  });
}

import { useData } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, ref, watch } from 'vue';

const SIZE = { width: 720, height: 440, marginLeft: 60, marginRight: 115, marginBottom: 50 };

/** Draws the figures of a benchmark: a line for each contender, ours thicker. The page has the same figures as a table. */
export const Plot = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const plot = JSON.parse(decodeURIComponent(source));
    const place = ref(null);
    const draw = async () => {
      const drawing = await render(plot, isDark.value);
      await nextTick();
      place.value?.replaceChildren(drawing);
    };
    onMounted(draw);
    watch(isDark, draw);
    return () =>
      h('figure', { class: 'plot' }, [
        h('figcaption', plot.title),
        h('div', { ref: place, role: 'img', tabindex: 0, 'aria-label': summary(plot) }),
      ]);
  },
});

/** What the plot shows, for readers who do not see it. */
function summary({ title, x, y, figures }) {
  const contenders = [...new Set(figures.map(({ series }) => series))];
  return `${title}: ${y}, by ${x}, of ${contenders.join('; ')}. The table has the figures.`;
}

const isOurs = ({ series }) => series.startsWith('rolezero');

async function render({ x, y, figures }, isDark) {
  const { dot, line, plot, pointer, selectLast, text, tip } = await import('@observablehq/plot');
  const place = { x: 'x', y: 'y' };
  const drawing = plot({
    ...SIZE,
    grid: true,
    style: { background: 'transparent', fontSize: '13px', overflow: 'visible' },
    x: {
      type: 'log',
      label: x,
      labelOffset: 45,
      ticks: [...new Set(figures.map(({ x }) => x))],
      tickFormat: ',',
    },
    y: { type: 'log', label: y, ticks: 6, tickFormat: ',' },
    color: { legend: true, scheme: isDark ? 'Set2' : 'Dark2' },
    marks: [
      line(figures, {
        ...place,
        z: 'series',
        stroke: 'library',
        strokeWidth: (figure) => (isOurs(figure) ? 3 : 1.5),
      }),
      dot(figures, { ...place, fill: 'library', r: (figure) => (isOurs(figure) ? 4 : 3) }),
      text(
        figures,
        selectLast({ ...place, z: 'series', text: 'variant', textAnchor: 'start', dx: 8, fontSize: 11 }),
      ),
      tip(figures, pointer({ ...place, title: ({ series, y }) => `${series}: ${y.toLocaleString('en')}` })),
    ],
  });
  drawing.querySelectorAll('svg').forEach((svg) => svg.setAttribute('aria-hidden', 'true'));
  return drawing;
}

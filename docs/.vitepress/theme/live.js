import { computed, defineComponent, h, onBeforeUnmount, reactive, ref, shallowRef } from 'vue';
import pageCode from '../live/open.js?raw';
import workerCode from '../live/agent.worker.js?raw';

const TITLES = { page: 'Write a page', question: 'Ask the user', repair: 'Correct a mistake' };

/** Runs rolezero in the page: with recorded replies, or with an endpoint of the reader. */
export const Live = defineComponent({
  setup() {
    const chosen = reactive({ example: 'page', isRecorded: true });
    // In memory only: the key is gone after a reload.
    const endpoint = reactive({ baseURL: '', model: '', contextWindow: 32_000, apiKey: '' });
    const place = ref(null);
    const session = shallowRef(null);
    const preview = ref(null);
    const status = ref('');
    const isReady = computed(() => chosen.isRecorded || (endpoint.baseURL !== '' && endpoint.model !== ''));

    const showPreview = async (opened) => {
      const hasPage = (await opened.files.stat('/index.html')) !== null;
      if (session.value === opened) preview.value = hasPage ? await opened.files.read('/index.html') : null;
    };

    const guarded = async (action) => {
      try {
        await action();
      } catch (error) {
        status.value = error.message;
      }
    };

    /** Shows no session. Returns the one that was shown. */
    const hide = () => {
      const opened = session.value;
      session.value = null;
      preview.value = null;
      place.value?.replaceChildren();
      return opened;
    };

    const run = () =>
      guarded(async () => {
        const [{ openExample }, { EXAMPLES }] = await Promise.all([
          import('../live/open.js'),
          import('../live/examples.js'),
        ]);
        await hide()?.close();
        status.value = 'Opening the session…';
        const { apiKey, ...server } = endpoint;
        const config = {
          example: chosen.example,
          endpoint: chosen.isRecorded ? null : { ...server, ...(apiKey === '' ? {} : { apiKey }) },
        };
        const name = `live-${chosen.example}${chosen.isRecorded ? '' : '-endpoint'}`;
        const opened = await openExample(place.value, name, config);
        session.value = opened;
        status.value = '';
        opened.on((event) => {
          if (event.type === 'file-changed' || event.type === 'run-end')
            void guarded(() => showPreview(opened));
        });
        await showPreview(opened);
        const known = await opened.messages({ last: 1 });
        if (known.length === 0) opened.send(EXAMPLES[chosen.example].request);
      });

    const remove = () =>
      guarded(async () => {
        const { removeExample } = await import('../live/open.js');
        await removeExample(hide());
        status.value = 'Deleted.';
      });

    onBeforeUnmount(() => void guarded(() => hide()?.close()));

    const radio = (label, isRecorded) =>
      h('label', [
        h('input', {
          type: 'radio',
          name: 'live-model',
          checked: chosen.isRecorded === isRecorded,
          onChange: () => (chosen.isRecorded = isRecorded),
        }),
        ` ${label}`,
      ]);
    const field = (label, key, attributes) =>
      h('label', [
        `${label} `,
        h('input', {
          value: endpoint[key],
          onInput: ({ target }) =>
            (endpoint[key] = key === 'contextWindow' ? Number(target.value) : target.value),
          ...attributes,
        }),
      ]);

    return () =>
      h('div', { class: 'live' }, [
        h('div', { class: 'live-choices' }, [
          h('label', [
            'Example ',
            h(
              'select',
              { value: chosen.example, onChange: ({ target }) => (chosen.example = target.value) },
              Object.entries(TITLES).map(([value, title]) => h('option', { value }, title)),
            ),
          ]),
          h('fieldset', [
            h('legend', 'Model'),
            radio('Recorded replies', true),
            radio('Your endpoint', false),
          ]),
        ]),
        chosen.isRecorded
          ? null
          : h('div', { class: 'live-endpoint' }, [
              field('Base URL', 'baseURL', { type: 'url', placeholder: 'http://localhost:11434/v1' }),
              field('Model', 'model', { placeholder: 'qwen3:8b' }),
              field('Context window in tokens', 'contextWindow', { type: 'number', min: 2048 }),
              field('API key, if it needs one', 'apiKey', { type: 'password', autocomplete: 'off' }),
            ]),
        h('div', { class: 'live-buttons' }, [
          h('button', { type: 'button', class: 'live-run', disabled: !isReady.value, onClick: run }, 'Run'),
          h(
            'button',
            { type: 'button', disabled: session.value === null, onClick: remove },
            'Delete the session',
          ),
          h('span', { role: 'status' }, status.value),
        ]),
        h('div', { class: 'live-result', 'data-open': session.value !== null }, [
          h('div', { ref: place, class: 'live-chat' }),
          preview.value === null
            ? null
            : h('iframe', {
                title: 'Preview of /index.html',
                sandbox: 'allow-scripts',
                srcdoc: preview.value,
              }),
        ]),
        h('details', [
          h('summary', 'Code of this example'),
          h('h4', 'agent.worker.js'),
          h('pre', { tabindex: 0 }, workerCode),
          h('h4', 'open.js'),
          h('pre', { tabindex: 0 }, pageCode),
        ]),
      ]);
  },
});

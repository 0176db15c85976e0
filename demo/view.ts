import { pageChannel } from './state/page-channel.js';
import { pageTitle } from './state/page-title.js';
import { unpackPage } from './state/packed-page.js';
import { preferredLanguage } from './text/languages.js';
import { viewTexts } from './text/view.js';

/** In ms, the time in which the session hands over its page. */
const HANDOVER = 20_000;
/** Never `allow-same-origin`: the page could read the sessions and keys of this site. */
const SANDBOX = 'allow-scripts allow-forms allow-modals allow-pointer-lock';

/** Without an origin, a frame has no storage. Pages that use it work, until the tab is closed. */
const STORAGE = `<script>for (const name of ['localStorage', 'sessionStorage']) {
  try { window[name]; } catch {
    const items = new Map();
    Object.defineProperty(window, name, { value: {
      get length() { return items.size; },
      key: (at) => [...items.keys()][at] ?? null,
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
    } });
  }
}</script>`;

const language = preferredLanguage(navigator.languages);
const texts = viewTexts[language];
document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
const [kind, value = ''] = location.hash.slice(1).split('=', 2);
void show();
addEventListener('hashchange', () => location.reload());

async function show(): Promise<void> {
  const isOwn = kind === 'tab';
  try {
    const html = isOwn ? await pageOfSession(value) : await unpackPage(value);
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.title = texts.page;
    frame.srcdoc = html.replace(/^\s*(?:<!doctype[^>]*>)?/i, (start) => start + STORAGE);
    document.title = pageTitle(html) ?? document.title;
    document.body.replaceChildren(bar(isOwn ? texts.ownPage : texts.sentPage), frame);
  } catch {
    document.body.replaceChildren(bar(isOwn ? texts.gone : texts.damaged));
  }
}

/** Asks the session that opened this tab for its page. A reload shows the page that it gave. */
function pageOfSession(id: string): Promise<string> {
  const before: unknown = history.state;
  if (typeof before === 'string') return Promise.resolve(before);
  const channel = pageChannel(id);
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The session is closed.')), HANDOVER);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return;
      channel.close();
      try {
        history.replaceState(data, '');
      } catch {
        // Too large for the browser: a reload says that the page is no longer here.
      }
      resolve(data);
    };
    channel.postMessage('ready');
  });
}

function bar(text: string): HTMLElement {
  const header = document.createElement('header');
  const link = document.createElement('a');
  link.href = './';
  link.textContent = texts.openDemo;
  header.append(text, link);
  return header;
}

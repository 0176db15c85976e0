import type { TemplateName } from './names.js';

const pages = import.meta.glob<string>('./*/index.html', { query: '?raw', import: 'default' });

/** Returns the files of a template by path. */
export async function templateFiles(name: TemplateName): Promise<Record<string, string>> {
  if (name === 'game') {
    const { GAME_JS, INDEX_HTML, STYLE_CSS } = await import('../tour/game.js');
    return { '/index.html': INDEX_HTML, '/style.css': STYLE_CSS, '/game.js': GAME_JS };
  }
  const page = await pages[`./${name}/index.html`]?.();
  return page === undefined ? {} : { '/index.html': page };
}

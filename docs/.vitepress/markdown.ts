import { relative, sep } from 'node:path';
import { siteImage, siteLink } from './links.js';
import { root } from './pages.js';
import { plots } from './plots.js';

/** The part of a token of markdown-it that is used here. */
interface Token {
  type: string;
  info: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface State {
  tokens: Token[];
  /** `path` is the path of the page on the site, `realPath` that of its file. */
  env: { path?: string; realPath?: string };
}

type Fence = (tokens: Token[], index: number, ...others: unknown[]) => string;

/** The part of markdown-it that is used here. */
interface Markdown {
  core: { ruler: { push(name: string, rule: (state: State) => void): void } };
  renderer: { rules: { fence?: Fence | undefined } };
}

/** Adapts the Markdown of the repository to the site: targets of links, diagrams, plots, live examples, and the first lines of the start page. */
export function adaptMarkdown(markdown: Markdown): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = env.realPath ?? env.path;
    if (file === undefined) return;
    const source = relative(root, file).split(sep).join('/');
    if (source === 'README.md') tokens.splice(0, 6); // heading and lead, which the start page shows larger
    for (const token of tokens) if (token.type === 'html_block') token.content = withComponent(token.content);
    for (const { children } of tokens) for (const token of children ?? []) adaptLink(token, source);
  });
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...others) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    return info.trim() === 'mermaid'
      ? `<Diagram source="${encodeURIComponent(content)}" />`
      : (fence?.(tokens, index, ...others) ?? '');
  };
}

/** Replaces the comments `<!-- live -->` and `<!-- plot: NAME -->` by what the site shows there. @throws Error when there is no such plot. */
function withComponent(html: string): string {
  if (/^<!-- live -->\s*$/.test(html)) return '<Live />\n';
  const [, name] = /^<!-- plot: (\w+) -->\s*$/.exec(html) ?? [];
  if (name === undefined) return html;
  const plot = plots()[name];
  if (plot === undefined)
    throw new Error(`There is no plot "${name}". Add it to plots.ts, or remove the comment.`);
  return `<Plot source="${encodeURIComponent(JSON.stringify(plot))}" />\n`;
}

function adaptLink(token: Token, source: string): void {
  const [name, adapt] =
    token.type === 'image' ? (['src', siteImage] as const) : (['href', siteLink] as const);
  const address = token.attrGet(name);
  if (address !== null) token.attrSet(name, adapt(address, source));
  for (const child of token.children ?? []) adaptLink(child, source);
}

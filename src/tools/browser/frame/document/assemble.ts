import { newId } from '../../../../core/new-id.js';
import { readRefresh } from '../../refresh.js';
import { VIRTUAL_LOCATION, virtualLocation } from '../../virtual-location.js';
import { parseUrl } from '../addresses.js';
import { contentPolicy } from '../content-policy.js';
import { InlineMarks, type InlineScript } from '../error-place.js';
import { decodePageText, type Fetched, type PageSource } from '../sources.js';
import { parseHtml, setScript, setScriptUrl, setSource } from '../trusted.js';
import {
  classicScript,
  elsewhere,
  inlineStyles,
  PageModules,
  readImportMap,
  Resources,
  styleSheet,
} from './resources.js';

export interface Assembly {
  html: string;
  /** Base URL for the page's relative addresses. */
  base: string;
  /** Resources that the page requested and that could not be loaded, one sentence each. */
  missing: string[];
  /** Where the scripts in the page's own file are, for its errors. */
  inlineScripts: InlineScript[];
}

/** Elements to remove from every page because they access the network or other frames. */
const DROPPED_SELECTOR =
  'base, meta[http-equiv="content-security-policy" i], link[rel~="dns-prefetch" i], link[rel~="preconnect" i], link[rel~="prefetch" i], ' +
  'link[rel~="preload" i], link[rel~="modulepreload" i], link[rel~="prerender" i], link[rel~="manifest" i], link[rel~="icon" i], ' +
  'script[type="speculationrules" i]';

/** Attributes that contain the URL of an image, audio, or video file. */
const MEDIA: readonly (readonly [selector: string, attribute: string])[] = [
  ['img', 'src'],
  ['input[type="image" i]', 'src'],
  ['audio', 'src'],
  ['video', 'src'],
  ['video', 'poster'],
  ['source', 'src'],
  ['track', 'src'],
  ['image', 'href'],
];
/**
 * Matches `onclick=` and similar, where an attribute may start. It also matches in scripts and values, where `unmask` restores the text.
 */
const HANDLER = /(?<=[\s"'/])on(?=[a-z]+\s*=)/gi;

/**
 * Assembles a document for a frame without an origin and without network access. All its resources are inlined. `driver` (the text of a
 * script) runs before all other scripts. Only the files that the document references are loaded.
 */
export async function assemble(
  html: string,
  url: URL,
  options: {
    source: PageSource;
    signal: AbortSignal;
    network: readonly string[];
    driver: string;
    /** True for a file outside of a frame: relative links then belong to the place of that file. */
    isStandalone?: boolean;
  },
): Promise<Assembly> {
  const resources = new Resources(options.source, options.signal);
  const handlers = new MaskedHandlers();
  const marks = new InlineMarks(html);
  const document = parseHtml(handlers.mask(html));
  restoreValues(document, handlers);
  const base = parseUrl(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url;
  const refreshes = [...document.querySelectorAll('meta[http-equiv="refresh" i]')];
  for (const element of document.querySelectorAll(DROPPED_SELECTOR)) element.remove();
  if (options.driver !== '') leaveFramesToDriver(document);

  await inlineMedia(document, base, resources);
  await inlineStyleElements(document, base, resources);
  const modules = new PageModules(resources, takeImportMap(document, base));
  await inlineAllScripts(document, base, resources, modules, (text, code) =>
    marks.mark(handlers.unmask(text), code),
  );
  virtualHandlers(document, handlers);

  // The base must precede the policy, which forbids any other.
  const head: Element[] = [
    ...(options.isStandalone === true ? [] : [createElement(document, 'base', { href: base.href })]),
    createElement(document, 'meta', {
      'http-equiv': 'Content-Security-Policy',
      content: policyOfPage(options.network),
    }),
  ];
  if (options.driver !== '') head.push(script(document, options.driver));
  const imports = modules.importMap();
  if (Object.keys(imports.imports).length > 0)
    head.push(script(document, JSON.stringify(imports).replaceAll('<', '\\u003c'), 'importmap'));
  const going = refreshScript(refreshes[0]?.getAttribute('content') ?? '');
  for (const refresh of refreshes) refresh.remove();
  if (going !== null) head.push(script(document, going));
  const { documentElement: root, head: place } = document;
  root.remove(); // in any document, even an inert one, the application's policy applies to `<base>`
  place.prepend(...head);
  const doctype = document.doctype === null ? '' : '<!doctype html>';
  const made = marks.resolve(doctype + handlers.unmask(root.outerHTML));
  return { ...made, base: base.href, missing: resources.missing };
}

/**
 * Gives frames an empty document. Otherwise the browser would connect to the server of their address, although their driver then loads them
 * through the host.
 */
function leaveFramesToDriver(document: Document): void {
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('iframe[src]:not([srcdoc])'))
    setSource(frame, '');
  for (const element of document.querySelectorAll('frame, fencedframe, embed, object'))
    for (const name of ['src', 'data'])
      if (!/^\s*(?:data|blob):/i.test(element.getAttribute(name) ?? '')) element.removeAttribute(name);
}

/** Removes the import maps of a document and returns them as one. */
function takeImportMap(document: Document, base: URL): ReturnType<typeof readImportMap> {
  const maps = [...document.querySelectorAll('script[type="importmap" i]')];
  for (const map of maps) map.remove();
  return readImportMap(
    maps.map((map) => map.textContent),
    base,
  );
}

/** Returns the policy of a page. A page must not change its base; otherwise links would lead elsewhere than they appear to. */
function policyOfPage(network: readonly string[]): string {
  return `${contentPolicy(network)}; base-uri 'none'`;
}

async function inlineMedia(document: Document, base: URL, resources: Resources): Promise<void> {
  const jobs = MEDIA.flatMap(([selector, attribute]) =>
    [...document.querySelectorAll(`${selector}[${attribute}]`)].map(async (found) => {
      const url = elsewhere(found.getAttribute(attribute) ?? '', base);
      const data = url === null ? null : await resources.dataUrl(url);
      if (data !== null) found.setAttribute(attribute, data);
    }),
  );
  for (const found of document.querySelectorAll('img[srcset], source[srcset]')) {
    const candidates = (found.getAttribute('srcset') ?? '').split(/,\s+/);
    jobs.push(
      Promise.all(
        candidates.map(async (candidate) => {
          const [address = '', size = ''] = candidate.trim().split(/\s+/);
          const url = elsewhere(address, base);
          const data = url === null ? null : await resources.dataUrl(url);
          return `${data ?? address} ${size}`.trim();
        }),
      ).then((written) => found.setAttribute('srcset', written.join(', '))),
    );
  }
  await Promise.all(jobs);
}

async function inlineStyleElements(document: Document, base: URL, resources: Resources): Promise<void> {
  const jobs: Promise<void>[] = [];
  for (const link of document.querySelectorAll('link[rel~="stylesheet" i][href]')) {
    const url = elsewhere(link.getAttribute('href') ?? '', base);
    link.removeAttribute('integrity');
    link.removeAttribute('crossorigin');
    if (url !== null)
      jobs.push(
        styleSheet(url, resources).then((sheet) =>
          sheet === null ? undefined : link.setAttribute('href', sheet),
        ),
      );
  }
  for (const style of document.querySelectorAll('style'))
    jobs.push(inlineStyles(style.textContent, base, resources).then((css) => void (style.textContent = css)));
  for (const styled of document.querySelectorAll('[style*="url(" i]'))
    jobs.push(
      inlineStyles(styled.getAttribute('style') ?? '', base, resources).then((css) =>
        styled.setAttribute('style', css),
      ),
    );
  await Promise.all(jobs);
}

async function inlineAllScripts(
  document: Document,
  base: URL,
  resources: Resources,
  modules: PageModules,
  mark: (text: string, code: string) => string,
): Promise<void> {
  for (const found of document.querySelectorAll('script')) {
    const type = (found.getAttribute('type') ?? '').trim().toLowerCase();
    const isModule = type === 'module';
    if (!isModule && type !== '' && !/^(text|application)\/(x-)?(javascript|ecmascript)$/.test(type))
      continue;
    found.removeAttribute('integrity');
    found.removeAttribute('crossorigin');
    found.removeAttribute('nonce');
    const address = found.getAttribute('src');
    const url = address === null ? null : elsewhere(address, base);
    if (address === null) {
      const text = found.textContent;
      const code = isModule ? await modules.inline(text, base) : virtualLocation(text);
      setScript(found, mark(text, withinHtml(code)));
    } else if (url !== null && isModule) {
      const data = await modules.add(url);
      if (data !== null) setScriptUrl(found, data);
    } else if (url !== null) {
      const text = await resources.text(url);
      if (text === null) continue;
      setScriptUrl(found, classicScript(text, url));
      found.setAttribute('crossorigin', 'anonymous'); // otherwise Firefox hides what its errors are
    }
  }
}

/** Restores attribute values that only look like handlers, such as the address `online=1.png`. */
function restoreValues(document: Document, handlers: MaskedHandlers): void {
  for (const found of document.querySelectorAll('*'))
    for (const { name, value } of [...found.attributes]) {
      if (!handlers.isMasked(value) || handlers.isHandler(name)) continue;
      const restored = handlers.unmask(value);
      if (found.localName === 'script' && name === 'src') setScriptUrl(found, restored);
      else if (name !== 'srcdoc') found.setAttribute(name, restored); // the final text restores the others
    }
}

/** Rewrites handlers such as `onclick="location.href = …"` to use the page's virtual location. */
function virtualHandlers(document: Document, handlers: MaskedHandlers): void {
  for (const found of document.querySelectorAll('*'))
    for (const { name, value } of [...found.attributes])
      if (handlers.isHandler(name)) found.setAttribute(name, virtualLocation(handlers.unmask(value)));
}

/** Converts `<meta http-equiv="refresh" content="3; url=next.html">` to a script. */
function refreshScript(content: string): string | null {
  const refresh = readRefresh(content);
  if (refresh === null) return null;
  const going = refresh.url === '' ? 'reload()' : `assign(${withinHtml(JSON.stringify(refresh.url))})`;
  return `setTimeout(() => ${VIRTUAL_LOCATION}(location).${going}, ${refresh.seconds * 1000});`;
}

/** Escapes the text of a script so that it cannot close its element. */
function withinHtml(code: string): string {
  return code.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
}

function script(document: Document, text: string, type?: string): Element {
  const made = createElement(document, 'script', type === undefined ? {} : { type });
  setScript(made, text);
  return made;
}

function createElement(document: Document, name: string, attributes: Record<string, string>): Element {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

/**
 * Renames the inline handlers of a page while it is parsed in a document of the application. Browsers check handlers there against the
 * application's Content-Security-Policy and report violations. The handlers run only in the page's own frame, under its own policy.
 */
class MaskedHandlers {
  /** Prefix that is valid at the start of an attribute name and of a JavaScript identifier. No name in the page uses it. */
  readonly #mask = `rz${newId()}`;

  /** Renames the handlers in the text of a page. */
  mask(html: string): string {
    return html.replace(HANDLER, (on) => this.#mask + on);
  }

  /** Restores the names in a text. */
  unmask(text: string): string {
    return text.replaceAll(this.#mask, '');
  }

  /** Returns whether a text contains renamed handlers. */
  isMasked(text: string): boolean {
    return text.includes(this.#mask);
  }

  /** Returns whether an attribute is a renamed handler. */
  isHandler(name: string): boolean {
    return name.startsWith(`${this.#mask}on`);
  }
}

/** Converts a fetched resource to an HTML document. HTML stays unchanged; images and text are wrapped in a page that shows them. */
export function asHtml({ type, bytes, url }: Fetched): string {
  if (/html/.test(type)) return decodePageText(bytes);
  const name = document.implementation.createHTMLDocument(
    decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
  );
  if (type.startsWith('image/')) {
    const image = name.createElement('img');
    image.setAttribute('src', url);
    image.setAttribute('alt', name.title);
    name.body.append(image);
  } else {
    const text = name.createElement('pre');
    text.textContent = /^text\/|json|xml|javascript/.test(type)
      ? decodePageText(bytes)
      : `${bytes.length} bytes of ${type}`;
    name.body.append(text);
  }
  return `<!doctype html>${name.documentElement.outerHTML}`;
}

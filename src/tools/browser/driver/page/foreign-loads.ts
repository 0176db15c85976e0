import { readRefresh } from '../../refresh.js';
import { later, method, replaceGetter, replaceMethod, replaceSetter } from '../natives.js';

/** Elements that make a browser connect to a server before the policy of the page refuses the request. */
const CONNECTING = 'iframe, frame, fencedframe, embed, object, link, meta, script[type]';
/** Matches HTML that may contain one of them. */
const MAY_CONNECT = /<(?:iframe|frame|fencedframe|embed|object|link|meta|script)\b/i;
/** Their attributes that do it, by property where a script can set it so. */
const ATTRIBUTES: readonly (readonly [
  attribute: string,
  ...setters: (readonly [of: string, property: string])[],
])[] = [
  ['src', ['HTMLIFrameElement', 'src'], ['HTMLFrameElement', 'src'], ['HTMLEmbedElement', 'src']],
  ['data', ['HTMLObjectElement', 'data']],
  ['rel', ['HTMLLinkElement', 'rel']],
  ['http-equiv', ['HTMLMetaElement', 'httpEquiv']],
  ['type', ['HTMLScriptElement', 'type']],
];
/** Relations of links that the browser follows without showing anything. */
const EAGER = /^(?:dns-prefetch|preconnect|prefetch|preload|modulepreload|prerender|manifest)$/i;
/** Addresses that only the page itself can read, or that show nothing. */
const IN_PAGE = /^\s*(?:data|blob|about):/i;
const BLANK_PAGE = 'about:blank';

const hasAttribute = method(Element.prototype, 'hasAttribute');
const getAttribute = method(Element.prototype, 'getAttribute');
const setAttribute = method(Element.prototype, 'setAttribute');
const descendants = method(Element.prototype, 'querySelectorAll');
const inFragment = method(DocumentFragment.prototype, 'querySelectorAll');

/** Methods that insert nodes. */
const INSERTING: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [Node.prototype, ['appendChild', 'insertBefore', 'replaceChild']],
  [Element.prototype, ['append', 'prepend', 'replaceChildren', 'before', 'after', 'replaceWith']],
  [Element.prototype, ['insertAdjacentElement', 'moveBefore']],
  [Document.prototype, ['append', 'prepend', 'replaceChildren']],
  [DocumentFragment.prototype, ['append', 'prepend', 'replaceChildren']],
  [CharacterData.prototype, ['before', 'after', 'replaceWith']],
  [Range.prototype, ['insertNode', 'surroundContents']],
];

/** Navigates the page to an address, or reloads it for an empty one. */
type Navigate = (url: string) => void;

/**
 * Refuses, in a page, what would make the browser connect to a server before it refuses the request. Frames then load through the host (see
 * `ChildFrames`), and a refresh is a navigation of the page. This makes it harder to send data out; it is no boundary: a script can hide a
 * navigation, so that nothing of it can be seen before.
 */
export function refuseForeignLoads(navigate: Navigate): void {
  watchNodes(navigate);
  watchAttributes(navigate);
  watchHtml(navigate);
  const { Navigation } = globalThis as { Navigation?: { prototype: object } };
  if (Navigation !== undefined)
    replaceMethod(Navigation.prototype, 'navigate', (_self, [url]) => {
      navigate(String(url));
      const never = new Promise<never>(() => {});
      return { committed: never, finished: never };
    });
}

/** Returns the HTML of another document, in which such elements connect to nothing. Its refreshes do nothing. */
export function withoutForeignLoads(html: string): string {
  if (!MAY_CONNECT.test(html)) return html;
  const { doctype, documentElement } = new DOMParser().parseFromString(html, 'text/html');
  disarmTree(documentElement, () => undefined);
  return `${doctype === null ? '' : '<!doctype html>'}${documentElement.outerHTML}`;
}

/** Returns the value that an attribute may have. An `iframe` gets an empty document of its own: with it, the browser does not follow `src`. */
function allowedValue(element: Element, name: string, value: string, navigate: Navigate): string {
  switch (`${element.localName} ${name}`) {
    case 'iframe src':
      if (!/^\s*about:/i.test(value) && !hasAttribute(element, 'srcdoc')) setAttribute(element, 'srcdoc', '');
      return value;
    case 'frame src':
    case 'fencedframe src':
    case 'embed src':
    case 'object data':
      return IN_PAGE.test(value) ? value : BLANK_PAGE;
    case 'link rel':
      return value
        .split(/\s+/)
        .filter((relation) => !EAGER.test(relation))
        .join(' ');
    case 'meta http-equiv':
      if (value.toLowerCase() !== 'refresh') return value;
      queueMicrotask(() => {
        const refresh = readRefresh(getAttribute(element, 'content') ?? '');
        if (refresh !== null) later(() => navigate(refresh.url), refresh.seconds * 1000);
      });
      return '';
    case 'script type':
      return /^\s*speculationrules\s*$/i.test(value) ? 'refused' : value;
    default:
      return value;
  }
}

/** Changes the attributes of an element and of those in it. Returns whether one was changed. */
function disarmTree(node: Node, navigate: Navigate): boolean {
  let isChanged = false;
  const disarm = (element: Element): void => {
    for (const [name] of ATTRIBUTES) {
      const value = getAttribute(element, name);
      if (value === null) continue;
      const hadDocument = hasAttribute(element, 'srcdoc');
      const allowed = allowedValue(element, name, value, navigate);
      if (allowed !== value) setAttribute(element, name, allowed);
      isChanged ||= allowed !== value || hadDocument !== hasAttribute(element, 'srcdoc');
    }
  };
  if (node instanceof DocumentFragment) inFragment(node, CONNECTING).forEach(disarm);
  if (node instanceof Element) {
    disarm(node);
    if (node.hasChildNodes()) descendants(node, CONNECTING).forEach(disarm);
  }
  return isChanged;
}

function watchNodes(navigate: Navigate): void {
  for (const [prototype, names] of INSERTING)
    for (const name of names.filter((each) => Object.hasOwn(prototype, each)))
      replaceMethod(prototype, name, (_self, values, native) => {
        for (const value of values) if (value instanceof Node) disarmTree(value, navigate);
        return native();
      });
}

function watchAttributes(navigate: Navigate): void {
  const allowed = (element: unknown, name: unknown, value: unknown): unknown =>
    element instanceof Element
      ? allowedValue(element, String(name).replace(/^.*:/, '').toLowerCase(), String(value), navigate)
      : value;
  replaceMethod(Element.prototype, 'setAttribute', (element, values, native) => {
    values[1] = allowed(element, values[0], values[1]);
    return native();
  });
  replaceMethod(Element.prototype, 'setAttributeNS', (element, values, native) => {
    values[2] = allowed(element, values[1], values[2]);
    return native();
  });
  for (const name of ['setAttributeNode', 'setAttributeNodeNS'])
    replaceMethod(Element.prototype, name, (element, [node], native) => {
      if (node instanceof Attr) node.value = String(allowed(element, node.localName, node.value));
      return native();
    });
  for (const name of ['removeAttribute', 'toggleAttribute'])
    replaceMethod(Element.prototype, name, (element, values, native) => {
      const isDocument = element instanceof HTMLIFrameElement && /^srcdoc$/i.test(String(values[0]));
      if (!isDocument) return native();
      setAttribute(element, 'srcdoc', ''); // without it, the frame would go to `src`
      return false;
    });
  replaceSetter(Attr.prototype, 'value', (node, value, set) =>
    set(allowed(node.ownerElement, node.localName, value)),
  );
  const constructors = globalThis as unknown as Record<string, { prototype: Element } | undefined>;
  for (const [attribute, ...setters] of ATTRIBUTES)
    for (const [of, property] of setters) {
      const prototype = constructors[of]?.prototype;
      if (prototype !== undefined)
        replaceSetter(prototype, property, (element, value, set) => set(allowed(element, attribute, value)));
    }
  watchRelations();
}

/** Refuses relations that are added to the list of a link. */
function watchRelations(): void {
  const lists = new WeakSet<object>();
  replaceGetter(HTMLLinkElement.prototype, 'relList', (_self, native) => {
    const list = native();
    lists.add(list);
    return list;
  });
  for (const name of ['add', 'toggle', 'replace'])
    replaceMethod(DOMTokenList.prototype, name, (list, values, native) =>
      lists.has(list as object) && values.some((value) => EAGER.test(String(value))) ? false : native(),
    );
  replaceSetter(DOMTokenList.prototype, 'value', (list, value, set) => {
    const words = String(value).split(/\s+/);
    set(lists.has(list) ? words.filter((each) => !EAGER.test(each)).join(' ') : value);
  });
}

/** Methods that insert nodes beside an element, by the position of `insertAdjacentHTML`. */
const POSITIONS = new Map([
  ['beforebegin', 'before'],
  ['afterbegin', 'prepend'],
  ['beforeend', 'append'],
  ['afterend', 'after'],
] as const);

/** Parses HTML that a script sets in a document that loads nothing, and inserts the changed nodes. */
function watchHtml(navigate: Navigate): void {
  const outside = document.implementation.createHTMLDocument();
  const addHtml = method(Element.prototype, 'insertAdjacentHTML');
  /** Returns the nodes of HTML inside of an element; null when nothing in it had to be changed. */
  const disarmed = (context: Element | null, html: unknown): Node[] | null => {
    if (!MAY_CONNECT.test(String(html))) return null;
    const parent = context === null ? outside.createElement('body') : outside.importNode(context, false);
    addHtml(parent, 'beforeend', String(html));
    return disarmTree(parent, navigate) ? [...parent.childNodes] : null;
  };
  replaceMethod(Element.prototype, 'insertAdjacentHTML', (element, [position, html], native) => {
    const name = POSITIONS.get(String(position).toLowerCase() as 'beforeend');
    if (!(element instanceof Element) || name === undefined) return native();
    const isBeside = name === 'before' || name === 'after';
    const nodes = disarmed(isBeside ? element.parentElement : element, html);
    if (nodes === null) return native();
    element[name](...nodes);
    return undefined;
  });
  for (const prototype of [Element.prototype, ShadowRoot.prototype])
    replaceSetter<Element | ShadowRoot>(prototype, 'innerHTML', (root, html, set) => {
      const isTemplate = root instanceof HTMLTemplateElement; // its content is checked when it is inserted
      const nodes = isTemplate ? null : disarmed(root instanceof Element ? root : null, html);
      if (nodes === null) set(html);
      else root.replaceChildren(...nodes);
    });
  replaceSetter(Element.prototype, 'outerHTML', (element, html, set) => {
    const nodes = disarmed(element.parentElement, html);
    if (nodes === null) set(html);
    else element.replaceWith(...nodes);
  });
  const watchText = (prototype: object, name: string): void => {
    if (Object.hasOwn(prototype, name))
      replaceMethod(prototype, name, (_self, values, native) => {
        const template = document.createElement('template');
        values.forEach((html, index) => {
          if (!MAY_CONNECT.test(String(html))) return;
          template.innerHTML = String(html);
          if (disarmTree(template.content, navigate)) values[index] = template.innerHTML;
        });
        return native();
      });
  };
  for (const name of ['write', 'writeln']) watchText(Document.prototype, name);
  for (const prototype of [Element.prototype, ShadowRoot.prototype]) watchText(prototype, 'setHTMLUnsafe');
}

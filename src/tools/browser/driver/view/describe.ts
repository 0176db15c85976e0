import {
  getAriaChecked,
  getAriaCheckedRoles,
  getAriaDisabled,
  getAriaExpanded,
  getAriaExpandedRoles,
  getAriaPressed,
  getAriaPressedRoles,
  getAriaRole,
  getAriaSelected,
  getAriaSelectedRoles,
  getElementAccessibleDescription,
  getElementAccessibleName,
} from 'ivya/utils';
import { isUrl } from '../../../../core/is-url.js';
import { collapse, cut, quote } from './quote.js';

/** Maximum characters of the name of an element. */
export const LONGEST_NAME = 300;
const LONGEST_VALUE = 8_000;
const MAX_OPTIONS = 60;

/** Returns the role of an element: its ARIA role, or a substitute where ARIA has none. Empty for a generic container. */
export function roleOf(element: Element): string {
  const role = getAriaRole(element);
  if (role && role !== 'none' && role !== 'presentation' && role !== 'generic') return role;
  switch (element.localName) {
    case 'iframe':
    case 'canvas':
    case 'video':
    case 'audio':
    case 'summary':
      return element.localName;
    case 'input':
      return element.getAttribute('type') === 'hidden' ? '' : 'textbox';
    default:
      return isEditingHost(element) ? 'textbox' : '';
  }
}

/** Returns whether an element is the outermost element of an editable region. */
export function isEditingHost(element: Element): boolean {
  return (
    element instanceof HTMLElement && element.isContentEditable && !element.parentElement?.isContentEditable
  );
}

export function nameOf(element: Element): string {
  const isHidden = element instanceof HTMLAreaElement; // browsers give it `display: none`
  // Icon fonts use private-use characters.
  return cut(collapse(getElementAccessibleName(element, isHidden).replace(/\p{Co}/gu, '')), LONGEST_NAME);
}

/** Returns states and values of an element: a word for each true state, `property: value` for each value. */
export function propertiesOf(element: Element, role: string, name: string): string[] {
  const found: string[] = [];
  const value = displayedValue(element, role);
  if (value) found.push(`value: ${value}`);
  if (getAriaCheckedRoles().includes(role)) found.push(...stateWords(getAriaChecked(element), 'checked'));
  if (getAriaPressedRoles().includes(role) && element.hasAttribute('aria-pressed'))
    found.push(...stateWords(getAriaPressed(element), 'pressed', 'unpressed'));
  if (getAriaSelectedRoles().includes(role) && getAriaSelected(element)) found.push('selected');
  if (getAriaExpandedRoles().includes(role)) {
    const expanded = getAriaExpanded(element);
    if (expanded !== 'none') found.push(...stateWords(expanded, 'expanded', 'collapsed'));
  }
  if (element instanceof HTMLElement && element.localName === 'summary')
    found.push(...stateWords(element.closest('details')?.open ?? false, 'expanded', 'collapsed'));
  if (getAriaDisabled(element)) found.push('disabled');
  const current = element.getAttribute('aria-current') ?? 'false';
  if (current !== 'false' && current !== '')
    found.push(current === 'true' ? 'current' : `current ${current}`);
  const target = linkTarget(element);
  if (target) found.push(`url: ${target}`);
  found.push(...fieldProperties(element, role, name), ...mediaWords(element));
  const description = collapse(getElementAccessibleDescription(element, false));
  if (description && description !== name)
    found.push(`description: ${quote(cut(description, LONGEST_NAME))}`);
  return found;
}

/** Maximum characters of the address of a link. */
const LONGEST_TARGET = 300;

/** Returns the address to which a link leads, without its origin if that is the origin of the page. Empty for a link that leads nowhere. */
function linkTarget(element: Element): string {
  if (!(element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement)) return '';
  const written = element.getAttribute('href')?.trim() ?? '';
  if (/^(#|$|(javascript|data|blob|about):)/i.test(written) || !isUrl(element.href)) return '';
  const { origin, href } = new URL(element.href);
  const page = location.protocol === 'about:' ? document.baseURI : location.href;
  const isOwn = origin !== 'null' && isUrl(page) && new URL(page).origin === origin;
  return cut(isOwn ? href.slice(origin.length) : href, LONGEST_TARGET);
}

function stateWords(state: boolean | 'mixed', yes: string, no = ''): string[] {
  const word = state === 'mixed' ? `${yes}: mixed` : state ? yes : no;
  return word === '' ? [] : [word];
}

function fieldProperties(element: Element, role: string, name: string): string[] {
  const found: string[] = [];
  if (element instanceof HTMLSelectElement) {
    found.push(`options: ${optionsText(element)}`);
    if (element.multiple) found.push('multiple');
  }
  if (element instanceof HTMLInputElement) {
    const format = FORMATS[element.type];
    if (format) found.push(`format: ${format}`);
    if (element.type === 'file') found.push('file');
    if (element.list) found.push(`options: ${datalistText(element.list)}`);
    if (format || element.type === 'number') found.push(...range(element.min, element.max));
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.required) found.push('required');
    if (element.readOnly && role !== 'slider') found.push('readonly');
    if (element.placeholder && element.placeholder !== name)
      found.push(`placeholder: ${quote(cut(collapse(element.placeholder), 100))}`);
  }
  if (element instanceof HTMLInputElement) {
    if (element.type === 'range') found.push(...range(element.min || '0', element.max || '100'));
  } else if (role === 'slider' || role === 'spinbutton')
    found.push(...range(element.getAttribute('aria-valuemin'), element.getAttribute('aria-valuemax')));
  return found;
}

function range(from: string | null, to: string | null): string[] {
  return [...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])];
}

/** Value formats of these input types. */
export const FORMATS: Readonly<Record<string, string>> = {
  date: 'yyyy-mm-dd',
  time: 'hh:mm',
  'datetime-local': 'yyyy-mm-ddThh:mm',
  month: 'yyyy-mm',
  week: 'yyyy-Www',
  color: '#rrggbb',
};

function displayedValue(element: Element, role: string): string {
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions].map((option) => quote(collapse(option.label))).join(', ');
  if (element instanceof HTMLInputElement) {
    if (['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(element.type)) return '';
    if (element.type === 'password')
      return element.value && quote('•'.repeat(Math.min(element.value.length, 50)));
    if (element.type === 'file') return [...(element.files ?? [])].map((file) => quote(file.name)).join(', ');
    return plainOrQuoted(element.value);
  }
  if (element instanceof HTMLTextAreaElement) return plainOrQuoted(cut(element.value, LONGEST_VALUE));
  if (element instanceof HTMLProgressElement)
    return element.position < 0 ? '' : `${element.value} of ${element.max}`;
  if (element instanceof HTMLMeterElement) return `${element.value} of ${element.max}`;
  if (isEditingHost(element))
    return plainOrQuoted(cut((element as HTMLElement).innerText.trim(), LONGEST_VALUE));
  if (['slider', 'spinbutton', 'progressbar', 'scrollbar', 'meter', 'separator'].includes(role))
    return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? '';
  return '';
}

function plainOrQuoted(value: string): string {
  return /^[\d.:-]+$/.test(value) ? value : value && quote(value);
}

function optionsText(select: HTMLSelectElement): string {
  const options = [...select.options].map(
    (option) => quote(cut(collapse(option.label), 100)) + (option.disabled ? ' (disabled)' : ''),
  );
  return listOptions(options);
}

function datalistText(datalist: HTMLDataListElement): string {
  return listOptions([...datalist.options].map((option) => quote(cut(option.value || option.label, 100))));
}

function listOptions(options: readonly string[]): string {
  const more = options.length - MAX_OPTIONS;
  return options.slice(0, MAX_OPTIONS).join(' | ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns the state of a player: `paused 0:12 of 2:05 muted`. */
function mediaWords(element: Element): string[] {
  if (!(element instanceof HTMLMediaElement)) return [];
  if (element.error) return ['(it cannot be played here)'];
  const state = element.ended ? 'ended' : element.paused ? 'paused' : 'playing';
  const length = Number.isFinite(element.duration) ? ` of ${formatDuration(element.duration)}` : '';
  const sound = element.muted ? ['muted'] : [];
  const volume = element.volume < 1 ? [`volume ${Math.round(element.volume * 100)}%`] : [];
  const use = element.controls
    ? ['(Space plays and pauses, m mutes, arrows seek and set the volume; type a time or a volume like 40%)']
    : [];
  return [state, `${formatDuration(element.currentTime)}${length}`, ...sound, ...volume, ...use];
}

/** Formats seconds as `1:05`, or `1:01:05`. */
function formatDuration(time: number): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const hours = Math.floor(time / 3600);
  const minutes = Math.floor((time % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(time % 60)}`;
}

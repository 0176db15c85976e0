import { valueSetter } from '../natives.js';
import { Refusal } from '../port.js';
import { isEditingHost, FORMATS } from '../view/describe.js';
import { closest } from '../view/dom.js';
import { quote } from '../view/quote.js';

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const setInput = valueSetter('HTMLInputElement');
const setArea = valueSetter('HTMLTextAreaElement');
const setSelect = valueSetter('HTMLSelectElement');

const PICKED = /^(checkbox|radio|button|submit|reset|file|image|hidden|range|color)$/;

export function isTextField(element: Element | null): element is TextField {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && !PICKED.test(element.type) && !(element.type in FORMATS))
  );
}

/** Returns whether an element accepts typed characters: a writable text field or an editable element. */
export function isEditable(element: Element | null): boolean {
  if (isTextField(element)) return !element.readOnly && !element.disabled;
  return element instanceof HTMLElement && element.isContentEditable;
}

/** Returns the element that a click on this element starts editing. */
export function editableOf(element: Element): Element | null {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  return (
    closest(element, isEditingHost) ??
    [...element.querySelectorAll('input, textarea')].find(isTextField) ??
    null
  );
}

/** Dispatches `input`, as after a change by the user. */
export function tellInput(element: Element): void {
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

export function tellChange(element: Element): void {
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Value of each field when it received the focus, or dispatched its last `change`. */
const committed = new WeakMap<Element, string>();

export function noteCommitted(field: TextField): void {
  committed.set(field, field.value);
}

/** Dispatches `change` if the value differs from that at the last one, as Enter and leaving a field do. Returns whether it did. */
export function commitField(field: TextField): boolean {
  const before = committed.get(field);
  if (before === undefined || before === field.value) return false;
  noteCommitted(field);
  tellChange(field);
  return true;
}

/** Sets a value with the native setter. Frameworks that watch the property learn of the change through the event. */
export function setValue(field: TextField | HTMLSelectElement, value: string): void {
  const set =
    field instanceof HTMLInputElement ? setInput : field instanceof HTMLTextAreaElement ? setArea : setSelect;
  set(field, value);
}

/**
 * Sets the value of a field that is picked instead of typed: date, time, color, slider.
 *
 * @throws Refusal if the field does not accept the value.
 */
export function pickValue(field: HTMLInputElement, text: string): void {
  const before = field.value;
  const wanted =
    field.type === 'color'
      ? normalizedColor(text)
      : field.type === 'range'
        ? text.trim()
        : normalizedDate(field.type, text);
  setValue(field, wanted);
  const accepted =
    field.type === 'range' ? isNumberText(wanted) : field.value !== '' && field.value === wanted;
  if (!accepted && wanted !== '') {
    setValue(field, before);
    const format = FORMATS[field.type] ?? 'a number';
    throw new Refusal(
      'unfit',
      `This ${field.type} field takes values like ${format}; ${quote(text)} is none.`,
    );
  }
  if (field.value === before) return;
  tellInput(field);
  tellChange(field);
}

function isNumberText(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text));
}

/** Converts `12/31/2026`, `31.12.2026` and `5:07 PM` to the value format of the field. */
function normalizedDate(type: string, text: string): string {
  const value = text.trim();
  if (type === 'time') {
    const [, hour = '', minute = '', half] = /^(\d{1,2}):(\d\d)\s*([ap]m)?$/i.exec(value) ?? [];
    if (!minute) return value;
    const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
    return `${String(hours).padStart(2, '0')}:${minute}`;
  }
  const [, first = '', sign, second = '', year = ''] =
    /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(value) ?? [];
  const [month, day] = sign === '.' ? [second, first] : [first, second];
  if (type === 'date' && year) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return type === 'datetime-local' ? value.replace(' ', 'T') : value;
}

function normalizedColor(text: string): string {
  const value = text.trim().toLowerCase();
  if (/^#[\da-f]{3}$/.test(value)) return value.replace(/[\da-f]/g, '$&$&');
  if (value.startsWith('#')) return value;
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return value;
  context.fillStyle = '#010203';
  context.fillStyle = value;
  return context.fillStyle === '#010203' ? value : context.fillStyle;
}

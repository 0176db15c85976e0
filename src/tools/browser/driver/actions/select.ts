import type { UploadedFile } from '../../protocol.js';
import { sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { nameOf, roleOf } from '../view/describe.js';
import { allElements } from '../view/dom.js';
import { collapse, cut, quote } from '../view/quote.js';
import { click } from './click.js';
import { isTextField, tellChange, tellInput } from './fields.js';
import { moveFocus } from './focus.js';
import type { Hands } from './hands.js';
import { describeElement, requireEnabled } from './reach.js';
import { type } from './type.js';

const OPTION_ROLES =
  /^(option|menuitem|menuitemradio|menuitemcheckbox|radio|treeitem|tab|button|listitem|gridcell)$/;

/** Selects options by their text or value. */
export async function select(hands: Hands, element: Element, options: readonly string[]): Promise<string> {
  requireEnabled(element);
  if (element instanceof HTMLSelectElement) return selectNative(element, options);
  for (const option of options) await selectMade(hands, element, option);
  return `Selected ${options.map(quote).join(', ')} in ${describeElement(element)}.`;
}

function selectNative(element: HTMLSelectElement, names: readonly string[]): string {
  if (!element.multiple && names.length > 1)
    throw new Refusal('unfit', `${describeElement(element)} takes one option only.`);
  const chosen = names.map((name) => {
    const option = findByName([...element.options], name, ({ label, value, text }) => [label, text, value]);
    if (!option)
      throw noOption(
        element,
        name,
        [...element.options].map(({ label }) => label),
      );
    if (option.disabled) throw new Refusal('disabled', `The option ${quote(option.label)} is disabled.`);
    return option;
  });
  moveFocus(element);
  const before = [...element.selectedOptions];
  for (const option of element.options) option.selected = chosen.includes(option);
  const after = [...element.selectedOptions];
  if (before.length !== after.length || before.some((option, index) => option !== after[index])) {
    tellInput(element);
    tellChange(element);
  }
  return `Selected ${chosen.map(({ label }) => quote(collapse(label))).join(', ')} in ${describeElement(element)}.`;
}

/** Selects an option in a custom list: opens the list if necessary and clicks the option when it appears. */
async function selectMade(hands: Hands, element: Element, name: string): Promise<void> {
  let option = findOption(element, name);
  if (!option) {
    const expanded = element.getAttribute('aria-expanded');
    if (expanded !== 'true') click(hands, element);
    option = await appearing(element, name);
  }
  if (!option && isTextField(element)) {
    type(hands, element, { text: name, clear: true });
    option = await appearing(element, name);
  }
  if (!option) throw noOption(element, name, optionsOf(element).map(optionLabel));
  click(hands, option);
}

async function appearing(element: Element, name: string): Promise<Element | null> {
  for (let time = 0; time < 10; time++) {
    const option = findOption(element, name);
    if (option) return option;
    await sleep(100);
  }
  return null;
}

function findOption(element: Element, name: string): Element | null {
  return findByName(optionsOf(element), name, (option) => [
    optionLabel(option),
    option.getAttribute('data-value') ?? '',
  ]);
}

/** Returns the options that an element controls or contains. Otherwise, returns visible options elsewhere in the page. */
function optionsOf(element: Element): Element[] {
  const ids =
    `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`.split(/\s+/);
  const root = element.getRootNode() as Document | ShadowRoot;
  const lists = ids.flatMap((id) => (id ? (root.getElementById(id) ?? []) : []));
  const near = [element, ...lists].flatMap(optionsIn);
  return near.length > 0 ? near : optionsIn(document.body).filter((option) => isListOption(option, element));
}

function optionsIn(root: Element): Element[] {
  const trees = root.shadowRoot ? [root, root.shadowRoot] : [root];
  return trees
    .flatMap((tree) => [...allElements(tree)])
    .filter(
      (option) => OPTION_ROLES.test(roleOf(option)) && option.checkVisibility({ visibilityProperty: true }),
    );
}

function isListOption(option: Element, element: Element): boolean {
  return (
    /^(option|menuitem|menuitemradio|menuitemcheckbox|treeitem|listitem)$/.test(roleOf(option)) &&
    option !== element
  );
}

function optionLabel(element: Element): string {
  return nameOf(element) || cut(collapse(element.textContent), 200);
}

/** Finds an option by its exact text, then case-insensitively, then by prefix if only one option matches. */
function findByName<Option>(
  options: readonly Option[],
  name: string,
  labels: (option: Option) => string[],
): Option | null {
  const wanted = collapse(name).toLowerCase();
  const exact = options.find((option) => labels(option).some((label) => collapse(label) === collapse(name)));
  if (exact) return exact;
  const same = options.find((option) =>
    labels(option).some((label) => collapse(label).toLowerCase() === wanted),
  );
  if (same) return same;
  const begins = options.filter((option) =>
    labels(option).some((label) => wanted && collapse(label).toLowerCase().startsWith(wanted)),
  );
  return begins.length === 1 ? (begins[0] ?? null) : null;
}

function noOption(element: Element, name: string, there: readonly string[]): Refusal {
  const list =
    there.length > 0
      ? ` It has: ${there
          .slice(0, 30)
          .map((label) => quote(collapse(label)))
          .join(', ')}.`
      : '';
  return new Refusal('no-option', `${describeElement(element)} has no option ${quote(name)}.${list}`);
}

/** Sets the files of a file field. If there is no file field, drops them on the element. */
export function upload(given: Element, files: readonly UploadedFile[]): string {
  const element = fieldOf(given);
  const data = new DataTransfer();
  for (const { name, type, bytes } of files) data.items.add(new File([bytes], name, { type }));
  const names = files.map(({ name }) => name).join(', ');
  if (!element) {
    for (const type of ['dragenter', 'dragover', 'drop'])
      given.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer: data }),
      );
    return `Dropped ${names} on ${describeElement(given)}.`;
  }
  requireEnabled(element);
  if (files.length > 1 && !element.multiple)
    throw new Refusal('unfit', `${describeElement(element)} takes one file only.`);
  element.files = data.files;
  tellInput(element);
  tellChange(element);
  return `Gave ${names} to ${describeElement(element)}.`;
}

function fieldOf(element: Element): HTMLInputElement | null {
  const candidates = [
    element,
    element instanceof HTMLLabelElement ? element.control : null,
    element.querySelector('input[type=file]'),
    element.localName === 'button'
      ? (element.parentElement?.querySelector('input[type=file]') ?? null)
      : null,
  ];
  for (const field of candidates)
    if (field instanceof HTMLInputElement && field.type === 'file') return field;
  return null;
}

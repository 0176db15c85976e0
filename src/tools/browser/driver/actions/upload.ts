import type { UploadedFile } from '../../protocol.js';
import { Refusal } from '../port.js';
import { tellChange, tellInput } from './fields.js';
import { describeElement, requireEnabled } from './reach.js';

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

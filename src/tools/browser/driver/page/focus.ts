import { takeEdited } from '../actions/edit-by-hand.js';
import { commitField, isTextField } from '../actions/fields.js';
import { firstStop, isFocusable, tellFocus } from '../actions/focus.js';
import { markFocused } from '../actions/state-style.js';
import { isWebKit, listen, replaceGetter, replaceMethod } from '../natives.js';
import { contains } from '../view/dom.js';

/** Element that has the focus while the browser gives the frame none. */
let focused: HTMLElement | null = null;

/** Returns whether an element has the focus of this page, and not of the browser. */
export function hasSuppliedFocus(element: Element): boolean {
  return element === focused;
}

/**
 * Gives the page a focus of its own in WebKit. WebKit ignores `focus()` in a frame of another origin until the user clicks into it. The page
 * then has an `activeElement`, receives the events of focus, and its rules with `:focus` apply.
 */
export function giveFocus(): void {
  if (!isWebKit()) return;
  const nativeFocus = replaceGetter(Document.prototype, 'activeElement', (self, native) => {
    const active = native();
    return active === null || active === document.body ? (focusIn(self) ?? active) : active;
  });
  replaceGetter(ShadowRoot.prototype, 'activeElement', (self, native) => native() ?? focusIn(self));
  replaceMethod(HTMLElement.prototype, 'focus', (element, _values, native) => {
    native();
    const active = nativeFocus(document);
    if (active !== null && active !== document.body) focused = null;
    else if (element instanceof HTMLElement && canFocus(element)) changeFocus(element);
  });
  replaceMethod(HTMLElement.prototype, 'blur', (element, _values, native) => {
    native();
    if (element === focusedElement()) changeFocus(null);
  });
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement])
    replaceMethod(prototype, 'select', (field, _values, native) => {
      native();
      (field as HTMLInputElement).focus();
    });
  replaceMethod(HTMLDialogElement.prototype, 'showModal', (dialog, _values, native) => {
    native();
    firstStop(dialog as HTMLDialogElement)?.focus();
  });
  // The user clicked into the frame: the browser's own focus applies from now on.
  listen(
    window,
    'focus',
    (event) => {
      if (event.isTrusted) focused = null;
    },
    true,
  );
  listen(window, 'click', focusLabelled);
}

/** Returns the element with the supplied focus. An element that is not shown any more has none. */
function focusedElement(): HTMLElement | null {
  return focused?.isConnected && focused.checkVisibility({ visibilityProperty: true }) ? focused : null;
}

function focusIn(root: unknown): Element | null {
  for (let node: Element | null = focusedElement(); node !== null;) {
    const own = node.getRootNode();
    if (own === root) return node;
    node = own instanceof ShadowRoot ? own.host : null;
  }
  return null;
}

function canFocus(element: HTMLElement): boolean {
  return (
    isFocusable(element) &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert]') === null
  );
}

function changeFocus(element: HTMLElement | null): void {
  const before = focusedElement();
  if (before === element) return;
  if (before !== null) {
    if (isTextField(before) && takeEdited(before)) commitField(before);
    focused = null;
    markFocused(null, before);
    tellFocus(before, ['blur', 'focusout'], element);
    if (focusedElement() !== null) return; // A handler moved the focus elsewhere.
  }
  focused = element;
  if (element === null) return;
  markFocused(element, before);
  const selection = getSelection();
  if (element.isContentEditable && !contains(element, selection?.anchorNode ?? null))
    selection?.collapse(element, 0);
  tellFocus(element, ['focus', 'focusin'], before);
}

/** Focuses the field of a clicked label, as the browser does. */
function focusLabelled(event: Event): void {
  const [target] = event.composedPath();
  const label = target instanceof Element ? target.closest('label') : null;
  if (!event.defaultPrevented && label?.control && !contains(label.control, target as Element))
    label.control.focus();
}

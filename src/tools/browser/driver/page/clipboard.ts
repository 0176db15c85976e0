import { replaceMethod } from '../natives.js';

/** Copies and pastes as a user does with the keyboard. */
export interface Copying {
  copy(isCut: boolean): void;
  paste(): void;
  /** Text copied last. */
  clipboard: string;
}

/**
 * Gives the page its own clipboard. A page without an origin may not access the user's clipboard. Its clipboard holds what was copied in it
 * with keys, `navigator.clipboard` or `execCommand`.
 */
export function giveClipboard(hands: Copying): void {
  const clipboard = {
    writeText: (text: unknown) => {
      hands.clipboard = String(text);
      return Promise.resolve();
    },
    readText: () => Promise.resolve(hands.clipboard),
    write: async (items: readonly ClipboardItem[]) => {
      for (const item of items)
        if (item.types.includes('text/plain'))
          hands.clipboard = await (await item.getType('text/plain')).text();
    },
    read: () =>
      Promise.resolve([
        new ClipboardItem({ 'text/plain': new Blob([hands.clipboard], { type: 'text/plain' }) }),
      ]),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  replaceMethod(Document.prototype, 'execCommand', (_document, [command], native) => {
    const name = String(command).toLowerCase();
    if (name === 'copy' || name === 'cut') hands.copy(name === 'cut');
    else if (name === 'paste') hands.paste();
    else return native();
    return true;
  });
}

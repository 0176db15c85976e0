import { Keyboard } from './keyboard.js';
import { Mouse } from './mouse.js';

/** What the driver acts with. */
export interface Hands {
  mouse: Mouse;
  keyboard: Keyboard;
  isMac: boolean;
}

export function makeHands(isMac: boolean | undefined): Hands {
  return {
    mouse: new Mouse(),
    keyboard: new Keyboard(),
    isMac: isMac ?? /^Mac/.test(navigator.platform),
  };
}

/** What was done, in one sentence; `note` is what the model has to know of it and may not see. */
export type Done = string | { said: string; note: string };

import { Keyboard } from './keyboard.js';
import { Mouse } from './mouse.js';

/** Input devices of the driver. */
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

/** Description of an action in one sentence. `note` is a fact that the model must know and may not see on the page. */
export type Done = string | { report: string; note: string };

import type { State } from '../state/app-state.js';
import { en, type DialogTexts } from './dialogs/en.js';
import { zh } from './dialogs/zh.js';
import type { Language } from './index.js';

export type { DialogTexts } from './dialogs/en.js';

const texts: Record<Language, DialogTexts> = { en, zh };

/** The texts of the dialogs in the user's language. They are loaded with the dialogs. */
export function dialogTexts({ preferences }: Pick<State, 'preferences'>): DialogTexts {
  return texts[preferences.language];
}

import type { State } from '../state/app-state.js';
import type { Language } from './index.js';
import { en, type PartTexts } from './parts/en.js';
import { zh } from './parts/zh.js';

export type { PartTexts } from './parts/en.js';

const texts: Record<Language, PartTexts> = { en, zh };

/** The texts of the parts under "More" in the user's language. They are loaded with these parts. */
export function partTexts({ preferences }: Pick<State, 'preferences'>): PartTexts {
  return texts[preferences.language];
}

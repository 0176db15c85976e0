// @ts-check
import { CHOICES, DEFAULTS } from './options.mjs';

/** @typedef {import('./options.mjs').Options} Options */
/** @typedef {Pick<import('node:readline/promises').Interface, 'question'>} Questions */

/**
 * Asks for what the arguments do not say.
 * @param {Partial<Options>} given
 * @param {Questions} lines
 * @param {(line: string) => void} print
 * @returns {Promise<Options>}
 */
export async function complete(given, lines, print) {
  const folder =
    given.folder ?? ((await lines.question(`Folder (${DEFAULTS.folder}): `)).trim() || DEFAULTS.folder);
  const template = given.template ?? (await choose(lines, print, 'Framework', CHOICES.template));
  const model = given.model ?? (await choose(lines, print, 'Model', CHOICES.model));
  return { ...DEFAULTS, ...given, folder, template, model };
}

/**
 * Asks until the answer is one of the choices, by number or name; the first one is the default.
 * @template {string} Name
 * @param {Questions} lines
 * @param {(line: string) => void} print
 * @param {string} title
 * @param {Readonly<Record<Name, string>>} choices
 */
async function choose(lines, print, title, choices) {
  const names = /** @type {Name[]} */ (Object.keys(choices));
  names.forEach((name, index) => print(`  ${index + 1}. ${name}: ${choices[name]}`));
  for (;;) {
    const answer = (await lines.question(`${title} (1): `)).trim() || '1';
    const chosen = names.find((name, index) => answer === name || answer === String(index + 1));
    if (chosen !== undefined) return chosen;
    print(`${answer} is not one of them. Type a number from 1 to ${names.length}.`);
  }
}

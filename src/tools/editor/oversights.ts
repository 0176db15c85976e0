/** What a model may have overlooked in a whole file that it has written: comments in place of content, and names that others use. */
import { clipEnd } from './line-window.js';

/** Returns sentences about a written file, each after a line break. `before` is empty for a new file. */
export function oversights(path: string, before: string, after: string): string[] {
  return [placeholderNote(path, before, after), before === '' ? '' : lostNames(path, before, after)];
}

/** A comment in place of what is to be there: `<!-- Your content here -->`, `// ... existing code ...`. */
const PLACEHOLDER =
  /^[ \t]*(?:\/\/|#|\/\*|<!--|--|;|%)[ \t]*(?:(?:\.{3}|…).*|.*\b(?:your|add|put|insert|write|more)\b.{0,60}\bhere\b.*|.*\b(?:rest of|remaining|existing|previous|other)\b.{0,30}\b(?:code|content|file|functions?|lines?|styles?|rules)\b.*)$/gimu;
/** Files in which such lines are headings or prose. */
const IS_PROSE = /\.(?:md|markdown|txt|csv)$/iu;
/** Maximum characters of a line that is quoted. */
const MAX_QUOTED = 100;

/** Names a line that a model has written in place of what is to be there. Those that the file had before are left out. */
function placeholderNote(path: string, before: string, after: string): string {
  if (IS_PROSE.test(path)) return '';
  const line = (after.match(PLACEHOLDER) ?? []).find((each) => !before.includes(each.trim()));
  if (line === undefined) return '';
  return `\nIt has a placeholder: ${clipEnd(line.trim(), MAX_QUOTED)}. The file has only what you write: write it again with the whole content, unless that line is meant.`;
}

/** Maximum number of names that are named. */
const MAX_LOST = 10;

/** What other modules can use of a module, by the extension of its file. */
const OFFERED: readonly (readonly [extension: RegExp, names: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/iu,
    /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|class|const|let|var|interface|type|enum)\s*([\p{L}\p{N}_$]+)/gmu,
  ],
  [/\.py$/iu, /^(?:async\s+)?(?:def|class)\s+([\p{L}\p{N}_]+)/gmu],
];

/** A list of exports, which is not read. */
const EXPORT_LIST = /^export\s*(?:type\s*)?\{/mu;

/** Names what a replaced module does not offer any more: whole files that a model writes lack functions that it did not mean to remove. */
function lostNames(path: string, before: string, after: string): string {
  const names = OFFERED.find(([extension]) => extension.test(path))?.[1];
  if (names === undefined || EXPORT_LIST.test(after)) return '';
  const namesIn = (text: string): string[] => Array.from(text.matchAll(names), ([, name = '']) => name);
  const left = new Set(namesIn(after));
  const lost = [...new Set(namesIn(before))].filter((name) => !left.has(name));
  if (lost.length === 0) return '';
  const shown = lost.slice(0, MAX_LOST).join(', ');
  return `\nOther files cannot use these of it any more: ${shown}. If that was not meant, write the file again with them.`;
}

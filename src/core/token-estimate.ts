import { estimateTokenCount } from 'tokenx';

/** Class of a character code below 128: part of a word, of whitespace, or of punctuation. */
const WORD_CLASS = 0;
const BLANK_CLASS = 1;
const PUNCTUATION_CLASS = 2;
const CHARACTER_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return BLANK_CLASS;
  return /[.,!?;(){}[\]<>:/\\|@#$%^&*+=`~_"-]/.test(character) ? PUNCTUATION_CLASS : WORD_CLASS;
});

const SMALL_A = 97;
const SMALL_Z = 122;
const ZERO = 48;
const NINE = 57;
const BREAK = 10;

/**
 * Estimates how many tokens a text takes for any model, with the result of `tokenx`. That package splits texts with regular expressions.
 * Every message and reply is counted, and nearly all are plain ASCII. ASCII texts are therefore counted here in one pass, by the same
 * rules.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before = WORD_CLASS;
  for (let at = 0; at < text.length;) {
    const start = at;
    const kind = CHARACTER_CLASSES[text.charCodeAt(at)];
    if (kind === undefined) return estimateTokenCount(text);
    let small = 0;
    let digits = 0;
    let firstBreak = Infinity;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (CHARACTER_CLASSES[code] !== kind) break;
      if (code >= SMALL_A && code <= SMALL_Z) small++;
      else if (code >= ZERO && code <= NINE) digits++;
      else if (code === BREAK && firstBreak > at) firstBreak = at;
    }
    const length = at - start;
    if (kind === BLANK_CLASS) {
      // Indentation, an empty line, and a line break after a word take one token. Other whitespace counts with the following word.
      if (firstBreak < at - 1 || (before === WORD_CLASS && firstBreak < at)) tokens++;
    } else if (length <= 3) tokens++;
    else if (kind === PUNCTUATION_CLASS) tokens += Math.ceil(length / 6);
    // Numbers take more tokens, and short lower-case words take one.
    else tokens += Math.ceil(length / (digits === length ? 3 : small === length && length <= 8 ? 8 : 7));
    before = kind;
  }
  return tokens;
}

import { lazy } from '../../core/lazy.js';
import { find } from './find.js';
import { LIMITS } from './limits.js';
import { parametersAt } from './native-calls.js';
import { scanJson } from '../json/scanner.js';
import { scanStrictly } from '../json/strict.js';

/** The text around the thoughts of a family of models, in lower case. A tag may have attributes. */
interface ThoughtMarker {
  open: string;
  close: readonly string[];
  /** Also closes a thought whose opening is part of the prompt: everything before it is thought. */
  closesAlone?: true;
  /** Users may read it in an answer: it is a thought only in a reply with commands. */
  isText?: true;
  /** Words that count only at the start of a reply, before text of this form. */
  before?: RegExp;
}

const THOUGHT_TAGS = 'think thinking thought thoughts reasoning reason reflection analysis scratchpad thought_process seed:think'; // prettier-ignore
const HARMONY = ['<|end|>', '<|channel|>final', '<|channel|>commentary'];

/** The markers of all families: a new one is a line. */
const THOUGHT_MARKERS: readonly ThoughtMarker[] = [
  ...THOUGHT_TAGS.split(' ').map((name): ThoughtMarker => ({ open: `<${name}>`, close: [`</${name}>`], closesAlone: true })), // prettier-ignore
  { open: '[think]', close: ['[/think]'], closesAlone: true },
  { open: '◁think▷', close: ['◁/think▷'], closesAlone: true },
  { open: '<|begin_of_thought|>', close: ['<|end_of_thought|>'], closesAlone: true },
  { open: '<|start_thinking|>', close: ['<|end_thinking|>'], closesAlone: true },
  { open: '<|channel>thought', close: ['<channel|>'], closesAlone: true },
  { open: '<|channel|>analysis', close: HARMONY },
  { open: '```thinking', close: ['\n```'], isText: true },
  { open: '```thought', close: ['\n```'], isText: true },
  { open: '<details>', close: ['</details>'], isText: true },
  { open: 'thinking process:', close: ['</think>'], isText: true, before: /^/ },
  { open: "here's a thinking process", close: ['</think>'], isText: true, before: /^/ },
  // cspell:ignore assistantfinal assistantcommentary
  { open: 'analysis', close: ['assistantfinal', 'assistantcommentary'], isText: true, before: /^[A-Z"'[{(]/ },
  { open: 'thought', close: [], isText: true, before: /^\s*\n/ },
];
/** Characters of a marker that text before it may contain. */
export const MAX_MARKER = 24;

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
const anyLiteral = (texts: readonly string[]): string => texts.map(literal).join('|');
const opener = ({ open }: ThoughtMarker): string =>
  literal(open).replace(/^(<[a-z_:]+)>$/, String.raw`$1(?:\s[^<>]{0,80})?>`);
const withoutAttributes = (opening: string): string =>
  opening.toLowerCase().replace(/^(<[a-z_:]+)\s[^<>]{0,80}/, '$1');
const MARKERS = THOUGHT_MARKERS.map((marker) => ({
  ...marker,
  closing: lazy(() => new RegExp(anyLiteral(marker.close) || '$^', 'gi')),
}));
const MARKED = MARKERS.filter(({ before }) => before === undefined);
const WORD_MARKERS = MARKERS.filter(({ before }) => before !== undefined);
/** A text that begins with another letter than these markers. */
const OTHER_WORD = lazy(
  () => new RegExp(`^[\\s#*_]{0,16}[^\\s#*_${WORD_MARKERS.map(({ open }) => open[0]).join('')}]`, 'i'),
);
const CLOSING = MARKED.flatMap(({ close, closesAlone }) => (closesAlone ? close : []));
const STARTS_OF_CLOSING = new Set(
  CLOSING.flatMap((close) => Array.from(close, (_, end) => close.slice(0, end))),
);
const ALONE = anyLiteral(CLOSING);
/** An opening marker outside of quotes, or a closing one that is no part of a sentence: a line break or the start of an answer is beside it. */
const MARKER = lazy(
  () =>
    new RegExp(
      String.raw`(?<![\w"'\x60])(?:${MARKED.map(opener).join('|')})|^[ \t]{0,16}(${ALONE})|(${ALONE})(?=[ \t]{0,16}(?:\r?\n|[[{]|\x60\x60\x60|<tool_call|$))`,
      'gim',
    ),
);
const ANY_CLOSER = lazy(() => new RegExp(ALONE, 'gi'));
export const JSON_START =
  /[[［]\s*(?:[\]{｛["'“［]|\/\/|\/\*)|[{｛]\s*(?:[{｛}"'“]|\/\/|[A-Za-z_]\w{0,63}\s*[:：])/g;

const PARAMETER_TAG = /<parameter[\s=]|<arg_value>/g;

/** The thought that a text begins without a marker: where it starts, and its closing; undefined for none, null when more text decides. */
export function thoughtInWords(text: string): { start: number; closing: RegExp } | undefined | null {
  if (OTHER_WORD().test(text)) return undefined;
  const lead = /^[\s#*_]{0,16}/.exec(text)?.[0].length ?? 0;
  const start = text.slice(lead, lead + 2 * MAX_MARKER);
  const lower = start.toLowerCase();
  let mayOpen = false;
  for (const { open, before, closing } of WORD_MARKERS) {
    if (lower.startsWith(open) && before?.test(start.slice(open.length)))
      return { start: lead + open.length, closing: closing() };
    mayOpen ||= open.startsWith(lower);
  }
  return mayOpen ? null : undefined;
}

/** The closing marker of the thought that a marker opens; undefined for other text, null when more text decides. */
export function thoughtClosing(text: string, isAnswer: boolean): RegExp | undefined | null {
  const held = text.startsWith('<') ? withoutAttributes(text) : text.toLowerCase();
  let mayOpen = false;
  for (const { open, isText, closing } of MARKED) {
    if (!open.startsWith(held) || (isAnswer && isText)) continue;
    if (open === held) return closing();
    mayOpen = true;
  }
  return mayOpen ? null : undefined;
}

/** Whether a text is a closing marker; null when more text decides. */
export function isClosingMarker(text: string): boolean | null {
  const held = text.toLowerCase();
  return CLOSING.includes(held) || (STARTS_OF_CLOSING.has(held) ? null : false);
}

/** Returns whether a text contains the closing marker of a thought, which may begin before the text. */
export function closesThought(text: string): boolean {
  return find(ANY_CLOSER(), text, 0) < text.length;
}

/**
 * Removes what a model thinks aloud: all thoughts, and everything before a closing marker without an opening one. A thought without an end
 * runs to the end of the reply, except for valid JSON that is the only one in it and ends it. Never throws.
 */
export function withoutThinking(reply: string, isAnswer = false): string {
  const missing = new Set<RegExp>();
  const endOf = (pattern: RegExp, from: number): number => {
    if (missing.has(pattern)) return -1;
    pattern.lastIndex = from;
    const found = pattern.exec(reply);
    if (found === null) missing.add(pattern);
    return found === null ? -1 : pattern.lastIndex;
  };
  const call = { start: -1, end: 0 }; // a file in its parameters may contain markers
  const places = { tried: 0, next: -1 };
  let result = '';
  let at = 0;
  const words = isAnswer ? null : thoughtInWords(reply);
  if (words) {
    at = endOf(words.closing, words.start);
    if (at < 0) return finalJson(reply.slice(words.start));
  }
  for (;;) {
    const pattern = MARKER();
    pattern.lastIndex = at;
    const found = pattern.exec(reply);
    if (found === null) return result + reply.slice(at);
    const { index, 0: text } = found;
    const end = index + text.length;
    const closes = (found[1] ?? found[2]) !== undefined;
    const opening = withoutAttributes(text);
    const marker = closes ? undefined : MARKED.find(({ open }) => open === opening);
    const json = endOfJson(reply, at, index, closes, places);
    while (call.start < index && call.end <= index) {
      call.start = find(PARAMETER_TAG, reply, Math.max(at, call.end));
      const { end: endOfCall, isCut } = parametersAt(reply, call.start);
      call.end = endOfCall;
      if (isCut) call.start = reply.length;
    }
    const inside = Math.max(call.start < index ? call.end : 0, json);
    const isText = isAnswer && !closes && (marker?.isText || !isLineStart(reply, index));
    if (inside > 0 || isText) {
      result += reply.slice(at, Math.max(inside, end));
      at = Math.max(inside, end);
    } else if (closes) {
      if (reply.slice(end).trim() === '') return result + reply.slice(at, index);
      result = '';
      at = end;
    } else {
      result += reply.slice(at, index);
      at = marker === undefined ? -1 : endOf(marker.closing(), end);
      if (at < 0 && marker?.closesAlone) at = endOf(ANY_CLOSER(), end);
      if (at < 0) return result + finalJson(reply.slice(end));
    }
  }
}

function isLineStart(text: string, index: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(`${index > 16 ? '|' : ''}${text.slice(Math.max(0, index - 16), index)}`);
}

/** Index after the JSON that starts at or after `from` and contains the marker at `index`; 0 when none does. */
function endOfJson(
  text: string,
  from: number,
  index: number,
  closes: boolean,
  places: { tried: number; next: number },
): number {
  if (places.next < from) places.next = find(JSON_START, text, from);
  while (places.next < index && places.tried++ < LIMITS.unclosed) {
    const at = places.next;
    const strict = scanStrictly(text.slice(at));
    const json = strict === null && !closes ? scanJson(text, at) : null;
    const end = strict === null ? (json?.isClosed ? json.end : 0) : at + strict.end;
    if (end > index) return end;
    places.next = find(JSON_START, text, Math.max(end, at + 1));
  }
  return 0;
}

/** The JSON that ends an unfinished thought, with what follows it; empty when it has none or several. */
function finalJson(thought: string): string {
  const start = find(JSON_START, thought, 0);
  const found = start < thought.length ? scanStrictly(thought.slice(start)) : null;
  const rest = thought.slice(start + (found?.end ?? 0));
  return found?.isClosed && /^\s*(?:```\s*|<[|/｜][^<>]{1,40}>\s*)*$/.test(rest) ? thought.slice(start) : '';
}

import { endCutOffJson } from './cut-off-json.js';
import { scanLeniently } from './lenient-scan.js';
import { readToolTags } from './tool-call-tags.js';

/** So many places of a reply are tried. */
const MAX_BLOCKS = 16;

/** A part of a reply that may be its commands. */
export interface JsonBlock {
  text: string;
  /** What the reply says before it. */
  before: string;
  /** It was put together from tags and is not a part of the reply as it stands. */
  rewritten: boolean;
}

/**
 * The parts of a reply that may be JSON, the likeliest first: the reply itself when it starts with a bracket, fenced blocks in order,
 * tool-call tags, any bracket that looks like JSON. Fences inside strings do not count; closing fences may be missing or stand anywhere.
 */
export function* jsonBlocks(reply: string): Generator<JsonBlock> {
  const text = withoutThinking(reply);
  const first = text.search(/\S/);
  if (first >= 0 && OPENER.test(text.charAt(first))) yield blockAt(text, first, first).block;
  yield* fencedBlocks(text);
  const tags = readToolTags(text);
  if (tags !== null && tags.start < nextJson(text, 0)) {
    yield { text: JSON.stringify(tags.calls), before: saidBefore(text, tags.start), rewritten: true };
  }
  let at = nextJson(text, 0);
  for (let tried = 0; at < text.length && tried < MAX_BLOCKS; tried++) {
    const { block, end } = blockAt(text, at, at);
    if (!isCheckbox(text, at, end)) yield block;
    at = nextJson(text, Math.max(end, at + 1));
  }
}

const OPENER = /[[{［｛]/;
const FENCE = /^[ \t>]{0,16}```+[ \t]*([\w+-]*)/gm;
const LOOKS_LIKE_JSON =
  /[[［]\s*(?:[\]{｛["'“［]|\/\/|\/\*)|[{｛]\s*(?:[{｛}"'“]|\/\/|[A-Za-z_]\w{0,63}\s*[:：])/y;

/** Every fence at the start of a line: such a line cannot be inside a well-formed JSON string. */
function* fencedBlocks(text: string): Generator<JsonBlock> {
  let from = 0;
  for (let tried = 0; tried < MAX_BLOCKS;) {
    FENCE.lastIndex = from;
    const fence = FENCE.exec(text);
    if (fence === null) return;
    const body = FENCE.lastIndex;
    const close = closingFence(text, body);
    const labelled = /^json/i.test(fence[1] ?? '');
    const start = labelled ? firstOpener(text, body, close) : nextJson(text, body, close);
    if (start >= close) {
      from = close; // which may open the next block
      continue;
    }
    tried++;
    const whole = blockAt(text, fence.index, start);
    const cut: JsonBlock = { ...whole.block, text: text.slice(start, close).trimEnd() };
    // A string that never ends must not swallow what the reply says after the fence.
    yield whole.closed ? whole.block : cut;
    from = whole.closed ? Math.max(whole.end, body) : close;
    const rest = closingFence(text, from);
    if (rest < text.length && text.slice(from, rest).trim() === '') from = rest + 3;
  }
}

function closingFence(text: string, from: number): number {
  const close = text.indexOf('\n```', from);
  return close < 0 ? text.length : close + 1;
}

function firstOpener(text: string, from: number, until: number): number {
  let at = from;
  while (at < until && !OPENER.test(text.charAt(at))) at++;
  return at;
}

/** The next bracket that looks like the start of JSON rather than of `[1]`, `[x](link)` or `{name}`. */
function nextJson(text: string, from: number, until = text.length): number {
  for (let at = from; at < until; at++) {
    if (!OPENER.test(text.charAt(at))) continue;
    LOOKS_LIKE_JSON.lastIndex = at;
    if (LOOKS_LIKE_JSON.test(text)) return at;
  }
  return until;
}

/** The value that starts at a place: exactly when it is valid, else by the lenient reading. `from` is where its fence starts. */
function blockAt(
  text: string,
  from: number,
  start: number,
): { block: JsonBlock; end: number; closed: boolean } {
  const before = saidBefore(text, from);
  const strict = strictEnd(text, start);
  if (strict > start && isJson(text.slice(start, strict)) && !GOES_ON.test(text.slice(strict, strict + 64))) {
    return {
      block: { text: text.slice(start, strict), before, rewritten: false },
      end: strict,
      closed: true,
    };
  }
  if (strict === 0 && endCutOffJson(text.slice(start)) !== null) {
    return { block: { text: text.slice(start), before, rewritten: false }, end: text.length, closed: false };
  }
  const { end, closed } = scanLeniently(text, start);
  return { block: { text: text.slice(start, end), before, rewritten: false }, end, closed };
}

/** After a valid value: more of the same block, as in `{…},\n{…}\n]`. */
const GOES_ON = /^\s*(?:,?\s*[{[\]}]|<\/(\w+)>\s*<\1>)/;

/** Where the brackets opened at `start` are all closed; 0 when they never are. */
function strictEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      at++;
      while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `- [ ] item` is no list of commands; an empty list is one when it has its line for itself. */
function isCheckbox(text: string, start: number, end: number): boolean {
  if (!/^\[\s*\]$/.test(text.slice(start, end))) return false;
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const after = text.slice(end).split('\n', 1)[0] ?? '';
  return before.trim() !== '' || after.trim() !== '';
}

/** What a reply says before its commands, without fences and the tags of tool calls. */
function saidBefore(text: string, end: number): string {
  return text
    .slice(0, end)
    .replace(/^[ \t]{0,16}```+[ \t]*[\w+-]*[ \t]*$/gm, '')
    .trimEnd()
    .replace(
      /(?:```+[ \t]*[\w+-]*|<(?:tool_calls?|function_calls?|tools?|tool_use)>|<\|python_tag\|>|\[TOOL_CALLS\])$/i,
      '',
    )
    .trim();
}

const THINK_OPEN = /<(think|thinking|thought|reasoning)>/gi;
/** Not in a JSON string: a raw line break or the start of an answer is next to it. */
const THINK_CLOSE_ALONE =
  /^[ \t]{0,16}<\/(?:think|thinking|thought|reasoning)>|<\/(?:think|thinking|thought|reasoning)>(?=[ \t]{0,16}(?:\r?\n|[[{]|```|<tool_call|$))/im;

/**
 * The reply without what a model thinks aloud: `<think>…</think>` at the start of a line, everything before a closing tag whose opening
 * one was part of the prompt, and the tag alone when it is never closed.
 */
export function withoutThinking(reply: string): string {
  const lower = reply.toLowerCase();
  let text = reply;
  const alone = THINK_CLOSE_ALONE.exec(reply);
  THINK_OPEN.lastIndex = 0;
  const opened = THINK_OPEN.exec(reply);
  if (alone !== null && (opened === null || opened.index > alone.index)) {
    if (isInsideJson(reply, alone.index)) return reply;
    text = reply.slice(alone.index + alone[0].length);
    return text.toLowerCase().includes('<think') ? withoutThinking(text) : text;
  }
  if (opened === null || !isAtLineStart(reply, opened.index)) return text;
  const tag = (opened[1] ?? '').toLowerCase();
  const close = lower.indexOf(`</${tag}>`, opened.index);
  const before = reply.slice(0, opened.index);
  if (close < 0) return before + reply.slice(opened.index + opened[0].length);
  return before + reply.slice(close + tag.length + 3);
}

/** Whether a place is within the first valid JSON of a text, whole or cut off: a tag there is part of what is written. */
function isInsideJson(text: string, place: number): boolean {
  const start = nextJson(text, 0, place);
  if (start >= place) return false;
  const end = strictEnd(text, start);
  return end === 0
    ? endCutOffJson(text.slice(start)) !== null
    : end > place && isJson(text.slice(start, end));
}

function isAtLineStart(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '' || at === 0;
}

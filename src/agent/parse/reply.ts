import { find, lineBefore } from './find.js';
import { LIMITS } from './limits.js';
import { readTaggedCall } from './native-calls.js';
import type { ReadJson } from '../json/value.js';
import { CLOSING_TAG, readJson, scanJson, type FoundJson } from '../json/scanner.js';
import { parseStrictly, readValid } from '../json/strict.js';
import { JSON_START, withoutThinking } from './thinking.js';

/** A part of a reply that may be its commands: after a fence, in tags for tool calls, or other JSON. */
export interface Block {
  kind: 'fenced' | 'tagged' | 'bare';
  source: string;
  start: number;
  end: number;
  read: () => ReadJson;
}

/** Reads the JSON in a reply that may contain other text: the likeliest part of it that can be read. Never throws. */
export function readJsonReply(reply: string): ReadJson {
  let failure: ReadJson | null = null;
  for (const { read } of jsonCandidates(reply)) {
    const result = read();
    if (result.ok) return result;
    failure ??= result;
  }
  return failure ?? { ok: false, error: 'it holds no JSON' };
}

/** Returns the parts of a reply that may be JSON, the likeliest first: the reply itself, fenced blocks, tool-call tags, others. */
export function jsonCandidates(reply: string): Block[] {
  const text = withoutThinking(reply);
  const blocks = blocksOf(text);
  const first = text.search(/\S/);
  const rank = ({ start, kind }: Block) =>
    start === first ? 0 : ['fenced', 'tagged', 'bare'].indexOf(kind) + 1;
  return blocks.sort((one, other) => rank(one) - rank(other));
}

const OPENER = /[[{［｛]/g;
const CLOSING_FENCE = /\n[ \t]{0,16}```/g;
/** A quoted line, a fence, a tag with the name of a call, or JSON. */
const NEXT_BLOCK = new RegExp(
  String.raw`^[ \t]{0,16}(?:(>)|(~{3,32}|\x60{3,32})[ \t]*([\w+-]*))|(<(?:function|tool|invoke)(?:=|\s+name=)|<tool_call>\s*[\w.]{1,128}\s*<arg_key>)|${JSON_START.source}`,
  'gm',
);
/** What marks the JSON after it as commands. */
const BLOCK_MARK =
  /(?:(```+[ \t]*[\w+-]*)|<(?:tool_calls?|function_calls?|tools?|tool_use)>|<\|(?:python_tag|tool_call)\|>|\[TOOL_CALLS\])$/i;

/**
 * Finds the parts of a text that may be JSON or tagged calls, in order. Skips quoted lines, and what is inside `~~~` or a longer fence.
 * Ignores fences inside strings; a closing fence may be missing or anywhere.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isFenced = false;
  let unclosed = 0;
  let checkboxes = 0;
  let at = 0;
  const addJson = (start: number): void => {
    const mark = BLOCK_MARK.exec(text.slice(Math.max(0, start - 48), start).trimEnd());
    const kind = isFenced || mark?.[1] !== undefined ? 'fenced' : mark === null ? 'bare' : 'tagged';
    const found = stringifiedJson(text, start) ?? scanJson(text, start);
    at = Math.max(found.end, start + 1);
    if (found.isClosed) {
      if (isCheckbox(text, start, at)) checkboxes += 1;
      else blocks.push({ ...found, kind, start });
      const [closing] = /^\s*```+(?![\w+-])/.exec(text.slice(at, at + 48)) ?? [];
      if (kind === 'fenced' && closing !== undefined) {
        isFenced = false;
        at += closing.length;
      }
      return;
    }
    unclosed += 1;
    // A string without an end must not include the text after the fence.
    at = Math.min(at, kind === 'fenced' ? find(CLOSING_FENCE, text, start) : at);
    const source = text.slice(start, at).trimEnd();
    const isEnded = CLOSING_TAG.test(text.slice(at, at + 48)) || /^\s*```\s*$/.test(text.slice(at));
    blocks.push({ kind, source, start, end: at, read: () => readJson(source, isEnded) });
  };
  while (blocks.length < LIMITS.blocks && unclosed < LIMITS.unclosed && checkboxes < LIMITS.checkboxes) {
    NEXT_BLOCK.lastIndex = at;
    const found = NEXT_BLOCK.exec(text);
    if (found === null) break;
    const [whole, quote, fence, label = '', tag] = found;
    const { index } = found;
    at = index + whole.length;
    const quotation =
      fence === undefined || fence === '```' || isFenced ? 0 : endOfQuotation(text, fence, at);
    if (quote !== undefined) at = find(/\n/g, text, at);
    else if (quotation > 0) at = quotation;
    else if (fence !== undefined) {
      isFenced = !isFenced || label !== '';
      const body = /^json/i.test(label) ? text.slice(at, find(CLOSING_FENCE, text, at)) : '';
      const start = body.search(OPENER);
      if (start >= 0) addJson(at + start);
    } else if (tag !== undefined) {
      const call = readTaggedCall(text, index);
      if (call !== null) {
        blocks.push({ ...call, kind: 'tagged', start: index });
        at = call.end;
      }
    } else addJson(index);
  }
  return blocks;
}

const STRING = /(?<=^|[^\\])"(?:[^"\\]|\\[^])*"/y;

/** Reads JSON that starts at an index in a JSON string of its own; null for other JSON. */
function stringifiedJson(text: string, start: number): FoundJson | null {
  STRING.lastIndex = start - 1;
  const literal = (start > 0 && STRING.exec(text)?.[0]) || '';
  const source = literal.includes('\\') ? parseStrictly(literal) : null;
  const read = typeof source === 'string' ? readValid(source) : null;
  return typeof source !== 'string' || read === null
    ? null
    : { source, end: start - 1 + literal.length, isClosed: true, read: () => read };
}

/** Index after a longer fence or `~~~` and its closing one; 0 when a shorter one closes it. */
function endOfQuotation(text: string, fence: string, from: number): number {
  const close = new RegExp(String.raw`^[ \t]{0,16}${fence}[ \t]*$`, 'gm');
  find(close, text, from);
  return close.lastIndex || (fence.startsWith('~') ? text.length : 0);
}

/** Characters of blank text that are searched for the end of a line. */
const MAX_BLANK = 80;

/** Returns true for `[ ]` in a line with other text. Alone in its line, an empty list is a list of commands. */
function isCheckbox(text: string, start: number, end: number): boolean {
  if (!/^\[\s*\]$/.test(text.slice(start, end))) return false;
  return lineBefore(text, start) !== '' || !/^[^\S\n]*(?:\n|$)/.test(text.slice(end, end + MAX_BLANK));
}

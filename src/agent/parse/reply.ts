import type { JsonValue } from '../../core/json.js';
import { LIMITS } from './limits.js';
import { checked, type ReadJson } from './repair.js';
import { readJson, scanJson, type FoundJson } from './scanner.js';
import { scanStrictly } from './strict.js';

/** A part of a reply that may be its commands, and the text of the reply before it. */
export type Candidate = Pick<FoundJson, 'source' | 'read'> & { before: string };

/** Reads the JSON in a reply that may contain other text: the first part of it that can be read. Never throws. */
export function readJsonReply(reply: string): ReadJson {
  let failure: ReadJson | null = null;
  for (const { read } of jsonCandidates(reply)) {
    const result = read();
    if (result.ok) return result;
    failure ??= result;
  }
  return failure ?? { ok: false, error: 'it holds no JSON' };
}

/**
 * Finds the parts of a reply that may be JSON, the likeliest first: the reply itself if it starts with a bracket, fenced blocks, tool-call
 * tags, any bracket that looks like JSON. Ignores fences inside strings; a closing fence may be missing or anywhere.
 */
export function* jsonCandidates(reply: string): Generator<Candidate> {
  const text = withoutThinking(reply);
  const first = text.search(/\S/);
  if (/[[{［｛]/.test(text.charAt(first))) yield candidate(text, first, scanJson(text, first));
  yield* fencedJson(text);
  let at = find(JSON_START, text, 0);
  const { start, calls } = taggedCalls(text);
  const tagged = { source: JSON.stringify(calls), isClosed: true, read: () => checked(calls, true) };
  if (start < at) yield candidate(text, start, tagged);
  for (let tried = 0; at < text.length && tried < LIMITS.places; tried++) {
    const found = scanJson(text, at);
    if (!isCheckbox(text, at, found.end)) yield candidate(text, at, found);
    at = find(JSON_START, text, Math.max(found.end, at + 1));
  }
}

const OPENER = /[[{［｛]/g;
/** A bracket that looks like the start of JSON rather than of `[1]`, `[x](link)`, or `{name}`. */
const JSON_START =
  /[[［]\s*(?:[\]{｛["'“［]|\/\/|\/\*)|[{｛]\s*(?:[{｛}"'“]|\/\/|[A-Za-z_]\w{0,63}\s*[:：])/g;
const FENCE = /^[ \t>]{0,16}```+[ \t]*([\w+-]*)/gm;
const CLOSING_FENCE = /\n```/g;

/** Index of the next match from an index on; the length of the text if there is none. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Finds the JSON after every fence at the start of a line: such a line cannot be inside a valid JSON string. */
function* fencedJson(text: string): Generator<Candidate> {
  let from = 0;
  for (let tried = 0; tried < LIMITS.places;) {
    FENCE.lastIndex = from;
    const fence = FENCE.exec(text);
    if (fence === null) return;
    const body = FENCE.lastIndex;
    const close = find(CLOSING_FENCE, text, body);
    const isJson = /^json/i.test(fence[1] ?? '');
    const start = find(isJson ? OPENER : JSON_START, text.slice(0, close), body);
    from = close + 1; // its fence may open the next block
    if (start >= close) continue;
    tried++;
    const found = scanJson(text, start);
    // A string without an end must not include the text after the fence.
    const source = found.isClosed ? found.source : text.slice(start, close).trimEnd();
    yield candidate(text, fence.index, { ...found, source });
    if (found.isClosed) from = Math.max(found.end, body);
    const next = find(CLOSING_FENCE, text, from);
    if (next < text.length && text.slice(from, next).trim() === '') from = next + 4;
  }
}

/** Returns true for `[ ]` in a line with other text. Alone in its line, an empty list is a list of commands. */
function isCheckbox(text: string, start: number, end: number): boolean {
  if (!/^\[\s*\]$/.test(text.slice(start, end))) return false;
  const after = text.slice(end).split('\n', 1)[0] ?? '';
  return lineBefore(text, start) !== '' || after.trim() !== '';
}

/** The text of the line before an index, trimmed. */
function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim();
}

const OPENING_TAG =
  /(?:```+[ \t]*[\w+-]*|<(?:tool_calls?|function_calls?|tools?|tool_use)>|<\|python_tag\|>|\[TOOL_CALLS\])$/i;

/** Adds the text before the JSON, without fences and the tags around tool calls. Reads cut-off JSON apart from what follows it. */
function candidate(text: string, at: number, { source, isClosed, read }: Omit<FoundJson, 'end'>): Candidate {
  const before = text.slice(0, at).replace(/^[ \t]{0,16}```+[ \t]*[\w+-]*[ \t]*$/gm, '');
  const thought = before.trimEnd().replace(OPENING_TAG, '').trim();
  return { source, read: isClosed ? read : () => readJson(source), before: thought };
}

const CALL =
  /<(?:(?:function|tool)=|(?:invoke|function|tool)\s+name=)["']?([\w.:-]{1,128})["']?\s*>([^]*?)(?:<\/(?:function|invoke|tool)>|$)/g;
const PARAMETER =
  /<parameter(?:=|\s+name=)["']?([\w.-]{1,128})["']?\s*>(?:\r?\n)?([^]*?)(?:\r?\n)?(?:<\/parameter>|$)/g;

/**
 * Reads calls whose tag contains the name: `<function=Editor.read>{"path": "/a"}</function>`,
 * `<invoke name="Editor.read"><parameter name="path">/a</parameter></invoke>`. Stops at other text between two calls.
 */
function taggedCalls(text: string): { start: number; calls: JsonValue[] } {
  const calls: JsonValue[] = [];
  let start = text.length;
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: inner = '', index } of text.matchAll(CALL)) {
    if (calls.length === 0) start = index;
    else if (/\S/.test(text.slice(end, index).replace(/<\/?\w{1,32}>/g, ''))) break;
    const body = inner.trim();
    const parameters = [...body.matchAll(PARAMETER)].map(([, key = '', value = '']) => [key, value] as const);
    calls.push({ name, arguments: body.startsWith('{') ? body : Object.fromEntries(parameters) });
    end = index + whole.length;
  }
  return { start, calls };
}

const THINKING = /<(think|thinking|thought|reasoning)>/i;
/** A closing tag that is not in a JSON string: a line break or the start of an answer is next to it. */
const END_OF_THINKING =
  /^[ \t]{0,16}<\/(?:think|thinking|thought|reasoning)>|<\/(?:think|thinking|thought|reasoning)>(?=[ \t]{0,16}(?:\r?\n|[[{]|```|<tool_call|$))/im;

/**
 * Removes what a model thinks aloud: `<think>…</think>` at the start of a line, everything before a closing tag whose opening tag was
 * part of the prompt, and only the tag if it is never closed.
 */
export function withoutThinking(reply: string): string {
  const end = END_OF_THINKING.exec(reply);
  const start = THINKING.exec(reply);
  if (end !== null && (start === null || start.index > end.index)) {
    const json = find(JSON_START, reply, 0);
    if (json < end.index && json + (scanStrictly(reply.slice(json))?.end ?? 0) > end.index) return reply;
    const rest = reply.slice(end.index + end[0].length);
    return /<think/i.test(rest) ? withoutThinking(rest) : rest;
  }
  if (start === null || lineBefore(reply, start.index) !== '') return reply;
  const [tag] = start;
  const close = reply.toLowerCase().indexOf(tag.toLowerCase().replace('<', '</'), start.index);
  const after = close < 0 ? start.index + tag.length : close + tag.length + 1;
  return reply.slice(0, start.index) + reply.slice(after);
}

import type { JsonValue } from '../../core/json.js';
import { find, lineBefore } from './find.js';
import { LIMITS } from './limits.js';
import { checked, markCut, type ReadJson } from '../json/value.js';
import { readJson, scanJson } from '../json/scanner.js';

/** A call in the format of one family of models. */
interface NativeCall {
  source: string;
  end: number;
  read: () => ReadJson;
}

const OPEN =
  /<(?:(?:function|tool|invoke)(?:=|\s+name=)["']?([\w.:-]{1,128})["']?\s*>|tool_call>\s*([\w.]{1,128})\s*(?=<arg_key>))/y;
const CLOSE = /(<\/(?:parameter|arg_value)>)\s*<\/(?:function|invoke|tool|tool_call)>/g;
const NEXT_CALL = /<(?:function|tool|invoke)(?:=|\s+name=)|<tool_call>|<tool_response>/g;
/** A value ends at the closing tag before another parameter or the end of the call: a file may contain the tag. */
const PARAMETER =
  /<(?:parameter(?:=|\s+name=)["']?([\w.-]{1,128})["']?\s*>|arg_key>\s*([\w.-]{1,128})\s*<\/arg_key>\s*<arg_value>)(?:\r?\n)?([^]*?)(?:(?:\r?\n)?<\/(?:parameter|arg_value)>(?=\s*(?:<(?:parameter|arg_key)[\s=>]|$))|$)/g;

/**
 * Reads the call at an index whose tag contains the name: `<function=Editor.read>{"path": "/a"}</function>`,
 * `<invoke name="Editor.read"><parameter name="path">/a</parameter></invoke>`. Returns null for other text.
 */
export function readTaggedCall(text: string, at: number): NativeCall | null {
  OPEN.lastIndex = at;
  const [opening, tagName, toolName] = OPEN.exec(text) ?? [];
  const name = tagName ?? toolName;
  if (opening === undefined || name === undefined) return null;
  const body = at + opening.length;
  const [space = ''] = /^\s*/.exec(text.slice(body)) ?? [];
  const call = (args: JsonValue, end: number, isCut: boolean): NativeCall => {
    const value: JsonValue = { name, arguments: args };
    if (isCut) markCut(value);
    return { source: text.slice(at, end), end, read: () => checked([value], true) };
  };
  if (text.charAt(body + space.length) === '{') {
    const json = scanJson(text, body + space.length);
    const read = json.isClosed ? json.read() : readJson(json.source.trimEnd(), json.end < text.length);
    const [tag = ''] = /^\s*<\/\w{1,16}>/.exec(text.slice(json.end, json.end + 64)) ?? [];
    return read.ok
      ? call(read.value, json.end + tag.length, false)
      : { source: json.source, end: json.end, read: () => read };
  }
  const [none] = /^\s*<\/(?:function|invoke|tool)>/.exec(text.slice(body, body + 64)) ?? [];
  if (none !== undefined) return call({}, body + none.length, false);
  const { inner, end, isCut } = parametersAt(text, body);
  const parameters = [...inner.matchAll(PARAMETER)].map(
    ([, key, other = '', value = '']) => [key ?? other, value] as const,
  );
  return call(Object.fromEntries(parameters), end, isCut);
}

/** The parameters of a call, up to the last closing tags before the next call: a file may contain such tags, too. */
export function parametersAt(text: string, from: number): { inner: string; end: number; isCut: boolean } {
  let last: RegExpExecArray | null = null;
  let next = text.length;
  CLOSE.lastIndex = from;
  for (let close = CLOSE.exec(text); close !== null && close.index < next; close = CLOSE.exec(text)) {
    if (last === null) next = find(NEXT_CALL, text, CLOSE.lastIndex);
    last = close;
  }
  if (last === null) return { inner: text.slice(from), end: text.length, isCut: true };
  const inner = text.slice(from, last.index + (last[1]?.length ?? 0));
  return { inner, end: last.index + last[0].length, isCut: false };
}

const NAMED =
  /(?<![\w.`"'/-])((?:[A-Za-z][\w-]{0,63}[.:/]){0,3}[A-Za-z][\w-]{0,63})(\(\s*|\)\s*(?=\{)|(?:\[CALL_ID\][\w-]{1,64})?\[ARGS\]\s*|\s*(?:<\|constrain\|>\s*json\s*)?<\|message\|>\s*|\s*\n```json\s*(?=\{))/g;
const BEFORE_CALLS = /^(?:<\|\w{1,20}\|>|```\w*|print\(|await|return|[[(*-]|\d+[.)]|\s)*$/;
const AFTER_CALLS = /^[\s)\],;]*(?:```\s*)?(?:<[|/｜][^<>]{0,40}>\s*)*$/;
const ARGUMENT =
  /\s*([A-Za-z_]\w{0,63})\s*=\s*(?:("""[^]*?"""|'''[^]*?'''|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[-+.\w]+)|(?=[[{]))/y;

/**
 * Reads calls of known commands that end a reply, in the form of code or of special tokens: `Editor.read({"path": "/a"})`,
 * `[Editor.read(path='/a')]`. Returns null unless the calls are complete and nothing else in the reply looks like one.
 */
export function readNamedCalls(
  text: string,
  isKnown: (name: string) => boolean,
): (NativeCall & { start: number }) | null {
  if (/^[ \t]*(?:~{3}|`{4})/m.test(text)) return null;
  const calls: JsonValue[] = [];
  let start = 0;
  let end = 0;
  let tried = 0;
  for (const { 0: whole, 1: name = '', 2: link = '', index } of text.matchAll(NAMED)) {
    if (index < end || !isKnown(name)) continue;
    const args =
      tried++ < LIMITS.blocks ? argumentsAt(text, index + whole.length, link.startsWith('(')) : null;
    const isNext =
      calls.length > 0
        ? /^[\s,;)\]]*(?:[a-z]+\()?$/.test(text.slice(end, index))
        : !link.startsWith('(') || BEFORE_CALLS.test(lineBefore(text, index));
    if (args === null || !isNext) return null;
    if (calls.length === 0) start = index;
    calls.push({ name, arguments: args.value });
    end = args.end;
  }
  if (calls.length === 0 || !AFTER_CALLS.test(text.slice(end))) return null;
  return { source: text.slice(start, end), start, end, read: () => checked(calls, true) };
}

/** A text as the only argument. */
const ONLY_TEXT = /\s*("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')(?=\s*,?\s*\))/y;
/** The name of an argument without one: the first that the command requires. */
const NAMELESS = '';

/** The arguments of a call whose first one has begun, unlike those of a call in prose. */
const FIRST_ARGUMENT = /\s*(?:\{|["']|[A-Za-z_]\w{0,63}\s*=\s*["'[{])/y;

/** Returns the index of the first call of a known command, at the start of a line, whose arguments have no end; else the length of the text. */
export function unfinishedCall(text: string, isKnown: (name: string) => boolean): number {
  let tried = 0;
  for (const { 0: whole, 1: name = '', 2: link = '', index } of text.matchAll(NAMED)) {
    FIRST_ARGUMENT.lastIndex = index + whole.length;
    if (!link.startsWith('(') || !isKnown(name) || !FIRST_ARGUMENT.test(text)) continue;
    if (!BEFORE_CALLS.test(lineBefore(text, index)) || tried++ >= LIMITS.blocks) continue;
    if (argumentsAt(text, index + whole.length, true) === null) return index;
  }
  return text.length;
}

/** The arguments at an index, as an object or as `name=value, …)`; null when they are not complete. */
function argumentsAt(text: string, at: number, isCall: boolean): { value: JsonValue; end: number } | null {
  const endOfCall = (end: number): number =>
    end + (/^\s*,?\s*\)/.exec(text.slice(end, end + 64))?.[0].length ?? NaN);
  if (text.charAt(at) === '{') {
    const json = scanJson(text, at);
    const read = json.isClosed ? json.read() : null;
    const end = isCall ? endOfCall(json.end) : json.end;
    return read?.ok === true && end > 0 ? { value: read.value, end } : null;
  }
  ONLY_TEXT.lastIndex = at;
  const only = isCall ? ONLY_TEXT.exec(text)?.[1] : undefined;
  if (only !== undefined) {
    const read = readJson(`[${only}]`);
    const end = endOfCall(ONLY_TEXT.lastIndex);
    const [value = ''] = read.ok ? (read.value as JsonValue[]) : [];
    return read.ok ? { value: { [NAMELESS]: value }, end } : null;
  }
  const args: [string, JsonValue][] = [];
  for (let from = at; isCall;) {
    const end = endOfCall(from);
    if (end > 0) return { value: Object.fromEntries(args), end };
    if (args.length > 0) from += /^\s*,/.exec(text.slice(from, from + 64))?.[0].length ?? NaN;
    ARGUMENT.lastIndex = from;
    const [whole, key = '', literal] = (from >= 0 && ARGUMENT.exec(text)) || [];
    if (whole === undefined) return null;
    const json = literal === undefined ? scanJson(text, from + whole.length) : null;
    const read = json === null ? readJson(`[${literal}]`) : json.isClosed ? json.read() : null;
    if (read?.ok !== true) return null;
    args.push([key, json === null ? ((read.value as JsonValue[])[0] ?? null) : read.value]);
    from = json?.end ?? from + whole.length;
  }
  return null;
}

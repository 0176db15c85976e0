import { isRecord } from '../../core/json.js';
import type { Purpose } from '../../core/model.js';
import { find } from '../parse/find.js';
import { ESCAPES, readJson } from '../json/scanner.js';
import {
  closesThought,
  isClosingMarker,
  MAX_MARKER,
  thoughtClosing,
  thoughtInWords,
  withoutThinking,
} from '../parse/thinking.js';

/** Undecided characters that are held back at most; a longer run is treated as the start of commands. */
const MAX_HELD = 160;
/** Characters at the start of commands in which their thought must begin to stream. */
const MAX_START = 2 * MAX_HELD;
/** Characters of one run of whitespace that are passed on. */
const MAX_SPACE = 256;
const LONG_SPACE = new RegExp(String.raw`\s{${MAX_SPACE + 1},}`, 'g');

/** Purposes whose replies are answers in Markdown, which may hold code. All others are a short thought before commands. */
const ANSWERS: ReadonlySet<Purpose> = new Set<Purpose>([
  'quick',
  'report',
  'summary',
  'search-answer',
  'other',
]);

/**
 * Returns the words of a whole reply: what a user reads, without commands in any form that the parser accepts. Never throws.
 *
 * @example
 * thoughtOf('I am done.\n[{"command_name": "end"}]', 'think') // 'I am done.'
 * thoughtOf('{"thought": "I am done.", "commands": []}', 'think') // 'I am done.'
 */
export function thoughtOf(reply: string, purpose: Purpose): string {
  if (!ANSWERS.has(purpose) && BARE_LIST.test(reply) && !closesThought(reply)) return '';
  const text = new ThoughtText(purpose);
  return text.push(withoutThinking(reply, ANSWERS.has(purpose))) + text.end();
}

/** The start of a list of commands: what follows it has no words. */
const BARE_LIST = /^\s*\[\s*\{/;

/** Thoughts of replies: they are emitted when the reply has arrived, and stored with its message. */
const thoughts = new WeakMap<object, string>();

/** Returns the words of a whole reply that is not changed; see `thoughtOf`. */
export function thoughtOfReply(reply: { readonly text: string }, purpose: Purpose): string {
  if (ANSWERS.has(purpose)) return thoughtOf(reply.text, purpose); // others begin with a thought, whatever their purpose
  const known = thoughts.get(reply);
  if (known !== undefined) return known;
  const thought = thoughtOf(reply.text, purpose);
  thoughts.set(reply, thought);
  return thought;
}

/**
 * Splits the words of a reply from its commands while the reply streams in. The result does not depend on how the reply is divided into
 * chunks. Takes linear time.
 *
 * Words end at the first command: a fence, JSON, or a tool-call tag. An answer may hold code and data; its words end where a command starts.
 * Of a JSON object, the string of its key `thought` counts as words. It streams when it comes first, as in the schema of replies; at any
 * other place it is read at the end.
 */
export class ThoughtText {
  readonly #isAnswer: boolean;
  /** Text that may start a command or a thought. */
  #held = '';
  #mayBeThought = true;
  /** Length of the start of the held text that is known to decide nothing. */
  #open = 1;
  /** What ends the thought that is not shown; null outside of one. */
  #closing: RegExp | null = null;
  /** The commands from their start, or from what follows in the string of their thought; null before them. */
  #commands: string | null = null;
  /** The quote of the thought's string; empty before it. */
  #quote = '';
  #isEnded = false;
  #words = '';
  #hasWords = false;
  #atLineStart = true;
  /** Whitespace, and the first half of a surrogate pair, that are passed on when more words follow. */
  #space = '';
  #half = '';

  constructor(purpose: Purpose) {
    this.#isAnswer = ANSWERS.has(purpose);
    this.#mayBeThought = !this.#isAnswer;
  }

  /** Adds a chunk of the reply and returns the words that are certain now. */
  push(text: string): string {
    if (this.#isEnded) return '';
    if (this.#commands === null) this.#read(text);
    else this.#readCommands(this.#commands + text);
    return this.#given();
  }

  /** Ends the reply and returns its remaining words. */
  end(): string {
    const rest = this.#isEnded ? '' : (this.#commands ?? '');
    if (this.#quote === '') this.#readLateThought(rest);
    else if (rest.length > 1 && rest.startsWith('\\')) this.#read(rest); // an escape that was cut off
    const mayBeCommand =
      this.#closing !== null || (this.#isAnswer ? /[[{［｛<]/ : /[[{［｛<]|```/).test(this.#held);
    if (!mayBeCommand) this.#say(this.#held);
    this.#held = '';
    this.#isEnded = true;
    return this.#given();
  }

  #given(): string {
    const words = this.#words;
    this.#words = '';
    return words;
  }

  /** Reads words up to the first command. */
  #read(text: string): void {
    this.#held += text;
    if (this.#mayBeThought) {
      const words = thoughtInWords(this.#held);
      if (words === null) return;
      this.#mayBeThought = false;
      if (words !== undefined) this.#closing = words.closing;
    }
    while (this.#held !== '' && !this.#isEnded) {
      if (this.#closing !== null) {
        find(this.#closing, this.#held, 0);
        const end = this.#closing.lastIndex;
        this.#held = this.#held.slice(end > 0 ? end : -MAX_MARKER);
        if (end === 0) return;
        this.#closing = null;
      }
      const trigger = this.#held.search(TRIGGER);
      this.#say(this.#take(trigger < 0 ? this.#held.length : trigger));
      if (this.#held !== '' && !this.#decide()) return;
    }
  }

  /** Decides about the shortest start of the held text that suffices, whatever follows it. Returns false when none does. */
  #decide(): boolean {
    let length = this.#open;
    let verdict = this.#verdict(this.#held.slice(0, length));
    while (verdict === 'open' && length <= MAX_HELD) {
      this.#open = length;
      if (length === this.#held.length) return false;
      verdict = this.#verdict(this.#held.slice(0, ++length));
    }
    this.#open = 1;
    switch (verdict) {
      case 'words':
        this.#say(this.#take(Math.max(1, length - 1))); // the last character may start something itself
        break;
      case 'skip':
        this.#take(length);
        this.#beginParagraph();
        break;
      case 'thinking':
        this.#closing = thoughtClosing(this.#take(length), this.#isAnswer) ?? null;
        break;
      case 'open':
      case 'commands':
        this.#beginCommands(this.#take(this.#held.length));
    }
    return true;
  }

  #beginCommands(commands: string): void {
    this.#space = '';
    if (this.#quote === '') this.#readCommands(commands);
    else this.#isEnded = true; // in the thought of other commands
  }

  /** Reads the thought of the commands as far as it is certain. */
  #readCommands(text: string): void {
    let rest = text;
    if (this.#quote === '' && (this.#commands?.length ?? 0) < MAX_START) {
      const [, bracket] = ENTRANCE.exec(rest) ?? [];
      this.#isEnded = bracket === undefined ? rest.length > MAX_HELD : !/[{｛]/.test(bracket);
      const [start = '', quote = ''] = FIRST_THOUGHT.exec(rest.slice(0, MAX_START)) ?? [];
      if (start !== '') this.#beginThought(quote);
      rest = rest.slice(start.length);
    }
    while (this.#quote !== '' && rest !== '' && !this.#isEnded) {
      const part = nextPart(rest, this.#quote);
      if (part === null) break;
      this.#isEnded = part.length === 0;
      rest = rest.slice(part.length);
      this.#read(part.words);
    }
    this.#commands = rest;
  }

  /** Reads the thought of commands that end here and have another key first. */
  #readLateThought(commands: string): void {
    if (!commands.includes('thought')) return;
    const read = readJson(commands.slice(commands.search(/[{｛]/)));
    const thought = read.ok && isRecord(read.value) ? read.value['thought'] : null;
    if (typeof thought !== 'string') return;
    this.#beginThought('"');
    this.#read(thought);
  }

  #beginThought(quote: string): void {
    this.#quote = quote;
    this.#beginParagraph();
  }

  #beginParagraph(): void {
    if (this.#hasWords) this.#space = '\n\n';
    this.#atLineStart = true;
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  #verdict(held: string): Verdict {
    const first = held.charAt(0);
    const mayThink = this.#quote === '' && (this.#atLineStart || !this.#isAnswer);
    const closing = mayThink ? thoughtClosing(held, this.#isAnswer) : undefined;
    if (closing !== undefined) return closing === null ? 'open' : 'thinking';
    const isClosing = isClosingMarker(held);
    if (isClosing !== false) return isClosing === null ? 'open' : 'skip';
    if (first === '<') return tagVerdict(held);
    if (TOOL_CALLS_MARKER.startsWith(held.toLowerCase()))
      return held.length === TOOL_CALLS_MARKER.length ? 'commands' : 'open';
    if (first === '>' && !this.#atLineStart) return 'words';
    if (first === '"' && this.#hasWords) return 'words';
    return this.#isAnswer ? answerVerdict(held, this.#atLineStart) : bracketVerdict(held, this.#atLineStart);
  }

  #say(text: string): void {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    if (line.trim() !== '') this.#atLineStart = false;
    else if (line !== text) this.#atLineStart = true;
    const all = this.#space + this.#half + text;
    const short = all.length > MAX_SPACE ? all.replace(LONG_SPACE, (run) => run.slice(0, MAX_SPACE)) : all;
    const end = isHalf(short.charCodeAt(short.length - 1)) ? short.length - 1 : short.length;
    const words = short.slice(0, end).trimEnd();
    this.#half = short.slice(end);
    this.#words += this.#hasWords ? words : words.trimStart();
    this.#hasWords ||= words !== '';
    this.#space = this.#hasWords ? short.slice(words.length, end) : '';
  }
}

/** Returns whether this is the first half of a surrogate pair. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The next part of a JSON string, decoded. Its length is 0 at the end of the string; null when more text decides. */
function nextPart(text: string, quote: string): { words: string; length: number } | null {
  const special = text.search(quote === '"' ? /["\\]/ : /['\\]/);
  if (special !== 0) {
    const words = special < 0 ? text : text.slice(0, special);
    return { words, length: words.length };
  }
  if (text.startsWith(quote)) {
    // It ends the string where the object continues or ends; elsewhere the model forgot to escape it.
    const next = text.slice(1).trimStart();
    if (/^[,}]/.test(next) || text.length - next.length > MAX_SPACE) return { words: '', length: 0 };
    return next === '' ? null : { words: quote, length: 1 };
  }
  if (/^\\(?:u[\da-f]{0,3})?$/i.test(text)) return null;
  const [, code] = /^\\u([\da-f]{4})/i.exec(text) ?? [];
  if (code !== undefined) return { words: String.fromCharCode(Number.parseInt(code, 16)), length: 6 };
  const char = ESCAPES[text.charAt(1)];
  return char === undefined ? { words: '\\', length: 1 } : { words: char, length: 2 }; // `\d` is literal
}

/** Before an object: the rest of a fence and its label. Anything else is not an object with a thought. */
const ENTRANCE = /^[>`\s\w+-]{0,160}([^>`\s\w+-])/;
const FIRST_THOUGHT = /^[>`\s\w+-]*[{｛]\s*(?:"thought"|'thought')\s*:\s*(["'])/;

/** What a text starts with; `open` when more of it decides. */
type Verdict = 'words' | 'commands' | 'open' | 'thinking' | 'skip';

const TRIGGER = /[`~[{［｛<>"◁]/;

/** Marks commands in the format of one family of models. */
const TOOL_CALLS_MARKER = '[tool_calls]';

const COMMAND_TAGS = [
  '<tool_call', '<function_call', '<tools>', '<tool_use>', '<tool=', '<tool name=', '<function=', '<function name=',
  '<invoke name=', '<invoke=', '<|python_tag|>',
]; // prettier-ignore

function tagVerdict(held: string): Verdict {
  const tag = held.toLowerCase().replace(/\s+/g, ' ');
  if (COMMAND_TAGS.includes(tag)) return 'commands';
  return COMMAND_TAGS.some((each) => each.startsWith(tag)) ? 'open' : 'words';
}

const FENCE_OPEN = /^(?:>[> \t]*)?`{0,2}$/;
const FENCE_START = /^(?:>[> \t]*)?```|^~~~/;
const COMMANDS_START =
  /^"?(?:[[［]\s*(?:[{｛["'“［]|\\["']|\/[/*])|[{｛]\s*(?:[{｛"'“]|\\["']|\/[/*]|[A-Za-z_]\w*\s*[:：]))/;
const JSON_OPEN = /^"?(?:[[［]\s*[\\/]?|[{｛]\s*(?:[\\/]|[A-Za-z_]\w*\s*)?|)$/;
/** An empty list or object, which is JSON when it has a line for itself, and else a checkbox or part of a sentence. */
const EMPTY_COMMANDS = /^(?:[[［]\s*[\]］]|[{｛]\s*[}｝])[ \t]*(?:\r?\n)?$/;

/** In a thought, whatever may be JSON ends the words, like everything that the parser tries to read as commands. */
function bracketVerdict(held: string, atLineStart: boolean): Verdict {
  if (FENCE_START.test(held) && (held.charAt(0) !== '~' || atLineStart)) return 'commands';
  if (COMMANDS_START.test(held)) return 'commands';
  if (atLineStart) {
    if (/^~{1,2}$/.test(held)) return 'open';
    if (EMPTY_COMMANDS.test(held)) return held.endsWith('\n') ? 'commands' : 'open';
    if (/^[[{［｛][ \t]*(?:\r?\n|#)/.test(held)) return 'commands';
  }
  return FENCE_OPEN.test(held) || JSON_OPEN.test(held) ? 'open' : 'words';
}

const PREFIX = /^(?:"|(?:>[> \t]*)?`{3,}[ \t]*([\w+-]*)\s*)?/;
const PREFIX_OPEN = /^(?:"|(?:>[> \t]*)?`{1,2}|>[> \t]*|(?:>[> \t]*)?`{3,}[ \t]*[\w+-]{0,24}\s*)$/;
const BRACKETS = /^[[{［｛][\s[{［｛]*/;
const KEY = /^(["'“”„`\\]{0,4})([\w.-]{1,64})["'“”„`\\]{0,4}\s*[:：]/;
const KEY_OPEN = /^["'“”„`\\]{0,4}[\w.-]{0,64}["'“”„`\\]{0,4}\s*$/;
/** Keys of commands and of nothing else, without case and underscores; also `{"Editor.read": …}`. */
const COMMAND_KEY =
  /^(?:commandname|commands|toolcalls|functioncalls?|toolname|functionname|toolcall|thoughts?|[a-z][\w-]*\.[a-z][\w-]*)$/;
/** Keys of commands that data may have as well. */
const MAYBE_COMMAND_KEY =
  /^(?:name|command|tool|function|actions?|actioninput|args|arguments|parameters|input|params|kwargs|\w+args|toolinput|reasoning|explanation|type|id)$/;

/** In an answer only commands end the words: it may quote JSON and code. */
function answerVerdict(held: string, atLineStart: boolean): Verdict {
  if (PREFIX_OPEN.test(held)) return 'open';
  const [prefix = '', label = ''] = PREFIX.exec(held) ?? [];
  const isJson = /^json/i.test(label);
  const [brackets = ''] = BRACKETS.exec(held.slice(prefix.length)) ?? [];
  if (brackets === '') return isJson ? 'commands' : 'words';
  const rest = held.slice(prefix.length + brackets.length);
  if (atLineStart && /^(?:#|\/[/*])/.test(rest)) return 'commands';
  const [, quote = '', name] = KEY.exec(rest) ?? [];
  if (name === undefined) return KEY_OPEN.test(rest) || rest === '/' ? 'open' : 'words';
  const key = name.toLowerCase().replace(/_/g, '');
  if (COMMAND_KEY.test(key)) return 'commands';
  const isSeparate = atLineStart && quote !== '' && (label === '' || isJson);
  return isSeparate && MAYBE_COMMAND_KEY.test(key) ? 'commands' : 'words';
}

import type { Purpose } from '../../core/model.js';
import { withoutThinking } from './reply.js';
import { ESCAPES } from './scanner.js';

/** Undecided characters that are held back at most; a longer run is treated as the start of commands. */
const MAX_HELD = 160;
/** Characters of one run of whitespace that are passed on. */
const MAX_SPACE = 256;

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
  const text = new ThoughtText(purpose);
  return text.push(withoutThinking(reply)) + text.end();
}

type Verdict = 'words' | 'commands' | 'open' | 'thinking' | 'skip';
type State = 'words' | 'thinking' | 'entrance' | 'object' | 'ended';

/**
 * Splits the words of a reply from its commands while the reply streams in. The result does not depend on how the reply is divided into
 * chunks. Takes linear time and holds back a bounded number of characters.
 *
 * Words end at the first command: a fence, JSON, or a tool-call tag. Of a JSON object, the string of its key `thought` counts as words.
 * An answer may hold code and data; its words end where a command starts.
 */
export class ThoughtText {
  readonly #isAnswer: boolean;
  readonly #object = new ThoughtMember();
  #state: State = 'words';
  /** The words come from the key `thought`. */
  #isMember = false;
  /** The start of something that may be a command. */
  #held = '';
  /** Whitespace that is passed on when more words follow. */
  #space = '';
  /** The first half of a surrogate pair. */
  #half = '';
  #words = '';
  #hasWords = false;
  #atLineStart = true;
  /** The closing tag that ends what the model thinks aloud, and the last characters before it. */
  #closing = '';
  #tail = '';
  #entered = 0;

  constructor(purpose: Purpose) {
    this.#isAnswer = ANSWERS.has(purpose);
  }

  /** Adds a chunk of the reply and returns the words that are certain now. */
  push(text: string): string {
    for (let at = 0; at < text.length && this.#state !== 'ended'; at++) this.#take(text.charAt(at));
    return this.#given();
  }

  /** Ends the reply and returns its remaining words. */
  end(): string {
    if (this.#state === 'object' && this.#isMember) this.#object.end((char) => this.#takeWord(char));
    const mayBeCommand = /[[{［｛<]/.test(this.#held);
    if ((this.#state === 'words' || this.#isMember) && !mayBeCommand) this.#say(this.#held);
    this.#held = '';
    this.#state = 'ended';
    return this.#given();
  }

  #given(): string {
    const words = this.#words;
    this.#words = '';
    return words;
  }

  #take(char: string): void {
    switch (this.#state) {
      case 'words':
        this.#takeWord(char);
        break;
      case 'thinking':
        this.#tail = (this.#tail + char.toLowerCase()).slice(-this.#closing.length);
        if (this.#tail === this.#closing) this.#state = 'words';
        break;
      case 'entrance':
        this.#enter(char);
        break;
      case 'object':
        if (!this.#object.take(char, (each) => this.#takeMember(each))) this.#state = 'ended';
        break;
      case 'ended':
        break;
    }
  }

  /** Before the `{` of an object: the rest of a fence and its label. Anything else is not an object with a thought. */
  #enter(char: string): void {
    this.#entered += 1;
    if (char === '{' || char === '｛') this.#state = 'object';
    else if (this.#entered > MAX_HELD || !/[>`\s\w+-]/.test(char)) this.#state = 'ended';
  }

  #takeMember(char: string): void {
    if (!this.#isMember) {
      this.#isMember = true;
      this.#atLineStart = true;
      if (this.#hasWords) this.#space = '\n\n';
    }
    this.#takeWord(char);
  }

  #takeWord(char: string): void {
    if (this.#state === 'ended') return;
    if (this.#held === '' && !TRIGGERS.has(char)) {
      this.#say(char);
      return;
    }
    this.#held += char;
    const held = this.#held;
    const verdict = this.#verdict(held);
    if (verdict === 'open' && held.length <= MAX_HELD) return;
    this.#held = '';
    switch (verdict) {
      case 'words':
        this.#say(held.slice(0, -1));
        // The last character may start something itself.
        if (held.length > 1) this.#takeWord(char);
        else this.#say(char);
        break;
      case 'thinking':
        this.#state = 'thinking';
        this.#closing = held.toLowerCase().replace('<', '</');
        this.#tail = '';
        break;
      case 'skip':
        if (this.#hasWords) this.#space = '\n\n';
        this.#atLineStart = true;
        break;
      case 'open':
      case 'commands':
        this.#space = '';
        this.#state = this.#isMember ? 'ended' : 'entrance';
        for (const each of held) this.#take(each);
        break;
    }
  }

  #verdict(held: string): Verdict {
    const first = held.charAt(0);
    if (first === '<') return tagVerdict(held, this.#atLineStart && !this.#isMember);
    if (MARKER.startsWith(held.toLowerCase())) return held.length === MARKER.length ? 'commands' : 'open';
    if (first === '>' && !this.#atLineStart) return 'words';
    if (first === '"' && this.#hasWords) return 'words';
    return this.#isAnswer ? answerVerdict(held, this.#atLineStart) : bracketVerdict(held, this.#atLineStart);
  }

  #say(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const char = text.charAt(at);
      if (/\s/.test(char)) {
        if (char === '\n') this.#atLineStart = true;
        this.#half = '';
        if (this.#hasWords && this.#space.length < MAX_SPACE) this.#space += char;
        continue;
      }
      this.#atLineStart = false;
      if (char >= '\ud800' && char <= '\udbff') {
        this.#half = char;
        continue;
      }
      this.#hasWords = true;
      this.#words += this.#space + this.#half + char;
      this.#half = '';
      this.#space = '';
    }
  }
}

const TRIGGERS: ReadonlySet<string> = new Set('`~[{［｛<>"');

/** Marks commands in the format of one family of models. */
const MARKER = '[tool_calls]';

const TAGS = [
  '<tool_call', '<function_call', '<tools>', '<tool_use>', '<tool=', '<tool name=', '<function=', '<function name=',
  '<invoke name=', '<invoke=', '<|python_tag|>',
]; // prettier-ignore
const THINKING = ['<think>', '<thinking>', '<thought>', '<reasoning>'];
const END_OF_THINKING = THINKING.map((tag) => tag.replace('<', '</'));

function tagVerdict(held: string, atLineStart: boolean): Verdict {
  const tag = held.toLowerCase().replace(/\s+/g, ' ');
  if (TAGS.includes(tag)) return 'commands';
  if (atLineStart && THINKING.includes(tag)) return 'thinking';
  if (END_OF_THINKING.includes(tag)) return 'skip';
  const isOpen = [...TAGS, ...THINKING, ...END_OF_THINKING].some((each) => each.startsWith(tag));
  return isOpen ? 'open' : 'words';
}

const FENCE_OPEN = /^(?:>[> \t]*)?`{0,2}$/;
const FENCE = /^(?:>[> \t]*)?```|^~~~/;
const JSON_START =
  /^"?(?:[[［]\s*(?:[{｛["'“［]|\\["']|\/[/*])|[{｛]\s*(?:[{｛"'“]|\\["']|\/[/*]|[A-Za-z_]\w*\s*[:：]))/;
const JSON_OPEN = /^"?(?:[[［]\s*[\\/]?|[{｛]\s*(?:[\\/]|[A-Za-z_]\w*\s*)?|)$/;
/** An empty list or object, which is JSON when it has a line for itself, and else a checkbox or part of a sentence. */
const EMPTY = /^(?:[[［]\s*[\]］]|[{｛]\s*[}｝])[ \t]*(?:\r?\n)?$/;

/** In a thought, whatever may be JSON ends the words, like everything that the parser tries to read as commands. */
function bracketVerdict(held: string, atLineStart: boolean): Verdict {
  if (FENCE.test(held) && (held.charAt(0) !== '~' || atLineStart)) return 'commands';
  if (JSON_START.test(held)) return 'commands';
  if (atLineStart) {
    if (/^~{1,2}$/.test(held)) return 'open';
    if (EMPTY.test(held)) return held.endsWith('\n') ? 'commands' : 'open';
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

/** Finds the string of the key `thought` in an object, character by character, and gives out what it says. */
class ThoughtMember {
  #at:
    | 'key-or-end'
    | 'key'
    | 'colon'
    | 'value'
    | 'scalar'
    | 'string'
    | 'nested'
    | 'after'
    | 'thought'
    | 'closing' = 'key-or-end';
  #quote = '"';
  #key = '';
  #depth = 0;
  /** Inside a string of a value that is skipped. */
  #inString = false;
  /** The character before was the backslash of an escape. */
  #escaped = false;
  /** An escape in the thought whose end is missing. */
  #escape = '';
  /** A quote that may end the thought, and the whitespace after it. */
  #closing = '';

  /** Takes the next character after `{`; false when nothing more can come. */
  take(char: string, say: (char: string) => void): boolean {
    switch (this.#at) {
      case 'key-or-end':
        if (isSpace(char)) return true;
        this.#key = '';
        this.#escaped = false;
        this.#quote = char;
        this.#at = 'key';
        return char === '"' || char === "'";
      case 'key':
        if (this.#endsString(char)) this.#at = 'colon';
        else if (this.#key.length < 16) this.#key += char;
        return true;
      case 'colon':
        if (char === ':') this.#at = 'value';
        return char === ':' || isSpace(char);
      case 'value':
        return isSpace(char) || this.#beginValue(char);
      case 'scalar':
        if (char === ',') this.#at = 'key-or-end';
        return char !== '}';
      case 'string':
        if (this.#endsString(char)) this.#at = 'after';
        return true;
      case 'nested':
        this.#skip(char);
        return true;
      case 'after':
        if (char === ',') this.#at = 'key-or-end';
        return char === ',' || isSpace(char);
      case 'thought':
        this.#decode(char, say);
        return true;
      case 'closing':
        return this.#close(char, say);
    }
  }

  /** The object was cut off: an escape that is not whole says nothing. */
  end(say: (char: string) => void): void {
    if (this.#at === 'thought' && this.#escape.length > 1) for (const each of this.#escape) say(each);
  }

  #beginValue(char: string): boolean {
    this.#escaped = false;
    if (char === '"' || char === "'") {
      this.#quote = char;
      this.#at = this.#key === 'thought' ? 'thought' : 'string';
    } else if (char === '{' || char === '[') {
      this.#depth = 1;
      this.#inString = false;
      this.#at = 'nested';
    } else this.#at = 'scalar';
    return char !== '}' && char !== ',';
  }

  #skip(char: string): void {
    if (this.#inString) this.#inString = !this.#endsString(char);
    else if (char === '"') {
      this.#quote = char;
      this.#inString = true;
    } else if (char === '{' || char === '[') this.#depth += 1;
    else if (char === '}' || char === ']') this.#depth -= 1;
    if (this.#depth === 0) this.#at = 'after';
  }

  #endsString(char: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (char === '\\') this.#escaped = true;
    else return char === this.#quote;
    return false;
  }

  #decode(char: string, say: (char: string) => void): void {
    if (this.#escape !== '') {
      this.#unescape(char, say);
    } else if (char === '\\') this.#escape = char;
    else if (char === this.#quote) {
      this.#at = 'closing';
      this.#closing = char;
    } else say(char);
  }

  #unescape(char: string, say: (char: string) => void): void {
    const escape = this.#escape + char;
    this.#escape = '';
    if (/^\\u[\da-f]{0,3}$/i.test(escape)) this.#escape = escape;
    else if (/^\\u[\da-f]{4}$/i.test(escape)) say(String.fromCharCode(Number.parseInt(escape.slice(2), 16)));
    else if (escape.length === 2 && char in ESCAPES) say(ESCAPES[char] ?? char);
    else {
      // A backslash that escapes nothing is literal.
      for (const each of escape.slice(0, -1)) say(each);
      this.#decode(char, say);
    }
  }

  /** A quote ends the thought where the object continues or ends; elsewhere the model forgot to escape it. */
  #close(char: string, say: (char: string) => void): boolean {
    if (char === ',' || char === '}' || this.#closing.length > MAX_SPACE) return false;
    if (isSpace(char)) {
      this.#closing += char;
      return true;
    }
    this.#at = 'thought';
    for (const each of this.#closing) say(each);
    this.#decode(char, say);
    return true;
  }
}

function isSpace(char: string): boolean {
  return /\s/.test(char);
}

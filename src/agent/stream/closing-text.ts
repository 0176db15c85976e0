import { isRecord, type JsonValue } from '../../core/json.js';
import { parseCommands } from '../parse/commands.js';
import { readJson } from '../json/scanner.js';
import { thoughtOf } from './thought-text.js';

/** Keys under which models put the words of a message. */
const WORDS = ['message', 'content', 'text', 'answer', 'reply', 'summary', 'report', 'thought'];
/** A text that is in quotation marks as a whole. */
const QUOTED = /^["“„「『'‘]([^"“”„「」『』]+)["”“」』'’]$/u;

/**
 * Returns the words of a closing message: what the user reads. Empty when the model has written only commands or data.
 *
 * @example
 * closingText('"It is done."') // 'It is done.'
 * closingText('[{"command_name": "RoleZero.reply_to_human", "args": {"content": "It is done."}}]') // 'It is done.'
 */
export function closingText(reply: string): string {
  const text = thoughtOf(reply, 'report').trim();
  const words = text === '' ? wordsOfCommands(reply) : /^[[{]/.test(text) ? wordsOfJson(text) : text;
  return QUOTED.exec(words)?.[1]?.trim() ?? words;
}

function wordsOfCommands(reply: string): string {
  const parsed = parseCommands(reply);
  const sent = parsed.ok
    ? parsed.commands.findLast(({ name }) => name.endsWith('reply_to_human'))
    : undefined;
  return sent === undefined ? '' : wordsIn(sent.args);
}

function wordsOfJson(text: string): string {
  const read = readJson(text);
  return read.ok ? wordsIn(read.value) : text;
}

function wordsIn(value: JsonValue): string {
  if (!isRecord(value)) return '';
  const words = WORDS.map((key) => value[key]).find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof words === 'string' ? words.trim() : '';
}

import fc from 'fast-check';
import { parseCommands } from '../../src/agent/parse/commands.js';
import { withoutThinking } from '../../src/agent/parse/thinking.js';
import { readJson } from '../../src/agent/json/scanner.js';
import { matchesGlob, matchesPath } from '../../src/core/glob.js';
import { RoleZeroError } from '../../src/core/error.js';
import { Message } from '../../src/core/message.js';
import { readExperiences } from '../../src/experience/experience.js';
import { readScore } from '../../src/metagpt/scorer.js';
import { mergeTexts } from '../../src/files/three-way.js';
import { resolvePath } from '../../src/files/path.js';
import { readZipDirectory } from '../../src/files/exchange/import-zip.js';
import { readRanking } from '../../src/memory/llm-ranker.js';
import { timesIn } from '../../src/memory/ranking.js';
import { readMemories } from '../../src/memory/memory-item.js';
import { readPiece } from '../../src/providers/openai/reply.js';
import { sourceOf, unfit } from '../../src/agent/policy/addresses.js';
import { matches } from '../../src/agent/policy/policy.js';
import { parseCategory } from '../../src/agent/quick-think.js';
import { requestCategory } from '../../src/agent/prompt/request-category.js';
import { visible } from '../../src/core/visible.js';
import { readDocument } from '../../src/storage/session-document.js';
import { outsideAddress } from '../../src/tools/browser/browser-state.js';
import { jsonProblems } from '../../src/tools/editor/syntax/json-syntax.js';
import { pythonProblems } from '../../src/tools/editor/syntax/python-syntax.js';
import { htmlText } from '../../src/tools/search/html-text.js';
import { ranking, rewrittenQuery } from '../../src/tools/search/search.js';
import { readHandshake, readReady } from '../../src/wire/protocol.js';

/** A parser, its inputs, and the invariants of its output; `check` throws when one is violated. */
export interface Fuzzed {
  name: string;
  inputs: fc.Arbitrary<unknown>;
  check: (input: never) => void;
}

/** Texts of tokens that are significant to a parser, mixed with arbitrary text. */
function texts(pieces: readonly string[], maxLength = 16): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  );
  return fc.array(piece, { maxLength }).map((list) => list.join(''));
}

function parser<Input>(name: string, inputs: fc.Arbitrary<Input>, check: (input: Input) => void): Fuzzed {
  return { name, inputs, check };
}

function must(what: boolean, why: string): void {
  if (!what) throw new Error(why);
}

/** Rejections of a boundary are named; any other error is a bug. */
function refuses(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    must(error instanceof RoleZeroError, `It threw ${String(error)}.`);
  }
}

const JSONISH = [
  '{', '}', '[', ']', '"', "'", ':', ',', '\\', '\n', '/', '//', '/*', '```json\n', '```', 'command_name', '"command_name"', '"args"',
  '"__proto__"', '"constructor"', '\\u0000', '\\ud800', '\ud800', '1e999', '-', '0', 'True', 'None', 'null', ' ', '"a"', '<think>', '</think>', '<tool_call>',
]; // prettier-ignore
const PATHISH = ['/', '//', '.', '..', '../', '\\', '%2e', '%2f', 'a', 'B:', 'C:', ':', '~', '\0', '\u202e', '\u2215', '·', 'é', 'file://', ' ', 'x'.repeat(300)]; // prettier-ignore
const GLOBISH = ['*', '**', '?', '/', 'a', 'b', 'aa', '.', '[', '{', '\\'];
const HTMLISH = ['<', '>', '</', '/>', '<!--', '-->', '<script>', '</script>', '<p', ' a="', '"', '&', '&amp;', '&#x', '&#0;', '&#x110000;', ';', 'x', '<![CDATA[', '<style>', '\n']; // prettier-ignore
const URLISH = ['http:', 'https://', '//', '/', '@', ':', '.', '127.0.0.1', 'localhost', '[::1]', '0x7f', '1', 'a.b', 'example.org', '?', '#', 'file:///', 'workspace.invalid', '\\', ' ', '%', 'data:', '\t']; // prettier-ignore
const PYTHONISH = ['def f(', '):', '\n', '    ', '\t', 'if x:', 'else:', '"""', "'", '#', '(', ')', '[', ']', '\\\n', 'class A:', 'x = 1', 'f"{', '}']; // prettier-ignore
const RANKISH = [
  '1',
  '2',
  '-1',
  ',',
  ' ',
  '[',
  ']',
  '"score"',
  '{',
  '}',
  ':',
  '99999999999',
  'NaN',
  '\n',
  '```json\n',
  '```',
  'val',
  'reason',
];

const paths = texts(PATHISH, 10);
const memory = [
  Message.fromData({ content: 'see https://example.org/a', role: 'user', causeBy: 'UserRequirement' }),
];

export const PARSERS: readonly Fuzzed[] = [
  parser('commands', texts(JSONISH, 24), (text) => {
    const parsed = parseCommands(text);
    if (!parsed.ok) return;
    for (const { name, args } of parsed.commands) {
      must(name.length > 0 && name.length <= 128, 'a name that is none');
      must(Object.getPrototypeOf(args) === Object.prototype, 'arguments with another prototype');
      must(!Object.hasOwn(args, '__proto__') && !Object.hasOwn(args, 'constructor'), 'a key that pollutes');
    }
  }),
  parser('repaired JSON', texts(JSONISH, 24), (text) => {
    const read = readJson(text);
    must(({} as Record<string, unknown>)['polluted'] === undefined, 'polluted');
    if (read.ok) JSON.stringify(read.value);
  }),
  parser('thoughts', texts(JSONISH, 24), (text) => void withoutThinking(text)),
  parser('categories', texts([...RANKISH, 'QUICK', 'Response Category: ', 'TASK'], 8), (text) => {
    parseCategory(text);
    requestCategory(text);
  }),
  parser('paths', paths, (path) =>
    refuses(() => {
      const resolved = resolvePath(path);
      must(resolved.startsWith('/') && !/(^|\/)\.\.?(\/|$)/.test(resolved), `it left: ${resolved}`);
      must(resolvePath(resolved) === resolved, 'it is not at rest');
    }),
  ),
  parser('globs', fc.tuple(texts(GLOBISH, 12), texts(['a', 'b', '/', '.'], 20)), ([pattern, text]) => {
    matches(pattern, text, '/');
    matchesGlob(text, pattern);
    matchesPath(`/${text}`, pattern);
    must(matches(text, text, '/'), 'a text without stars does not fit itself');
  }),
  parser('HTML', texts(HTMLISH, 24), (text) => {
    must(
      !/<script/i.test(htmlText(`<p>a</p>${text.replaceAll('&', '')}`)) || text.includes('script'),
      'made a script',
    );
  }),
  parser('addresses', texts(URLISH, 10), (text) => {
    const fault = unfit(text);
    must(fault !== null || /^https?:$/.test(new URL(text).protocol), 'a scheme that is not the web’s');
    must(
      sourceOf(text.length > 0 ? `${text}#${'x'.repeat(40)}` : 'x:', memory, []) === null,
      'an address that no message contains',
    );
    const outside = outsideAddress(text);
    must(outside === null || new URL(outside).origin !== 'https://workspace.invalid', 'inside is outside');
  }),
  parser('shown texts', fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
    const shown = visible(text);
    must(
      !/[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(shown),
      'it hides something',
    );
    must(visible(shown) === shown, 'it is not at rest');
  }),
  parser('zip directories', fc.uint8Array({ maxLength: 120 }).map(withZipMarks), (bytes) =>
    refuses(() => readZipDirectory(bytes, 100)),
  ),
  parser('messages', texts([...JSONISH, '"role"', '"content"', '"metadata"'], 16), (text) =>
    refuses(() => Message.load(text)),
  ),
  parser('session documents', documents('rolezero-session'), (value) => refuses(() => readDocument(value))),
  parser('memory documents', documents('rolezero-memory'), (value) => refuses(() => readMemories(value))),
  parser('experience documents', documents('rolezero-experiences'), (value) =>
    refuses(() => readExperiences(value)),
  ),
  parser('handshakes', handshakes(), (value) => {
    const ready = readReady(value);
    must(ready === null || Number.isInteger(ready.version), 'the version must be an integer');
    must(readHandshake(value)?.rolezero !== 'connect', 'no port was given');
  }),
  parser('pieces of a reply', fc.anything(), (value) => refuses(() => readPiece(value))),
  parser('rankings', texts(RANKISH, 12), (text) => {
    for (const place of [...readRanking(text, 5), ...ranking(text, 5)])
      must(Number.isInteger(place) && place >= 0 && place < 5, `there is no place ${place}`);
    rewrittenQuery(text, 'x');
    refuses(() => readScore(text));
  }),
  parser(
    'times',
    texts(['2024', '-', '01', 'May', 'last ', 'week', '31', '/', ' ', '99'], 8),
    (text) => void timesIn(text),
  ),
  parser('JSON files', texts(JSONISH, 16), (text) => {
    const isValid = parses(text);
    must(jsonProblems(text).length === 0 || !isValid, 'it found fault with what is valid');
  }),
  parser('Python files', texts(PYTHONISH, 20), (text) => void pythonProblems(text)),
  parser('merges', fc.tuple(lines(), lines(), lines()), ([base, now, restored]) => {
    must(
      mergeTexts({ base, now: base, restored }).text === restored,
      'a text without other changes was not restored',
    );
    must(
      mergeTexts({ base, now, restored: base }).text === now,
      'a text changed although nothing was to be restored',
    );
    mergeTexts({ base, now, restored });
  }),
];

function handshakes(): fc.Arbitrary<unknown> {
  const almost = fc.record(
    {
      rolezero: fc.oneof(fc.constantFrom('ready', 'connect', 'hello'), fc.anything()),
      version: fc.oneof(fc.integer(), fc.anything()),
      port: fc.anything(),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(almost, fc.anything());
}

function lines(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map((list) => list.join('\n'));
}

/** Almost valid documents. */
function documents(format: string): fc.Arbitrary<unknown> {
  const value = fc.anything({ maxDepth: 2 });
  const record = fc.record(
    {
      table: fc.constantFrom('roles', 'files', '__proto__'),
      key: fc.constantFrom('a', '', '__proto__'),
      value,
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      format: fc.constant(format),
      version: fc.constantFrom<unknown>(1, 2, '1'),
      name: fc.constantFrom<unknown>('s', '', 7),
      session: fc.constant('s'),
      createdAt: fc.constantFrom<unknown>(0, -1, NaN),
      random: fc.constantFrom<unknown>([1, 2, 3, 4], [1], 'x'),
      records: fc.oneof(fc.array(fc.oneof(record, value), { maxLength: 3 }), value),
      items: fc.oneof(fc.array(value, { maxLength: 3 }), value),
      experiences: value,
    },
    { requiredKeys: ['format'] },
  );
}

/** Contains the markers that an archive reader searches for. */
function withZipMarks(bytes: Uint8Array): Uint8Array {
  const end = new Uint8Array(22);
  end.set([0x50, 0x4b, 5, 6]);
  for (let index = 4; index < 20; index++) end[index] = bytes[index] ?? 0;
  const whole = new Uint8Array(bytes.length + 22);
  whole.set(bytes);
  if (bytes.length > 50) whole.set([0x50, 0x4b, 1, 2], 4);
  whole.set(end, bytes.length);
  return whole;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a parser on this many inputs. Returns the milliseconds of the slowest. Throws the failing input with its seed.
 */
export function fuzz({ inputs, check }: Fuzzed, numRuns: number, seed?: number): number {
  let slowest = 0;
  fc.assert(
    fc.property(inputs, (input) => {
      const before = performance.now();
      check(input as never);
      slowest = Math.max(slowest, performance.now() - before);
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  );
  return slowest;
}

import { checkSessionName } from '../../../src/storage/session-errors.js';
import { zipSync, type Zippable } from 'fflate';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import { importZip } from '../../../src/files/index.js';
import type { ImportZipOptions } from '../../../src/files/exchange/import-zip.js';
import { DEFAULT_LIMITS } from '../../../src/files/file-tree.js';
import { resolvePath } from '../../../src/files/path.js';
import { VirtualFiles } from '../../../src/files/virtual-files.js';
import { openai } from '../../../src/providers/openai/index.js';
import { DEFAULT_TIME_LIMITS } from '../../../src/providers/openai/patience.js';
import { unfit } from '../../../src/agent/policy/addresses.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { ENGINE_TIMEOUT } from '../../../src/tools/search/search-web.js';
import { searxng } from '../../../src/tools/search/index.js';
import { fetchPage } from '../../../src/tools/search/search.js';
import { collect } from '../../fault-server/collect.js';
import { type FaultServer, startFaultServer } from '../../fault-server/fault-server.js';
import { head, reply, send, sendBytes, stall, type Reply } from '../../fault-server/replies.js';

/**
 * Every limit on input, with a value just within and a value just beyond. Limits that need a browser or a clock are
 * tested elsewhere: the fourth restart in `browser/client/connect.test.ts`, silent streams in
 * `unit/providers/openai.test.ts`, budgets in `unit/agent/policy/budget.test.ts`, sizes of frames and their messages in
 * `browser/tools/browser`, output of a shell in `unit/tools/terminal`. Only `grep` in the shell accepts regular
 * expressions from a model; its worker is terminated at the time limit.
 */
type Attempt = () => unknown;
interface Limit {
  what: string;
  within: Attempt;
  beyond: Attempt;
  /** The text of the error. */
  says: string;
}

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const parsed = (text: string): void => {
  const read = parseCommands(text);
  if (!read.ok) throw new Error(read.error);
};
const withArgs = (args: string): string => `[{"command_name":"a","args":${args}}]`;
/** Nested in a list, a command and its arguments. */
const nested = (depth: number): string => withArgs(`{"b":${'['.repeat(depth - 3)}${']'.repeat(depth - 3)}}`);
/** Nested in a list, a command, a name, arguments and a list. */
const values = (count: number): string =>
  withArgs(
    `{"b":[${Array(count - 5)
      .fill(0)
      .join()}]}`,
  );
/** The same with an extra comma, which must be repaired. */
const repaired = (count: number): string => values(count).replace(']}}', ',]}}');

const files = (limits = {}) => new VirtualFiles({ now: () => 0, limits: { ...DEFAULT_LIMITS, ...limits } });
const empties = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ path: `/${number}`, content: '' }));
const bytes = (length: number) => new Uint8Array(length);

async function open(): Promise<Session> {
  const roles = [new RoleZero({ model: scriptedModel([]) })];
  return Session.open({ storage: memoryStorage(), name: 's', roles, askUser: null, emit: () => {} });
}
const unzipped = async (entries: Zippable, options: ImportZipOptions = {}) =>
  importZip((await open()).files, zipSync(entries), options);
/** The compression ratio of an entry of zeros. */
const ratioOf = (length: number): number => {
  const zip = zipSync({ a: bytes(length) });
  return length / new DataView(zip.buffer).getUint32(18, true);
};

const limits: Limit[] = [
  {
    what: 'commands in a reply: 64',
    within: () => parsed(JSON.stringify(Array(64).fill({ command_name: 'end', args: {} }))),
    beyond: () => {
      const read = parseCommands(JSON.stringify(Array(65).fill({ command_name: 'end', args: {} })));
      if (read.ok && read.excess) throw new Error(`${read.excess.length} beyond ${read.commands.length}`);
    },
    says: '1 beyond 64',
  },
  {
    what: 'levels of a reply: 64',
    within: () => parsed(nested(64)),
    beyond: () => parsed(nested(65)),
    says: 'nested deeper than 64 levels',
  },
  {
    what: 'values in a reply: 10,000',
    within: () => parsed(values(10_000)),
    beyond: () => parsed(values(10_001)),
    says: 'it holds more than 10000 values; send fewer at once',
  },
  {
    what: 'values in a reply that has to be repaired: 10,000',
    within: () => parsed(repaired(10_000)),
    beyond: () => parsed(repaired(10_001)),
    says: 'it holds more than 10000 values; send fewer at once',
  },
  {
    what: 'bytes of a file: 8 MiB',
    within: () => files().write('/a', bytes(8 * 1024 * 1024)),
    beyond: () => files().write('/a', bytes(8 * 1024 * 1024 + 1)),
    says: '8388608',
  },
  {
    what: 'bytes of all files',
    within: () => files({ totalBytes: 100 }).write('/a', bytes(100)),
    beyond: () => files({ totalBytes: 100 }).write('/a', bytes(101)),
    says: '100',
  },
  {
    what: 'files and directories: 10,000',
    within: () => files().writeAll(empties(10_000)),
    beyond: () => files().writeAll(empties(10_001)),
    says: '10000',
  },
  {
    what: 'characters of a path: 1,024',
    within: () => resolvePath(`/${'a/'.repeat(20)}${`${'x'.repeat(244)}/`.repeat(4)}`.slice(0, 1024)),
    beyond: () => resolvePath(`/${'a/'.repeat(20)}${`${'x'.repeat(246)}/`.repeat(4)}`.slice(0, 1025)),
    says: 'has 1025 characters; at most 1024 are allowed',
  },
  {
    what: 'characters of a name: 255',
    within: () => resolvePath(`/${'a'.repeat(255)}`),
    beyond: () => resolvePath(`/${'a'.repeat(256)}`),
    says: 'has a name of 256 characters; at most 255 are allowed',
  },
  {
    what: 'levels of directories: 64',
    within: () => resolvePath('/a'.repeat(64)),
    beyond: () => resolvePath('/a'.repeat(65)),
    says: 'is 65 names deep; at most 64 are allowed',
  },
  {
    what: 'entries of an archive: as many as there may be files',
    within: () => unzipped({ a: bytes(1), b: bytes(1) }, { limits: { files: 2 } }),
    beyond: () => unzipped({ a: bytes(1), b: bytes(1), c: bytes(1) }, { limits: { files: 2 } }),
    says: 'limits.files',
  },
  {
    what: 'bytes an archive comes to: as many as files may have',
    within: () =>
      unzipped({ a: bytes(600), b: bytes(400) }, { limits: { totalBytes: 1_000 }, maxRatio: 1e9 }),
    beyond: () =>
      unzipped({ a: bytes(600), b: bytes(401) }, { limits: { totalBytes: 1_000 }, maxRatio: 1e9 }),
    says: 'limits.totalBytes',
  },
  {
    what: 'how many times its packed bytes an entry comes to',
    within: () => unzipped({ a: bytes(2_000_000) }, { maxRatio: ratioOf(2_000_000) }),
    beyond: () => unzipped({ a: bytes(2_000_000) }, { maxRatio: ratioOf(2_000_000) - 0.01 }),
    says: 'raise maxRatio',
  },
  {
    what: 'the same by default: 100 times, over a megabyte',
    within: () => unzipped({ a: bytes(1024 * 1024) }),
    beyond: () => unzipped({ a: bytes(1024 * 1024 + 1) }),
    says: '"allowed":100',
  },
  {
    what: 'characters of a message: 1,000,000',
    within: async () => (await open()).send('x'.repeat(1_000_000)),
    beyond: async () => (await open()).send('x'.repeat(1_000_001)),
    says: 'The message has 1000001 characters, at most 1000000 are accepted',
  },
  {
    what: "characters of a session's name: 200",
    within: () => checkSessionName('x'.repeat(200)),
    beyond: () => checkSessionName('x'.repeat(201)),
    says: "A session's name may have 200 characters; this one has 201",
  },
  {
    what: 'characters of an address: 2,048',
    within: () => expect(unfit(`https://a.example/${'x'.repeat(2_048 - 18)}`)).toBeNull(),
    beyond: () => {
      throw new Error(unfit(`https://a.example/${'x'.repeat(2_049 - 18)}`) ?? 'fit');
    },
    says: 'it is longer than 2048 characters',
  },
  {
    what: "bytes of a search engine's answer: 4 MiB",
    within: () => answerOf(4 * 1024 * 1024),
    beyond: () => answerOf(4 * 1024 * 1024 + 1),
    says: 'its answer has more than 4194304 bytes',
  },
];

function answerOf(length: number): Promise<unknown> {
  const text = JSON.stringify({ results: [] });
  server.script([[head(200, { 'content-type': 'application/json' }), send(text.padEnd(length))]]);
  const signal = new AbortController().signal;
  return Promise.resolve(searxng({ baseURL: server.origin }).search('x', { maxResults: 1, signal }));
}

describe.each(limits)('$what', ({ within, beyond, says }) => {
  it('accepts a value just within', async () => {
    expect(await outcome(within)).toBe('taken');
  });
  it('rejects a value just beyond, by name', async () => {
    expect(await outcome(beyond)).toContain(says);
  });
});

async function outcome(attempt: Attempt): Promise<string> {
  try {
    await attempt();
    return 'taken';
  } catch (error) {
    const { message, detail } = error as { message: string; detail?: unknown };
    return `${message} ${JSON.stringify(detail)}`;
  }
}

describe('shortened input', () => {
  it('a model reply: 262,144 characters', async () => {
    const model = openai({ baseURL: server.url, model: 'm', contextWindow: 8_192 });
    for (const [length, reason] of [
      [262_144, 'stop'],
      [262_145, 'length'],
    ] as const) {
      server.script([reply('x'.repeat(length))]);
      const { chunks } = await collect(model);
      const text = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : [])).join('');
      expect([text.length, chunks.at(-1)]).toEqual([262_144, { type: 'finish', reason }]);
    }
  });

  it('an observation: 32,000 characters, the middle of a longer one is omitted', async () => {
    for (const length of [32_000, 32_001]) {
      const tool = defineTool({
        name: 'Long.text',
        description: 'Gives a long text.',
        input: z.object({}),
        run: () => `<${'x'.repeat(length - 2)}>`,
      });
      const think = [
        commands(['Long.text', {}]),
        commands(['RoleZero.reply_to_human', { content: 'ok' }], ['end', {}]),
      ];
      const { memory } = await runRole(
        new RoleZero({ model: scriptedModel({ think }), tools: [tool] }),
        'go',
      );
      const text = (memory[2]?.content ?? '').replace('Command Long.text executed: ', '');
      const stored = text.split(/\n… \d+ characters left out here …\n/);
      expect([stored.join('').length, stored.length]).toEqual([32_000, length - 31_999]);
      expect([text.startsWith('<'), text.endsWith('>')]).toEqual([true, true]);
    }
  });

  it.each<[string, (length: number) => Reply]>([
    [
      'with a content-length',
      (length) => [head(200, { 'content-length': `${length}`, ...plain }), send('x'.repeat(length))],
    ],
    ['without', (length) => [head(200, plain), send('x'.repeat(length))]],
    ['without an end', (length) => [head(200, plain), send('x'.repeat(length)), stall]],
    [
      'compressed to a thousandth',
      (length) => [
        head(200, { 'content-encoding': 'gzip', ...plain }),
        sendBytes(gzipSync('x'.repeat(length))),
      ],
    ],
  ])('a page: 1 MiB, %s', async (_how, page) => {
    const signal = new AbortController().signal;
    const lengthOf = async (length: number) => {
      server.script([page(length)]);
      return (await fetchPage(`${server.origin}/`, signal)).length;
    };
    if (!page(1).some(({ do: what }) => what === 'stall')) expect(await lengthOf(1_048_576)).toBe(1_048_576);
    expect(await lengthOf(1_048_577)).toBe(1_048_576);
    expect(await lengthOf(20_000_000)).toBe(1_048_576);
  });
});

const plain = { 'content-type': 'text/plain' };

it('default limits', () => {
  const role = new RoleZero({ model: scriptedModel([]) });
  expect({
    files: DEFAULT_LIMITS,
    silences: DEFAULT_TIME_LIMITS,
    engine: ENGINE_TIMEOUT,
    acts: role.maxSteps,
  }).toEqual({
    files: { fileBytes: 8 * 1024 * 1024, totalBytes: 256 * 1024 * 1024, files: 10_000 },
    silences: { firstByteMs: 120_000, idleMs: 30_000, totalMs: 600_000 },
    engine: 10_000,
    acts: 50,
  });
});

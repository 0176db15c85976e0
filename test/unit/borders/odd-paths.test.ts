import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../src/client/session.js';
import { importZip } from '../../../src/files/index.js';
import { resolvePath } from '../../../src/files/path.js';
import type { PolicyRule } from '../../../src/agent/policy/policy.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { rawZip } from '../files/raw-zip.js';

/** A forbidden file: a rule denies access. */
const SECRET = 'canary-51c7';
const RULES: PolicyRule[] = [{ tool: '*', path: '/secrets/**', do: 'deny' }];

type Step = readonly [name: string, args: Record<string, string>];
const shell = (cmd: string): Step => ['Terminal.run_command', { cmd }];
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

async function open(steps: readonly Step[], policy: readonly PolicyRule[] = RULES): Promise<Session> {
  const think = [
    ...steps.map((step) => commands(step)),
    commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
  ];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'odd',
    roles: [
      new RoleZero({
        model: scriptedModel({ think }),
        tools: [...editor(), ...terminal()],
        policy,
        maxSteps: steps.length + 5,
        summarize: false,
      }),
    ],
    askUser: async () => 'no',
    emit: () => {},
  });
  await session.files.write('/secrets/key.txt', SECRET);
  await session.files.write('/open/note.txt', 'open');
  return session;
}

/** Expects files only inside the workspace, and the forbidden file unchanged. */
async function checkPlaces(session: Session): Promise<string[]> {
  const paths = (await session.files.list()).map(({ path }) => path);
  for (const path of paths) expect(resolvePath(path)).toBe(path);
  expect(await session.files.read('/secrets/key.txt')).toBe(SECRET);
  expect(paths.filter((path) => path.startsWith('/secrets/'))).toEqual(['/secrets/key.txt']);
  return paths;
}

/** Names and separators of paths that try to leave a folder. */
const PIECES = [
  '..', '.', '...', '....', '.. ', ' ..', '..;', '..%00', '%2e%2e', '%2e.', '.%2e', '%252e%252e', '..%2f', '%2e%2e%2f', '..%5c', '%c0%ae%c0%ae',
  '%c0%af', '%e0%80%af', '%uff0e%uff0e', '..\u0000', '\u0000', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\u00a0', '\u00ad..', '\u200b..', '.\u200d.',
  '\u202e..', '\u2024\u2024', '\u2025', '\uff0e\uff0e', '\u3002\u3002', '\uff0f', '\u2215', '\u2044', '\u29f8', '\\', '..\\', '\\..\\', 'C:', 'c:\\', 'C:..',
  '\\\\?\\C:', '\\\\.\\pipe', 'file:', 'file://', 'http://', 'CON', 'NUL', 'COM1', 'aux.txt', 'LPT1:', '~', '~root', '$HOME', '${PWD}', '`pwd`', '$(pwd)',
  '*', '?', '[a]', '{a,b}', '-rf', '--', '|', ';', '&', '>', '<', '#', '!', "'", '"', ' ', '\t', '\n', '\r\n', '\ud800', '\udfff', '\ufeff', '\ufffe',
  'caf\u00e9', 'cafe\u0301', '\u{1f600}', '__proto__', 'constructor', 'toString', 'x'.repeat(255), 'x'.repeat(256), 'secrets', 'SECRETS',
  '\uff53ecrets', 'secrets ', 'secrets.', 'secrets::$DATA', 'key.txt', 'proc', 'self', 'etc', 'passwd', 'dev', 'null', '',
]; // prettier-ignore
const SEPARATORS = ['/', '//', '/./', '/../', '\\', '/ /', '', '%2f', '%5c', '/%2e%2e/'];

const oddPath = fc
  .array(
    fc.tuple(
      fc.constantFrom(...SEPARATORS),
      fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.flat().join(''));

/** Returns where a path resolves, or why it is rejected. */
function placeOf(path: string): string | null {
  try {
    return resolvePath(path);
  } catch {
    return null;
  }
}

describe('odd paths', () => {
  it('in the editor, resolve or are rejected; none reaches a forbidden file', async () => {
    const paths = fc.sample(oddPath, { numRuns: 60, seed: 7 });
    const all = [...new Set([...PIECES, ...paths])].filter((path) => path !== '');
    const session = await open(
      all.flatMap((path): Step[] => [
        ['Editor.write', { path, content: 'mine' }],
        ['Editor.read', { path: `/secrets/x/../${path}` }],
      ]),
    );
    expect((await (await session.send('go')).result).status).toBe('done');
    const there = new Set(await checkPlaces(session));
    const outputs = auditOf(await session.steps()).slice(0, -2);
    expect(outputs.length).toBe(2 * all.length);
    for (const [index, path] of all.entries()) {
      const place = placeOf(path);
      const isFree = place !== null && place !== '/secrets' && !place.startsWith('/secrets/');
      if (outputs[2 * index]?.ok === true) expect([path, isFree && there.has(place)]).toEqual([path, true]);
      if (place === null) expect([path, outputs[2 * index]?.ok]).toEqual([path, false]);
    }
    expect(JSON.stringify([session.messages(), outputs])).not.toContain(SECRET);
  });

  it('in a shell, stay inside the workspace', async () => {
    const paths = fc.sample(oddPath, { numRuns: 30, seed: 11 });
    const all = [...new Set([...PIECES, ...paths])].filter((path) => !path.includes('\u0000'));
    const session = await open(
      all.map((path) =>
        shell(
          `mkdir -p /w && cd /w; echo mine > ${quoted(path)}; cat ${quoted(path)}; cat ${quoted(`../secrets/${path}`)}`,
        ),
      ),
    );
    const { status, error } = await (await session.send('go')).result;
    expect([status, error]).toEqual(['done', null]);
    await checkPlaces(session);
    expect(JSON.stringify([session.messages(), auditOf(await session.steps())])).not.toContain(SECRET);
  });

  it('in archives lead into the folder of the import, or the archive is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(oddPath, async (name) => {
        const session = await open([]);
        const zip = rawZip([{ name, content: 'theirs' }]);
        const outcome = await importZip(session.files, zip, { path: '/in/here' }).then(
          () => 'imported',
          (error: unknown) => (error as { code: string }).code,
        );
        const added = (await checkPlaces(session)).filter((path) => !/^\/(secrets|open)(\/|$)/.test(path));
        if (outcome === 'imported')
          expect(added.filter((path) => !/^\/in(\/here(\/|$)|$)/.test(path))).toEqual([]);
        else expect([['invalid', 'permission'].includes(outcome), added]).toEqual([true, []]);
      }),
      { numRuns: 120 },
    );
  });
});

describe('a forbidden file is forbidden in every spelling', () => {
  const SPELLINGS = [
    '/secrets/key.txt',
    'secrets/key.txt',
    './secrets/key.txt',
    '//secrets///key.txt',
    '/secrets/./key.txt',
    '/secrets/key.txt/',
    '/open/../secrets/key.txt',
    'open/./.././secrets/key.txt',
    '/secrets/../secrets/key.txt',
    '/secrets/none/../key.txt',
    '/nowhere/at/all/../../../secrets/key.txt',
  ];
  it.each(SPELLINGS)('%s', async (path) => {
    expect(resolvePath(path)).toBe('/secrets/key.txt');
    const session = await open([
      ['Editor.read', { path }],
      ['Editor.write', { path, content: 'x' }],
      ['Editor.append_file', { path, content: 'x' }],
      ['Editor.search_file', { term: 'c', path }],
      ['Editor.open_file', { path }],
      shell(`cat ${quoted(path)}`),
      shell(`cat ${quoted(`../../..${path.startsWith('/') ? '' : '/'}${path}`)}`),
      shell(`echo x > ${quoted(path)}`),
    ]);
    await (
      await session.send('go')
    ).result;
    await checkPlaces(session);
    const outputs = auditOf(await session.steps()).slice(0, 8);
    expect(outputs.map(({ ok }) => ok)).toEqual(Array(8).fill(false));
    expect(JSON.stringify(session.messages())).not.toContain(SECRET);
  });

  it.each([
    'cd secrets && cat key.txt',
    'cat sec*/k*',
    "cat $'\\x2fsecrets/key.txt'",
    'cat "/sec""rets/key.txt"',
    'p=/sec; cat ${p}rets/key.txt',
    'cat < /secrets/key.txt',
    'cp -r / /copy',
    'cp -r /secrets /copy',
    'mv /secrets /moved',
    'ln -s /secrets/key.txt /link && cat /link',
    'ln /secrets/key.txt /link && cat /link',
    'find / -name key.txt -exec cat {} \\;',
    'find / -type f | xargs cat',
    'grep -r canary /',
    'tar cf /all.tar /secrets',
    'head -c 100 /dev/../secrets/key.txt',
    'cat /usr/bin/../../secrets/key.txt',
    'source /secrets/key.txt',
    'bash /secrets/key.txt',
    'diff /secrets/key.txt /open/note.txt',
    'while read line; do echo $line; done < /secrets/key.txt',
    'rm -rf /secrets',
    'rm -rf /*',
    'touch /secrets/more',
    'base64 /secrets/key.txt',
    'sed -i s/c/d/ /secrets/key.txt',
  ])('%s', async (cmd) => {
    const session = await open([shell(cmd)]);
    await (
      await session.send('go')
    ).result;
    const paths = await checkPlaces(session);
    const reported = JSON.stringify([session.messages(), auditOf(await session.steps())]);
    expect(reported).not.toContain(SECRET);
    expect(reported).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 12));
    for (const path of paths.filter((each) => !each.startsWith('/secrets')))
      if ((await session.files.stat(path))?.type === 'file')
        expect(await session.files.read(path)).not.toContain(SECRET);
  });
});

import { unzipSync, zipSync } from 'fflate';
import { afterEach, expect, test } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import type { FileChangeEvent } from '../../../src/core/files.js';
import { exportZip, importZip } from 'rolezero/files';
import { commands } from 'rolezero/testing';
import { project } from './project.js';

const name = crypto.randomUUID();
let session: Session | null = null;

afterEach(async () => {
  await session?.close();
  await sessions.remove(name);
});

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const encode = (text: string) => new TextEncoder().encode(text);
const run = (cmd: string) => ['Terminal.run_command', { cmd }] as const;

test('edits a project of 300 files from a zip, undoes one step, and exports the exact bytes', async () => {
  const files = project();
  expect(Object.keys(files)).toHaveLength(300);
  const edited = Object.keys(files)
    .filter((path) => decode(files[path]).includes('TODO'))
    .slice(0, 12);
  expect(edited).toHaveLength(12);
  const edits = edited.map((path) => {
    const old = decode(files[path]).split('\n')[3] ?? '';
    return { path, old, new: old.replace('TODO', 'DONE') };
  });
  const sed = (path: string) => decode(files[path]).replace(/old/g, 'new'); // Each line has one.
  const steps = [
    [
      ['Editor.search_dir', { search_term: 'TODO', path: '/project' }],
      ['Editor.find_file', { file_name: 'part12*.ts', path: '/project' }],
      ['Editor.open_file', { path: `/project/${edited[0]}` }],
    ],
    edits.map((edit) => ['Editor.replace_text', { ...edit, path: `/project/${edit.path}` }] as const),
    [
      run(
        "cd /project && grep -rn 'DONE' src | sed 's/.*DONE \\([a-z]*\\).*/\\1/' | sort | uniq -c | sort -rn > report.txt; cat report.txt",
      ),
      run(
        "find data -name '*.json' -exec jq -r .version {} \\; | sort | uniq -c | awk '{print $2, $1}' > versions.txt; cat versions.txt",
      ),
      run("find src/area3 -name '*.ts' -exec sed -i 's/old/new/' {} \\;"),
      run(
        'jq -c ".items | add" data/set7.json > sum.json; mkdir -p out; cp img/p1.bin out/copy.bin; mv "docs/0/note 0.md" docs/first.md',
      ),
    ],
    [
      run('rm -r docs img/p2.bin; sed -i s/export/import/ src/area4/*.ts; echo wrong > report.txt'),
      run('rm -r src/area5'),
    ],
  ] as const;
  const worker = new Worker(new URL('../tools/terminal/terminal.worker.ts', import.meta.url), {
    type: 'module',
  });
  const think = [...steps.map((step) => commands(...step)), commands(['end', {}])];
  session = await connect(worker, { session: name, config: { script: { think } } });
  const changes: FileChangeEvent[] = [];
  session.files.watch('/project/**/*.bin', (event) => changes.push(event));

  await importZip(session.files, new Blob([zipSync(files)]), { path: '/project' });
  expect(changes).toHaveLength(30);
  const events: AgentEvent[] = [];
  for await (const event of session.send('Work on the project')) events.push(event);
  const ends = events.filter((event) => event.type === 'command-end');
  expect(ends.filter(({ ok }) => !ok)).toEqual([]);
  const [searched, found, opened] = ends.map(({ output }) => output);
  expect(searched).toContain('[Found 13 matches for "TODO" in /project]');
  expect(found).toContain('/project/src/area0/part120.ts');
  expect(opened).toContain('[File: /project/src/area0/part0.ts (20 lines total)]');

  const wrong = (await session.files.history()).at(-1);
  const { paths, conflicts } = await session.files.undo(wrong?.step ?? '');
  expect(conflicts).toEqual([]);
  expect(paths).toHaveLength(59 + 1 + 1 + 15 + 15 + 1);

  const expected: Record<string, Uint8Array> = { ...files };
  for (const edit of edits)
    expected[edit.path] = encode(decode(files[edit.path]).replace(edit.old, edit.new));
  for (const path of Object.keys(files)) {
    if (!path.startsWith('src/area3/')) continue;
    expected[path] = encode(sed(path).replace('TODO', edited.includes(path) ? 'DONE' : 'TODO'));
  }
  const words = edits.map((edit) => /DONE (\w+)/.exec(edit.new)?.[1] ?? '');
  const counts = [...new Set(words)].map((word) => ({
    word,
    count: words.filter((each) => each === word).length,
  }));
  expected['report.txt'] = encode(
    counts
      .sort((one, other) => other.count - one.count || (one.word < other.word ? 1 : -1))
      .map(({ word, count }) => `${String(count).padStart(4)} ${word}\n`)
      .join(''),
  );
  expected['versions.txt'] = encode(['1.0.0 15\n', '1.1.0 15\n', '1.2.0 15\n', '1.3.0 15\n'].join(''));
  expected['sum.json'] = encode('21\n');
  expected['out/copy.bin'] = files['img/p1.bin'] ?? new Uint8Array();
  expected['docs/first.md'] = files['docs/0/note 0.md'] ?? new Uint8Array();
  delete expected['docs/0/note 0.md'];

  const zip = await exportZip(session.files, { path: '/project' });
  const unpacked = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  const out = Object.fromEntries(Object.entries(unpacked).filter(([path]) => !path.endsWith('/')));
  expect(Object.keys(out).sort()).toEqual(Object.keys(expected).sort());
  const differing = Object.keys(out).filter(
    (path) => decode(out[path]) !== decode(expected[path]) || out[path]?.length !== expected[path]?.length,
  );
  expect(differing.map((path) => ({ path, is: decode(out[path]), should: decode(expected[path]) }))).toEqual(
    [],
  );
});

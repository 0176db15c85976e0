import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, MAIN_JOB_SUMMARY, mainJobReply } from './main-job.js';
import { browsersLeft, endpoint, filesIn, KEY, place, run, server, useTry } from './try-run.js';
useTry();

describe('npm run try', () => {
  it('runs the request, shows it, and writes the files', async () => {
    server.script([mainJobReply], 'repeat');
    const out = join(place, 'out');
    const ending = await run(MAIN_JOB_REQUEST, ...endpoint(), '--answer', '2', '--out', out);
    expect(
      ending.stdout.replace(/\d+ ms|\d+\.\d s/g, '… ms').replace(/[\d,]+ tokens in, [\d,]+ out/, '… tokens'),
    ).toBe(
      `▶ Request: ${MAIN_JOB_REQUEST}

I will run Plan.append_task, Plan.append_task.
✓ Plan.append_task 1 … ms
✓ Plan.append_task 2 … ms
  [>] 1. Write the page
  [ ] 2. Colour it

I will run Editor.write, Editor.create_file, Plan.finish_current_task.
✓ Editor.write /site/index.html … ms
✓ Editor.create_file /site/log.txt … ms
✓ Plan.finish_current_task … ms
  [x] 1. Write the page
  [>] 2. Colour it

I will run RoleZero.ask_human.
? Which color?
    1. red
    2. blue
  → blue

I will run Editor.edit_file_by_replace.
✓ Editor.edit_file_by_replace /site/index.html … ms

I will run Editor.append_file, Plan.finish_current_task.
✓ Editor.append_file /site/log.txt … ms
✓ Plan.finish_current_task … ms
  [x] 1. Write the page
  [x] 2. Colour it

I will run RoleZero.reply_to_human, end.
● Zero: Your bakery has a page: /site/index.html.
✓ end … ms
✓ Done. ${MAIN_JOB_SUMMARY}
  6 calls, … tokens
  wrote ${join(out, 'site/index.html')} (56 bytes)
  wrote ${join(out, 'site/log.txt')} (33 bytes)
`,
    );
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(await filesIn(out)).toEqual(MAIN_JOB_FILES);
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(browsersLeft()).toEqual([]);
    expect(await readdir(place)).toEqual(['out']);
  });

  it('prints help, and explains an invalid command line', async () => {
    const help = await run('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--context-window N');
    expect(await run('hi', '--model', 'm')).toEqual({
      code: 64,
      stdout: '',
      stderr:
        'No model: pass --base-url URL as well, or --tour to see a recorded run.\nFor all options: npm run try -- --help\n',
    });
  });
});

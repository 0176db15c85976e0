import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localServers } from '../../src/providers/detect/detect-models.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, MAIN_JOB_SUMMARY, mainJobReply } from './main-job.js';
import { browsersLeft, endpoint, filesIn, KEY, place, run, server, useTry } from './try-run.js';
useTry();

describe('npm run try', () => {
  it('does what is asked, shows it, and writes the files', async () => {
    server.script([mainJobReply], 'repeat');
    const out = join(place, 'out');
    const ending = await run(MAIN_JOB_REQUEST, ...endpoint(), '--answer', '2', '--out', out);
    expect(ending.stdout.replace(/\d+ ms|\d+\.\d s/g, '… ms')).toBe(
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
? Which colour?
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

  it('tells what it finds on this machine, and how to get a model where it finds none', async ({ skip }) => {
    const taken = await localServers();
    if (taken.length > 0) skip('a model server runs on this machine');
    const ending = await run('Write a game', '--profile', join(place, 'profile'));
    expect(ending.code).toBe(64);
    const [webgpu, chrome, servers, remote, download, ...rest] = ending.stdout.split('\n');
    expect(webgpu).toContain('WebGPU');
    expect(chrome).toMatch(/^The browser (has|would)/);
    expect(servers).toContain('No model server answers on this machine at its usual port');
    expect(remote).toBe('No remote endpoint is set.');
    expect(download).toContain('(Qwen2.5 1.5B Instruct, 1.1 GB), and the user has not agreed to that.');
    expect(rest).toEqual(['']); // no recording is played instead
    expect(ending.stderr).toMatch(/^No model was found on this machine\./);
    for (const command of [
      'ollama pull qwen3:8b',
      "npm run try -- 'Write a game' --base-url http://localhost:11434/v1 --model qwen3:8b",
      "ROLEZERO_API_KEY=your-key npm run try -- 'Write a game' --base-url https://api.openai.com/v1 --model gpt-5-mini",
      "npm run try -- 'Write a game' --download",
      'npm run try -- --tour build-a-game',
    ])
      expect(ending.stderr).toContain(`  ${command}\n`);
    expect(browsersLeft()).toEqual([]);
  });

  it('explains itself, and what is wrong with a command line', async () => {
    const help = await run('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--context-window N');
    expect(await run('hi', '--model', 'm')).toEqual({
      code: 64,
      stdout: '',
      stderr:
        'No model: give --base-url URL as well, or --tour to see a recorded run.\nAll there is: npm run try -- --help\n',
    });
  });
});

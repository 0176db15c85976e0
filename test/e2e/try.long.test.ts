import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from 'rolezero';
import { localServers } from '../../src/providers/detect/detect-models.js';
import { hold, refusal, reply, streaming, text } from '../fault-server/replies.js';
import { startModelServer } from '../tiny-model/server.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, MAIN_JOB_SUMMARY, mainJobReply } from './main-job.js';
import {
  browsersLeft,
  endpoint,
  filesIn,
  KEY,
  place,
  proposed,
  run,
  server,
  start,
  useTry,
} from './try-run.js';
import { firstOf } from '../size.js';
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

  it('lists what it finds on this machine, and explains how to get a model where it finds none', async ({
    skip,
  }) => {
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
    expect(rest).toEqual(['']); // No recording is played instead.
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

  it('waits when no user answers, and continues with the command it prints', async () => {
    server.script([mainJobReply], 'repeat');
    const waiting = await run(MAIN_JOB_REQUEST, ...endpoint());
    expect(waiting).toMatchObject({ code: 2, stderr: '' });
    expect(waiting.stdout).toMatch(
      /\? Which color\?\n {4}1\. red\n {4}2\. blue\n\? Waiting for an answer\.\n/,
    );
    expect(waiting.stdout).not.toContain(KEY);
    const line = proposed(waiting.stdout);
    const ended = await run(...line, '--key', KEY, '--answer', 'blue', '--out', join(place, 'out'), '--json');
    expect(ended.code).toBe(0);
    const events = ended.stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as AgentEvent);
    expect(events[0]).toMatchObject({ type: 'run-start', request: MAIN_JOB_REQUEST, resumed: true });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done', summary: MAIN_JOB_SUMMARY });
    expect(ended.stderr).toContain('? Which color?');
    expect(await filesIn(join(place, 'out'))).toEqual(MAIN_JOB_FILES);
    const nothing = await run(...line, '--key', KEY);
    expect(nothing.code).toBe(64);
    expect(nothing.stderr).toContain('The session "default" has no interrupted run');
  });

  it('plays the recorded tour and labels it as one', { tags: 'nightly' }, async () => {
    const out = join(place, 'out');
    const { code, stdout, stderr } = await run('--tour', '--answer', 'Forest', '--out', out);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^This is a recording: no model is running\./);
    expect(stdout).toContain('  → Forest\n');
    expect(Object.keys(await filesIn(out)).sort()).toEqual(['/game.js', '/index.html', '/style.css']);
    expect(browsersLeft()).toEqual([]);
  });

  it.each(
    firstOf([
      ['build-a-game', '  → Forest (recorded answer)\n'],
      ['find-and-fix', '  → yes (recorded answer)\n'],
    ]),
  )('plays the tour %s to its end without a terminal, with the recorded answers', async (tour, answer) => {
    const { code, stdout, stderr } = await run('--tour', tour);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(answer);
    expect(stdout).toContain('✓ Done.');
    expect(browsersLeft()).toEqual([]);
  });

  it(
    'plays another tour by name, and continues when the page is reloaded during it',
    { tags: 'nightly' },
    async () => {
      const out = join(place, 'out');
      const { code, stdout, stderr } = await run('--tour', 'survive-a-reload', '--out', out);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('The page is reloaded in the middle of a thought.');
      expect(Object.keys(await filesIn(out)).sort()).toEqual([
        '/guide/1.md',
        '/guide/2.md',
        '/guide/3.md',
        '/guide/4.md',
        '/guide/contents.md',
      ]);
      expect(stdout.match(/✓ Editor\.write/g)).toHaveLength(5);
      expect(browsersLeft()).toEqual([]);
    },
  );

  it(
    'shows pages to the agent in a tour that needs them, and no command fails',
    { tags: 'nightly' },
    async () => {
      const { code, stdout, stderr } = await run('--tour', 'find-and-fix', '--answer', 'yes');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(stdout.match(/✓ Browser\.goto/g)).toHaveLength(3);
      expect(stdout).not.toContain('✗');
    },
  );

  it('fails with a code and a message when the key is rejected, and does not print the key', async () => {
    server.script([refusal(401, `Incorrect API key provided: ${KEY}.`)], 'repeat');
    const { code, stdout, stderr } = await run('hi', ...endpoint());
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ Failed \(model-request\): .* refused the API key, or the key may not use scripted/,
    );
    expect(stdout + stderr).not.toContain(KEY);
    expect(browsersLeft()).toEqual([]);
  });

  it('fails with possible causes when no user is connected', async () => {
    const { origin } = server;
    await server.close();
    const line = ['hi', '--base-url', `${origin}/v1`, '--model', 'scripted', '--context-window', '8192'];
    const { code, stdout } = await run(...line);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ Failed \(model-unreachable\): Could not reach 127\.0\.0\.1:\d+\. Nothing listens at /,
    );
    expect(stdout).not.toContain('CORS');
  });

  it('stops at Ctrl+C and saves the completed work', async () => {
    server.script([[streaming, text('I think of'), hold]]);
    const { child, ended, until } = start(MAIN_JOB_REQUEST, ...endpoint());
    await until('I think of');
    child.kill('SIGINT');
    const stopped = await ended;
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toContain('Stopping. Press Ctrl+C again to quit at once.\n■ Stopped.\n');
    expect(browsersLeft()).toEqual([]);
    server.script([mainJobReply], 'repeat');
    const done = await run(...proposed(stopped.stdout), '--key', KEY, '--answer', 'blue');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`▶ Continuing: ${MAIN_JOB_REQUEST}\n`);
  });

  it('quits at once on SIGTERM, and leaves no process running', async () => {
    server.script([[streaming, text('I think of'), hold]]);
    const { child, ended, until } = start(MAIN_JOB_REQUEST, ...endpoint());
    await until('I think of');
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    expect(stdout).toMatch(/Quit\.\nContinue with: npm run try -- --profile /);
    expect(browsersLeft()).toEqual([]);
  });

  it('prints no control sequences of a model', async () => {
    const evil = 'red \u001b[31m title \u001b]0;owned\u0007 C1 \u009b2J';
    server.script([reply(evil)], 'repeat');
    const { code, stdout } = await run('hi', ...endpoint());
    expect([code, stdout]).toEqual([0, expect.stringContaining('● Zero: red  title  C1\n')]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('runs a GGUF file on the processor', async () => {
    const models = await startModelServer();
    const profile = join(place, 'profile');
    const attempt = start('hi', '--gguf', `${models.origin}/try/chain.gguf`, '--profile', profile, '--json');
    await attempt.until('chain.gguf is ready on the processor.');
    attempt.child.kill('SIGINT');
    attempt.child.kill('SIGINT');
    const { code, stdout } = await attempt.ended;
    await models.close();
    expect(code).toBe(3);
    expect(stdout).toContain('Downloading chain.gguf, 1 of 1 MB.');
  });
});

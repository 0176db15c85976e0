import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../../src/runtimes/git/node.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import type { TerminalOptions } from '../../../src/tools/terminal/terminal-options.js';
import { gitServer } from './git-server.js';
import { inTerminal, run } from './harness.js';

/** Runs command lines in one session, each of them separately, and returns what they printed, with hashes replaced. */
async function printed(...lines: string[]): Promise<string[]> {
  const { printed: all } = await inTerminal(git(), lines.map(run));
  return all.map((text) => text.replaceAll(/\b[0-9a-f]{7,40}\b/gu, 'HASH'));
}
const START =
  'git init -q; printf "one\\ntwo\\nthree\\n" > a.txt; mkdir d; echo x > d/b.txt; git add .; git commit -qm First';

describe('git', () => {
  it('initializes, shows the status, adds and commits', async () => {
    const [created, before, staged, committed] = await printed(
      'git init; git status',
      'echo 1 > a.txt; mkdir d; echo 2 > d/b.txt; git status; git status -s',
      'git add .; git status',
      'git commit -m "First commit"; git status; git log --format="%s|%an|%ae"',
    );
    expect(created).toBe(
      'Initialized empty Git repository in /.git/\nOn branch main\n\nNo commits yet\n\nnothing to commit (create/copy files and use "git add" to track)\n',
    );
    expect(before).toBe(
      'On branch main\n\nNo commits yet\n\nUntracked files:\n  (use "git add <file>..." to include in what will be committed)\n\ta.txt\n\td/\n\n' +
        'nothing added to commit but untracked files present (use "git add" to track)\n?? a.txt\n?? d/\n',
    );
    expect(staged).toContain(
      'Changes to be committed:\n  (use "git restore --staged <file>..." to unstage)\n\tnew file:   a.txt\n\tnew file:   d/b.txt\n',
    );
    expect(committed).toBe(
      '[main (root-commit) HASH] First commit\n 2 files changed, 2 insertions(+)\nOn branch main\nnothing to commit, working tree clean\nFirst commit|Agent|agent@localhost\n',
    );
  });

  // Times are equal in this session. The edit was "nothing to commit", and lost with the next switch.
  it('sees an edit that has the time and the size of the file before', async () => {
    const [committed, after] = await printed(
      'git init -q -b main; echo black > a.css; git add .; git commit -qm Black; git switch -qc dark',
      'echo white > a.css; git status -s; git commit -qam White; git switch -q main; cat a.css; git merge -q dark > /dev/null; cat a.css; git log --format=%s',
    );
    expect(committed).toBe('');
    expect(after).toBe(' M a.css\nblack\nwhite\nWhite\nBlack\n');
  });

  it('shows differences as patches and as statistics', async () => {
    const [, patch, statistics, staged] = await printed(
      START,
      'printf "one\\n2\\nthree\\nfour\\n" > a.txt; rm d/b.txt; git status -s; git diff',
      'git diff --stat; git diff --name-status -- a.txt',
      'git diff --cached; git add -A; git diff; git diff --cached --name-only; git diff HEAD --shortstat',
    );
    expect(patch).toBe(
      ' M a.txt\n D d/b.txt\ndiff --git a/a.txt b/a.txt\nindex HASH..HASH 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n' +
        'diff --git a/d/b.txt b/d/b.txt\ndeleted file mode 100644\nindex HASH..HASH\n--- a/d/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    );
    expect(statistics).toBe(
      ' a.txt   | 3 ++-\n d/b.txt | 1 -\n 2 files changed, 2 insertions(+), 2 deletions(-)\nM\ta.txt\n',
    );
    expect(staged).toBe('a.txt\nd/b.txt\n 2 files changed, 2 insertions(+), 2 deletions(-)\n');
  });

  it('lists and shows commits', async () => {
    const [, logs, shows, medium] = await printed(
      START,
      'echo 4 >> a.txt; git commit -qam "Second"; git log --oneline; git log --oneline -- d; git log --format=%s HEAD~1..',
      'git show HEAD~1:a.txt; git show --format=%s --stat; git log --oneline none',
      'git log -1',
    );
    expect(logs).toBe('HASH Second\nHASH First\nHASH First\nSecond\n');
    expect(shows).toBe(
      "one\ntwo\nthree\nSecond\n\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\nfatal: ambiguous argument 'none': unknown revision or path not in the working tree.\n[exit code]: 128",
    );
    expect(medium).toMatch(
      /^commit HASH\nAuthor: Agent <agent@localhost>\nDate: {3}\w{3} \w{3} \d{1,2} \d\d:\d\d:\d\d \d{4} \+0000\n\n {4}Second\n$/u,
    );
  });

  it('creates, switches, merges and deletes branches', async () => {
    const [, created, back, merged, deleted] = await printed(
      START,
      'git switch -q -c feature; echo f > f.txt; git add f.txt; git commit -qm Feature; git branch',
      'git checkout -q main; ls',
      'git merge feature; ls; git log --format=%s',
      'git branch -d feature; git branch --show-current; git branch -d main; git switch none',
    );
    expect(created).toBe('* feature\n  main\n');
    expect(back).toBe('a.txt\nd\n');
    expect(merged).toBe(
      'Updating HASH..HASH\nFast-forward\n f.txt | 1 +\n 1 file changed, 1 insertion(+)\na.txt\nd\nf.txt\nFeature\nFirst\n',
    );
    expect(deleted).toBe(
      "Deleted branch feature (was HASH).\nmain\nerror: cannot delete branch 'main' used by worktree at '/'\nfatal: invalid reference: none\n[exit code]: 128",
    );
  });

  it('marks conflicts, and merges when they are resolved', async () => {
    const conflict =
      'git switch -q -c other; echo theirs > a.txt; git commit -qam theirs; git switch -q main; echo ours > a.txt; git commit -qam ours; git merge other; echo $?; cat a.txt; git status -s';
    const [, failed, refused, resolved, aborted] = await printed(
      START,
      conflict,
      'git commit -m x; echo $?',
      'echo both > a.txt; git add a.txt; git commit -qm Merged; git log -1 --format=%s:%p | wc -w; git status -s',
      'git reset -q --hard HEAD~1; git merge -q other > /dev/null; git merge --abort; cat a.txt; git status -s',
    );
    expect(failed).toBe(
      'Auto-merging a.txt\nCONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed; fix conflicts and then commit the result.\n1\n' +
        '<<<<<<< main\nours\n=======\ntheirs\n>>>>>>> other\nUU a.txt\n',
    );
    expect(refused).toContain('128\nerror: Committing is not possible because you have unmerged files.');
    expect(resolved).toBe('2\n');
    expect(aborted).toBe('ours\n');
  });

  it('refuses to lose changes', async () => {
    const [, refused] = await printed(
      START,
      'git switch -q -c other; echo 1 > a.txt; git commit -qam other; git switch -q main; echo mine > a.txt; git switch other; git merge other; cat a.txt',
    );
    expect(refused).toBe(
      'mine\nerror: Your local changes to the following files would be overwritten by checkout:\n\ta.txt\nPlease commit your changes or stash them before you switch branches.\nAborting\n' +
        'error: Your local changes to the following files would be overwritten by merge:\n\ta.txt\nPlease commit your changes or stash them before you merge.\nAborting\n',
    );
  });

  it('stashes changes', async () => {
    const [, pushed, popped, empty] = await printed(
      START,
      'echo change >> a.txt; git stash -m note; git status -s; git stash list; git stash show',
      'git stash pop; git status -s; git stash list',
      'git stash pop; git stash -u',
    );
    expect(pushed).toBe(
      'Saved working directory and index state On main: note\nstash@{0}: note: HASH First\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\n',
    );
    expect(popped).toBe('Dropped stash@{0}\n M a.txt\n');
    expect(empty).toBe(
      'No stash entries found.\nerror: git stash here takes no paths, no -u and no -k; add new files with git add first.\n[exit code]: 129',
    );
  });

  it('restores, resets, removes, moves and tags', async () => {
    const [, restored, moved, reset, tagged] = await printed(
      START,
      'echo 1 > a.txt; git checkout -- a.txt; cat a.txt | head -1; echo 2 > a.txt; git add a.txt; git restore --staged a.txt; git status -s; git restore a.txt; git status -s',
      'git mv a.txt e.txt; git rm -q --cached d/b.txt; git status -s; git ls-files',
      'git reset --hard; git status -s; ls; echo 3 > a.txt; git commit -qam Third; git reset --soft HEAD~1; git status -s; git reset -q; git status -s',
      'git tag v1; git tag -a v2 -m two; git tag; git rev-parse v2 HEAD | uniq | wc -l; git rev-parse --abbrev-ref HEAD',
    );
    expect(restored).toBe('one\n M a.txt\n');
    expect(moved).toBe('D  a.txt\nD  d/b.txt\nA  e.txt\n?? d/\ne.txt\n');
    expect(reset).toBe('HEAD is now at HASH First\na.txt\nd\nM  a.txt\n M a.txt\n');
    expect(tagged).toBe('v1\nv2\n1\nmain\n');
  });

  it('ignores what .gitignore names, and reads the configuration', async () => {
    const [ignored, configured] = await printed(
      'git init -q; printf "*.log\\nout/\\n" > .gitignore; echo x > x.log; mkdir out; echo y > out/y; git status -s; git add x.log; git add .; git ls-files',
      'git config user.name Me; git config user.email me@example.org; git config user.name; git commit -qm x; git log --format="%an %ae"',
    );
    expect(ignored).toBe(
      '?? .gitignore\n.gitignore\nThe following paths are ignored by one of your .gitignore files:\nx.log\nhint: Use -f if you really want to add them.\n',
    );
    expect(configured).toBe('Me\nMe me@example.org\n');
  });

  it('names what is not there, and what is', async () => {
    const [outside, unknown] = await printed(
      'git status; git log',
      'git init -q; git rebase main; git commit --nope; git commit',
    );
    expect(outside).toContain('fatal: not a git repository (or any of the parent directories): .git');
    expect(unknown).toContain("git: 'rebase' is not available here. There are: add branch checkout");
    expect(unknown).toContain("error: unknown option `--nope' of git commit. There are: --message --all");
    expect(unknown).toContain('error: there is no editor here; give the message with -m');
  });
});

describe('git on the network', () => {
  let server: Awaited<ReturnType<typeof gitServer>>;
  beforeAll(async () => {
    server = await gitServer();
  });
  afterAll(() => server.close());

  /** Runs command lines in a session whose user answers every question. */
  async function session(lines: readonly string[], network?: TerminalOptions['network'], answer = 'yes') {
    const questions: string[] = [];
    const opened = await Session.open({
      storage: memoryStorage(),
      name: 'git',
      roles: [
        new RoleZero({
          model: scriptedModel({
            think: [...lines.map((line) => commands(run(line))), commands(['end', {}])],
          }),
          tools: terminal({ runtimes: [git()], ...(network === undefined ? {} : { network }) }),
        }),
      ],
      askUser: async ({ command }) => {
        questions.push(String(command?.args['cmd']));
        return answer;
      },
      emit: () => {},
      now: Date.now,
    });
    await (
      await opened.send('go')
    ).result;
    const results = opened
      .messages()
      .flatMap(({ metadata }) => (metadata?.['results'] ?? []) as { from?: string[]; output: string }[]);
    const untrusted = async (path: string) => (await opened.files.stat(path))?.untrusted;
    return { results: results.filter(({ output }) => output.includes('[command]')), questions, untrusted };
  }

  it('reaches no address that the application has not allowed', async () => {
    const line = [`git clone ${server.url}r.git; ls`];
    const elsewhere = {
      urls: ['https://other.example/', `${server.url}other/`],
      methods: ['GET', 'POST'] as const,
    };
    for (const network of [undefined, elsewhere]) {
      const { results } = await session(line, network);
      expect(results[0]?.output).toContain(
        `the application has not allowed it. It can, with terminal({ network: { urls: ['${server.url}'], methods: ['GET', 'POST'] } }).`,
      );
    }
    expect(server.requests).toEqual([]);
    const { results } = await session(line, { urls: [server.url] });
    expect(results[0]?.output).toContain('the application has not allowed it');
    expect(server.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('clones, labels what it fetched, and asks the user before it pushes after that', async () => {
    const network = { urls: [server.url], methods: ['GET', 'POST'] as const };
    const clone = `git clone -q ${server.url}r.git`;
    const push =
      'cd r; cat file.txt; echo local > new.txt; git add .; git commit -qm Local; git push; git pull';
    const { results, questions, untrusted } = await session([clone, push], network);
    expect(questions).toEqual([push]); // what was cloned is untrusted content
    expect(results[1]?.output).toContain('remote\n');
    expect(results[1]?.output).toContain('Already up to date.');
    expect(server.git('log', '--format=%s|%an', 'main')).toBe('Local|Agent\nFrom the server|R\n');
    const { origin } = new URL(server.url);
    expect(results[0]?.from).toEqual([origin]);
    expect(await untrusted('/r/file.txt')).toEqual([origin]);
    const denied = await session([clone, push], network, 'no');
    expect(denied.questions).toEqual([push]);
    expect(server.git('rev-list', '--count', 'main')).toBe('2\n');
  });
});

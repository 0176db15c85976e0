import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}.github/workflows`;

interface Job {
  needs?: string | string[];
  uses?: string;
  permissions?: Record<string, string>;
  environment?: string;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
  strategy?: { matrix: { node: number[] } };
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>;
};
const texts = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const),
);
const workflows = new Map([...texts].map(([name, text]) => [name, parse(text) as Workflow] as const));
const jobsOf = (name: string): Record<string, Job> => workflows.get(name)?.jobs ?? {};
const runsOf = (job: Job | undefined): string[] => (job?.steps ?? []).flatMap(({ run = [] }) => run);
const all = [...workflows.values()].flatMap(({ jobs }) => Object.values(jobs));

/** Returns the jobs that must succeed before a job starts. */
function neededBy(jobs: Record<string, Job>, name: string): string[] {
  const direct = [jobs[name]?.needs ?? []].flat();
  return [...new Set([...direct, ...direct.flatMap((needed) => neededBy(jobs, needed))])].toSorted();
}

describe('the workflows', () => {
  it('pin each action by its commit, with the version as a comment', () => {
    const uses = [...texts.values()].flatMap((text) => text.match(/^.*\buses:.*$/gm) ?? []);
    expect(uses.length).toBeGreaterThan(10);
    const isPinned = (line: string) => / uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line);
    const isOwn = (line: string) => / uses: \.\/\.github\/workflows\/ci\.yml$/.test(line);
    expect(uses.filter((line) => !isPinned(line) && !isOwn(line))).toEqual([]);
    // One commit for each action.
    const pins = new Set(uses.flatMap((line) => / uses: (\S+@\S+)/.exec(line)?.[1] ?? []));
    expect(pins.size).toBe(new Set([...pins].map((pin) => pin.split('@')[0])).size);
  });

  it('run only commands that package.json has', () => {
    const commands = all
      .flatMap(runsOf)
      .flatMap((run) => [...run.matchAll(/\bnpm (?:run ([\w:-]+)|(test)\b)/g)])
      .map(([, script, test]) => script ?? test ?? '');
    expect(commands).toEqual(expect.arrayContaining(['check', 'test', 'test:gate', 'test:all', 'build']));
    expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
  });

  it('may only read the repository, except for jobs that publish a release or the site', () => {
    expect([...workflows.values()].map(({ permissions }) => permissions)).toEqual(
      [...workflows].map(() => ({ contents: 'read' })),
    );
    const more = [...workflows].flatMap(([name, { jobs }]) =>
      Object.entries(jobs).flatMap(([job, { permissions }]) =>
        permissions === undefined ? [] : [[`${name} ${job}`, permissions]],
      ),
    );
    expect(Object.fromEntries(more)).toEqual({
      'release.yml publish': { actions: 'read', 'id-token': 'write' },
      'release.yml announce': { actions: 'read', contents: 'write' },
      'site.yml publish': { pages: 'write', 'id-token': 'write' },
    });
  });

  it('run check, tests and gate, on Node 20 and the current long-term support', () => {
    const { check, test, gate } = jobsOf('ci.yml');
    expect([check, test, gate].map((job) => runsOf(job).at(-1))).toEqual([
      'npm run check -- --no-cache',
      'npm test',
      'npm run test:gate',
    ]);
    expect([test, gate].map((job) => job?.strategy?.matrix.node)).toEqual([
      [20, 24],
      [20, 24],
    ]);
  });

  it('publish only what has passed, without running code of the repository beside the identity', () => {
    const jobs = jobsOf('release.yml');
    expect(neededBy(jobs, 'publish')).toEqual(['ci', 'pack', 'verify']);
    expect(neededBy(jobs, 'announce')).toEqual(['ci', 'pack', 'publish', 'verify']);
    expect(jobs['ci']?.uses).toBe('./.github/workflows/ci.yml');
    const { publish } = jobs;
    expect(publish?.environment).toBe('npm');
    const publishing = runsOf(publish).filter((run) => run.startsWith('npm'));
    expect(publishing).toEqual(
      ['rolezero', 'create-rolezero'].map(
        (name) =>
          `npm publish ./release/${name}-*.tgz --provenance --access public --tag "$DIST_TAG" --ignore-scripts`,
      ),
    );
    const publishers = all.filter((job) => runsOf(job).some((run) => run.includes('npm publish')));
    expect(publishers).toEqual([publish]);
    expect(JSON.stringify(publish?.steps)).not.toMatch(/actions\/checkout|npm (ci|install|run)/);
  });
});

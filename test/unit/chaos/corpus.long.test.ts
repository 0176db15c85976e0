import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SessionExport } from '../../../src/core/store.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { replay } from '../../../src/testing/index.js';
import { CORPUS_JOBS, corpusJob } from '../../chaos/corpus/jobs.js';
import { goOn } from '../../chaos/corpus/outcome.js';
import { readSessions } from '../../chaos/corpus/recorded.js';
import { inTodaysWords } from '../../chaos/corpus/reworded.js';
import { seen } from '../../chaos/corpus/seen.js';
import { composed, opened } from '../../chaos/record-sessions.js';
import type { Job } from '../../chaos/simulation/jobs.js';

/** One folder per format that was ever released. Never change their content. */
const folder = fileURLToPath(new URL('../../fixtures/sessions/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);

/** The first recorded sessions, one file each. */
const single = files.filter((name) => name.endsWith('.json'));

/** Later recordings: all sessions of a release in one file, with their visible state. */
const together = files
  .filter((name) => name.endsWith('.jsonl.br'))
  .flatMap((file) => readSessions(`${folder}${file}`).map((session) => ({ ...session, file })));

/**
 * Jobs and sessions in which the model now receives other observations than when they were recorded, and why. Their sessions look as recorded and
 * continue to an end, which is not the recorded one.
 */
const CHANGED: Readonly<Record<string, string>> = {
  failing: 'Commands after a failed one are named in its observation, and half a file is not written.',
  circling: 'Writing the content that a file already has says so.',
  ...Object.fromEntries(
    ['two pieces of work', 'four pieces of work', 'many pieces of work, much of it remembered'].map(
      (name) => [name, 'A task on which nothing was done is finished at the second attempt.'],
    ),
  ),
  'alone, closed at 28+': 'It continues with a repair that holds more than its reply, which is not run.',
  'patching, done': 'The result of an edit shows five lines on both sides.',
  'long, done': 'The result of an edit shows five lines on both sides.',
  refused: 'Commands after a refused one are named in its observation.',
  replanning: 'Finishing the next task of a plan is no repetition.',
  'naming in lines': 'A line break in a path is read as a backslash and an n.',
};

function jobOf(name: string): Job {
  const job = CORPUS_JOBS.find((each) => name.split('/').at(-1)?.startsWith(`${each.name}-`));
  if (job === undefined) throw new Error(`unknown job of ${name}`);
  return job;
}

const read = (name: string): SessionExport =>
  JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as SessionExport;

/** The result of an import and another export. */
async function carried(document: SessionExport): Promise<unknown> {
  const storage = memoryStorage();
  await storage.import(document);
  return JSON.parse(JSON.stringify(await storage.export(document.name)));
}

describe('sessions recorded by every release', () => {
  it('are complete: two hundred or more, none twice, and small', () => {
    expect(single.length).toBeGreaterThanOrEqual(24);
    expect(together.length).toBeGreaterThanOrEqual(250);
    const records = together.map(({ job, document }) => JSON.stringify([job, document.records]));
    expect(new Set(records).size).toBe(together.length);
    const bytes = files.reduce((sum, name) => sum + statSync(`${folder}${name}`).size, 0);
    expect(bytes).toBeLessThan(1_000_000);
  });

  it.each(single)('%s opens, and passes through import and export unchanged', async (name) => {
    expect(await carried(read(name))).toEqual(read(name));
  });

  it.each(single.filter((name) => name.includes('-done')))('%s replays without differences', async (name) => {
    const { differences } = await replay(inTodaysWords(read(name)), (models) =>
      composed(jobOf(name), models),
    );
    expect(differences).toEqual([]);
  });

  it.each(single.filter((name) => name.includes('-interrupted')))('%s continues to its end', async (name) => {
    const job = jobOf(name);
    await goOn(await opened({ job: job.name, document: read(name) }), job);
  });

  it.each(together)(
    '$file: "$name" looks as recorded, replays and continues',
    async ({ job: name, document, seen: shown, plays, end }) => {
      const job = corpusJob(name);
      expect(await carried(document)).toEqual(document);
      const session = await opened({ job: name, document });
      expect(inTodaysWords(await seen(session))).toEqual(inTodaysWords(shown));
      const hasChanged = [name, document.name].some((each) => Object.hasOwn(CHANGED, each));
      if (plays && !hasChanged) {
        const { differences } = await replay(inTodaysWords(document), (models) => composed(job, models));
        expect(differences).toEqual([]);
      }
      if (end !== null && !hasChanged)
        expect(inTodaysWords(await goOn(session, job))).toEqual(inTodaysWords(end));
      else if (end !== null) await goOn(session, job);
      else await goOn(session, { ...job, request: 'and once more' }); // It behaves like a new one.
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/storage/index.js';
import { replay } from '../../../src/testing/index.js';
import { composed, RECORDED } from '../../chaos/record-sessions.js';
import { Dice } from '../../chaos/simulation/dice.js';
import { openFor } from '../../chaos/simulation/simulate.js';
import { Life, World } from '../../chaos/simulation/world.js';

/** One folder for each format that was ever released; nothing in them is ever changed. */
const folder = fileURLToPath(new URL('../../fixtures/sessions/', import.meta.url));
const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replaceAll('\\', '/'));

function jobOf(name: string): (typeof RECORDED)[number] {
  const job = RECORDED.find((each) => name.split('/').at(-1)?.startsWith(`${each.name}-`));
  if (job === undefined) throw new Error(`nobody knows the job of ${name}`);
  return job;
}

const read = (name: string): unknown => JSON.parse(readFileSync(`${folder}${name}`, 'utf8'));

describe('sessions recorded by every release', () => {
  it('are there', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(3 * RECORDED.length);
  });

  it.each(recorded)('%s is opened, and goes through import and export unchanged', async (name) => {
    const document = read(name);
    const storage = memoryStorage();
    await storage.import(document);
    expect(JSON.parse(JSON.stringify(await storage.export('s')))).toEqual(document);
  });

  it.each(recorded.filter((name) => name.includes('-done')))('%s plays back as it was', async (name) => {
    const { differences } = await replay(read(name), (models) => composed(jobOf(name), models));
    expect(differences).toEqual([]);
  });

  it.each(recorded.filter((name) => name.includes('-interrupted')))('%s goes on to its end', async (name) => {
    const job = jobOf(name);
    const world = new World(new Dice(1), []);
    await world.disk.import(read(name));
    const session = await openFor(job, world, new Life());
    const { waiting } = session;
    if (waiting !== null) await session.answer(waiting.id, job.answer(waiting));
    const run = session.resumable ? await session.resume() : await session.send(job.request);
    expect((await run.result).status).toBe('done');
  });
});

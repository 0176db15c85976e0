import { mkdirSync, writeFileSync } from 'node:fs';
import type { RecordedModels } from '../../src/testing/replay.js';
import type { Session } from '../../src/session/session.js';
import type { Team } from '../../src/session/team.js';
import { Dice } from './simulation/dice.js';
import { JOBS, type Job } from './simulation/jobs.js';
import { Platform, quiet } from './simulation/platform.js';
import { openFor } from './simulation/simulate.js';
import { Life, World } from './simulation/world.js';

/** The jobs of the corpus, each once. */
export const RECORDED = [...new Set(JOBS)];

/** At which instants of a job sessions are left lying interrupted, as parts of all. */
const INTERRUPTED = [0.3, 0.7];

/** The roles of a job with models that say what was recorded. */
export function composed(job: Job, models: RecordedModels): Team {
  const world = new World(new Dice(1), []);
  world.modelOf = (_life, { id, ...traits }) => models(job.name === 'team' ? id : 'Zero', traits);
  return job.team(world, new Life());
}

/** Writes the corpus of this release: what every later one has to open, to play back and to go on with. */
export async function record(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const platform = new Platform();
  platform.take();
  const written: string[] = [];
  const save = async (world: World, name: string): Promise<void> => {
    writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(await world.disk.export('s'))}\n`);
    written.push(name);
  };
  try {
    for (const job of RECORDED) {
      platform.reset(7);
      const whole = new World(new Dice(7), []);
      const session = await openFor(job, whole, new Life());
      await finished(session, job);
      await save(whole, `${job.name}-done`);
      for (const part of INTERRUPTED) {
        platform.reset(7);
        const at = Math.ceil(whole.instants * part);
        const world = new World(new Dice(7), [{ kind: 'crash', at, after: true }]);
        void openFor(job, world, new Life()).then((opened) => opened.send(job.request));
        for (let turns = 0; turns < 200; turns++) await quiet();
        await save(world, `${job.name}-interrupted-${part * 10}`);
      }
    }
  } finally {
    platform.giveBack();
  }
  return written;
}

async function finished(session: Session, job: Job): Promise<void> {
  const { status } = await (await session.send(job.request)).result;
  if (status !== 'done') throw new Error(`${job.name} ended as ${status}`);
}

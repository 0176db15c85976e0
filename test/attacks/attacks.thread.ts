import { serveJobs } from '../threads/serve-jobs.js';
import { play, type Attack, type Outcome } from './attacks.js';

serveJobs(async (attacks: readonly Attack[]) => {
  const outcomes: Outcome[] = [];
  for (const attack of attacks) outcomes.push(await play(attack));
  return outcomes;
});

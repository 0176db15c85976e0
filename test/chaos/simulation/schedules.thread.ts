import { serveJobs } from '../../threads/serve-jobs.js';
import { runSeeds } from './run-seeds.js';

serveJobs(runSeeds);

import type { Experience } from '../core/experience.js';
import { MAX_SCORE, scoreOf } from './experience.js';

/** Decides whether an experience is good enough to be used without calling the model. */
export type PerfectJudge = (experience: Experience, req: string) => boolean;

/** Returns true for an identical request with the highest score. An experience without a score is not perfect. */
export const isPerfect: PerfectJudge = (experience, req) =>
  experience.req === req && scoreOf(experience) === MAX_SCORE;

import type { Experience } from '../base/experience.js';
import { MAX_SCORE, scoreOf } from './experience.js';

/** Whether an experience answers a request so well that nobody needs to be asked. */
export type PerfectJudge = (experience: Experience, req: string) => boolean;

/** The very same request, and the best score there is (spec 19.4); one that nobody has scored is not perfect. */
export const isPerfect: PerfectJudge = (experience, req) =>
  experience.req === req && scoreOf(experience) === MAX_SCORE;

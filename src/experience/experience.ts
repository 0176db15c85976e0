import { defined } from '../base/defined.js';
import { RoleZeroError } from '../base/error.js';
import type { Experience, ExperienceScore } from '../base/experience.js';
import { isRecord } from '../base/json.js';
import { sha256 } from '../base/sha256.js';

/** The best an experience can be. */
export const MAX_SCORE = 10;
const MIN_SCORE = 1;
/** Characters of a score's reason that are kept. */
const MAX_REASON = 500;

/** What the caller knows of an experience; the rest follows or has a default. */
export type ExperienceInit = Pick<Experience, 'req' | 'resp'> & Partial<Experience>;

/** The key of an experience: 32 hexadecimal digits that follow from its tag and request. */
export function uuidOf(tag: string, req: string): string {
  return sha256(JSON.stringify([tag, req])).slice(0, 32);
}

/** A whole experience; its uuid is always made from tag and request, its score kept within bounds. */
export function newExperience(init: ExperienceInit, now: number): Experience {
  const { req, resp, tag = '', metric, traj } = init;
  return {
    uuid: uuidOf(tag, req),
    tag,
    req,
    resp,
    ...(metric === undefined
      ? {}
      : { metric: { ...metric, ...(metric.score === undefined ? {} : { score: bounded(metric.score) }) } }),
    expType: init.expType ?? 'success',
    entryType: init.entryType ?? 'Automatic',
    ...defined({ traj }),
    timestamp: init.timestamp ?? now,
  };
}

/**
 * A score from 1 to 10.
 * @throws RoleZeroError `invalid` when it is not a number at all.
 */
export function bounded({ val, reason }: ExperienceScore): ExperienceScore {
  if (!Number.isFinite(val)) {
    throw new RoleZeroError('invalid', `A score is a number from ${MIN_SCORE} to ${MAX_SCORE}.`, {
      val: String(val),
    });
  }
  return { val: Math.min(MAX_SCORE, Math.max(MIN_SCORE, val)), reason: reason.slice(0, MAX_REASON) };
}

/** Null while nobody has judged it. */
export function scoreOf({ metric }: Experience): number | null {
  return metric?.score?.val ?? null;
}

/** What it takes up, in characters. */
export function lengthOf({ tag, req, resp, traj }: Experience): number {
  const steps = traj === undefined ? 0 : traj.plan.length + traj.action.length + traj.observation.length;
  return tag.length + req.length + resp.length + steps;
}

/** A stored or imported value as an experience, every field checked and copied; null when it is none. */
export function readExperience(value: unknown): Experience | null {
  if (!isRecord(value)) return null;
  const { tag, req, resp, expType, entryType, timestamp } = value;
  if (typeof tag !== 'string' || typeof req !== 'string' || typeof resp !== 'string') return null;
  if (expType !== 'success' && expType !== 'failure' && expType !== 'insight') return null;
  if (entryType !== 'Automatic' && entryType !== 'Manual') return null;
  if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) return null;
  const metric = readMetric(value['metric']);
  const traj = readTrajectory(value['traj']);
  if (metric === null || traj === null) return null;
  return newExperience(
    { tag, req, resp, expType, entryType, timestamp, ...(metric && { metric }), ...(traj && { traj }) },
    timestamp,
  );
}

/** Undefined when there is none, null when it is something else. */
function readMetric(value: unknown): Experience['metric'] | null {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return null;
  const { timeCost, moneyCost, score } = value;
  if (![timeCost, moneyCost].every((cost) => cost === undefined || Number.isFinite(cost))) return null;
  if (score !== undefined && !isScore(score)) return null;
  return {
    ...(typeof timeCost === 'number' && { timeCost }),
    ...(typeof moneyCost === 'number' && { moneyCost }),
    ...(score !== undefined && { score }),
  };
}

function isScore(value: unknown): value is ExperienceScore {
  return isRecord(value) && Number.isFinite(value['val']) && typeof value['reason'] === 'string';
}

function readTrajectory(value: unknown): Experience['traj'] | null {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return null;
  const { plan, action, observation, reward } = value;
  if (typeof plan !== 'string' || typeof action !== 'string' || typeof observation !== 'string') return null;
  return typeof reward === 'number' && Number.isFinite(reward) ? { plan, action, observation, reward } : null;
}

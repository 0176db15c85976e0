import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { Experience, ExperienceScore } from '../core/experience.js';
import { isRecord } from '../core/json.js';
import { sha256 } from '../core/sha256.js';

/** Highest possible score. */
const MAX_SCORE = 10;
const MIN_SCORE = 1;
/** Maximum length of a score's reason, in characters. */
const MAX_REASON = 500;

/** Fields of a new experience; missing fields are derived or have a default. */
export type ExperienceInit = Pick<Experience, 'req' | 'resp'> & Partial<Experience>;

/** Returns the key of an experience: 32 hexadecimal digits derived from its tag and request. */
export function uuidOf(tag: string, req: string): string {
  return sha256(JSON.stringify([tag, req])).slice(0, 32);
}

/** Creates a complete experience. Its uuid is always derived from tag and request, and its score is clamped. */
export function newExperience(init: ExperienceInit, now: number): Experience {
  const { req, resp, tag = '', metric, traj } = init;
  return {
    uuid: uuidOf(tag, req),
    tag,
    req,
    resp,
    ...defined({
      metric: metric && { ...metric, ...defined({ score: metric.score && bounded(metric.score) }) },
    }),
    expType: init.expType ?? 'success',
    entryType: init.entryType ?? 'Automatic',
    ...defined({ traj }),
    timestamp: init.timestamp ?? now,
  };
}

/**
 * Clamps a score to 1 to 10 and truncates its reason.
 * @throws RoleZeroError `invalid` when the score is not a finite number.
 */
export function bounded({ val, reason }: ExperienceScore): ExperienceScore {
  if (!Number.isFinite(val)) {
    throw new RoleZeroError('invalid', `A score is a number from ${MIN_SCORE} to ${MAX_SCORE}.`, {
      val: String(val),
    });
  }
  return { val: Math.min(MAX_SCORE, Math.max(MIN_SCORE, val)), reason: reason.slice(0, MAX_REASON) };
}

/** Returns the score, or null when there is none. */
export function scoreOf({ metric }: Experience): number | null {
  return metric?.score?.val ?? null;
}

/** Returns the size of an experience in characters. */
export function lengthOf({ tag, req, resp, traj }: Experience): number {
  const steps = traj === undefined ? 0 : traj.plan.length + traj.action.length + traj.observation.length;
  return tag.length + req.length + resp.length + steps;
}

/** Validates and copies every field of a stored or imported value. Returns null when it is not a valid experience. */
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
    { tag, req, resp, expType, entryType, timestamp, ...defined({ metric, traj }) },
    timestamp,
  );
}

/** Returns undefined when there is no metric, and null when it is invalid. */
function readMetric(value: unknown): Experience['metric'] | null {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return null;
  const { timeCost, moneyCost, score } = value;
  if (![timeCost, moneyCost].every((cost) => cost === undefined || Number.isFinite(cost))) return null;
  if (score !== undefined && !isScore(score)) return null;
  return defined({
    timeCost: typeof timeCost === 'number' ? timeCost : undefined,
    moneyCost: typeof moneyCost === 'number' ? moneyCost : undefined,
    score,
  });
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

/** JSON document with the contents of a pool. */
export interface ExperienceExport {
  format: 'rolezero-experiences';
  version: 1;
  name: string;
  experiences: Experience[];
}

/** Maximum number of experiences in an import. Larger imports are rejected before any is read. */
const MAX_IMPORTED_EXPERIENCES = 100_000;

/**
 * Reads the experiences of an exported document. Validates every field, because the document may come from an untrusted source. Recomputes
 * the uuids.
 * @throws RoleZeroError `invalid`, with the path of the invalid field.
 */
export function readExperiences(document: unknown): Experience[] {
  if (!isRecord(document) || document['format'] !== 'rolezero-experiences') {
    throw importError('format', "is not 'rolezero-experiences': this is no export of a pool");
  }
  if (document['version'] !== 1) {
    throw importError('version', 'is not 1: it was exported by another release of rolezero');
  }
  const { experiences } = document;
  if (!Array.isArray(experiences)) throw importError('experiences', 'is not a list');
  if (experiences.length > MAX_IMPORTED_EXPERIENCES)
    throw importError('experiences', `has more than ${MAX_IMPORTED_EXPERIENCES} entries`);
  return experiences.map((value, index) => {
    const experience = readExperience(value);
    if (experience === null) throw importError(`experiences[${index}]`, 'is not an experience');
    return experience;
  });
}

function importError(place: string, why: string): RoleZeroError {
  return new RoleZeroError('invalid', `Cannot import these experiences: ${place} ${why}.`, { place });
}

/** Decides whether an experience is good enough to be used without calling the model. */
export type PerfectJudge = (experience: Experience, req: string) => boolean;

/** Returns true for an identical request with the highest score. An experience without a score is not perfect. */
export const isPerfect: PerfectJudge = (experience, req) =>
  experience.req === req && scoreOf(experience) === MAX_SCORE;

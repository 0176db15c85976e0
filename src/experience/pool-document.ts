import { RoleZeroError } from '../base/error.js';
import type { Experience } from '../base/experience.js';
import { isRecord } from '../base/json.js';
import { readExperience } from './experience.js';

/** One JSON document with everything of a pool. */
export interface ExperienceExport {
  format: 'rolezero-experiences';
  version: 1;
  name: string;
  experiences: Experience[];
}

/** An import of more is refused before anything is read. */
const MAX_IMPORTED = 100_000;

/**
 * The experiences of an exported document, every field checked: it may come from anybody. Their keys are made anew.
 * @throws RoleZeroError `invalid` naming the place that is not acceptable.
 */
export function readExperiences(document: unknown): Experience[] {
  if (!isRecord(document) || document['format'] !== 'rolezero-experiences') {
    throw refuse('format', "is not 'rolezero-experiences': this is no export of a pool");
  }
  if (document['version'] !== 1) {
    throw refuse('version', 'is not 1: it was exported by another release of rolezero');
  }
  const { experiences } = document;
  if (!Array.isArray(experiences)) throw refuse('experiences', 'is not a list');
  if (experiences.length > MAX_IMPORTED) throw refuse('experiences', `has more than ${MAX_IMPORTED} entries`);
  return experiences.map((value, index) => {
    const experience = readExperience(value);
    if (experience === null) throw refuse(`experiences[${index}]`, 'is not an experience');
    return experience;
  });
}

function refuse(place: string, why: string): RoleZeroError {
  return new RoleZeroError('invalid', `Cannot import these experiences: ${place} ${why}.`, { place });
}

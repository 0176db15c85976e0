import { RoleZeroError } from '../core/error.js';
import type { Experience } from '../core/experience.js';
import { isRecord } from '../core/json.js';
import { readExperience } from './experience.js';

/** JSON document with the contents of a pool. */
export interface ExperienceExport {
  format: 'rolezero-experiences';
  version: 1;
  name: string;
  experiences: Experience[];
}

/** Maximum number of experiences in an import. Larger imports are rejected before any is read. */
const MAX_IMPORTED = 100_000;

/**
 * Reads the experiences of an exported document. Validates every field, because the document may come from an untrusted source. Recomputes
 * the uuids.
 * @throws RoleZeroError `invalid`, with the path of the invalid field.
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

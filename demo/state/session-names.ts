import { isTourName, tourOf, type TourName } from '../tour/index.js';

/** What a request's name holds and a tour's does not, so that no request can be taken for a recording. */
const BETWEEN = ' · ';
const TEAM = 'team';

/** A name for a session: the beginning of what was asked, and the time, which tells two of a kind apart. */
export function newSessionName(request: string, now: Date, team = false): string {
  const first = request.trim().split('\n')[0] ?? '';
  const line = first.replaceAll(/\p{Surrogate}/gu, '\uFFFD'); // half a character cannot be part of a name
  const characters = Array.from(line);
  const start = characters.length > 48 ? `${characters.slice(0, 47).join('').trimEnd()}…` : line;
  return [start, ...(team ? [TEAM] : []), timeOf(now)].join(BETWEEN);
}

/** A session whose replies are recorded is told by its name: a reload knows it again. */
export function newTourName(tour: TourName, now: Date): string {
  return `tour ${tour} ${timeOf(now)}`;
}

/** Which tour a session plays; null for a session of the user's own. */
export function tourIn(name: string | null): TourName | null {
  if (name === null || !name.startsWith('tour ') || name.includes(BETWEEN)) return null;
  const tour = name.split(' ')[1] ?? '';
  return isTourName(tour) ? tour : null;
}

/** Whether a team works in a session. The name tells it, so that an export takes it along. */
export function isTeam(name: string | null): boolean {
  const tour = tourIn(name);
  if (tour !== null) return tourOf(tour).team === true;
  return name?.split(BETWEEN).at(-2) === TEAM && (name.match(/ · /g)?.length ?? 0) > 1;
}

/** What users are shown of a name; a tour has a title of its own. */
export function titleOf(name: string): string {
  const parts = name.split(BETWEEN);
  if (parts.length < 2) return name;
  return parts.slice(0, isTeam(name) ? -2 : -1).join(BETWEEN) || name;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

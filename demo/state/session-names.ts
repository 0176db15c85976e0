import { t } from '../text/index.js';
import { isTeamTour, isTourName, type TourName } from '../tour/names.js';
import type { SessionLabels } from './session-labels.js';

/**
 * Separator in the name of a request that a tour's name does not contain, so that no request is mistaken for a
 * recording.
 */
const BETWEEN = ' · ';
const TEAM = 'team';

/** A session name: the beginning of the request, and the time, which makes it unique. */
export function newSessionName(request: string, now: Date, team = false): string {
  const first = request.trim().split('\n')[0] ?? '';
  const line = first.replaceAll(/\p{Surrogate}/gu, '\uFFFD'); // Half a surrogate pair is not allowed in a name.
  const characters = Array.from(line);
  const start = characters.length > 48 ? `${characters.slice(0, 47).join('').trimEnd()}…` : line;
  return [start, ...(team ? [TEAM] : []), timeOf(now)].join(BETWEEN);
}

/** The name marks a session with recorded replies, so that it is known after a reload. */
export function newTourName(tour: TourName, now: Date): string {
  return `tour ${tour} ${timeOf(now)}`;
}

/** The tour of a session; null for a session of the user. */
export function tourIn(name: string | null): TourName | null {
  if (name === null || !name.startsWith('tour ') || name.includes(BETWEEN)) return null;
  const tour = name.split(' ')[1] ?? '';
  return isTourName(tour) ? tour : null;
}

/** Whether a team works in a session. This is part of the name, so that an export includes it. */
export function isTeam(name: string | null): boolean {
  const tour = tourIn(name);
  if (tour !== null) return isTeamTour(tour);
  return name?.split(BETWEEN).at(-2) === TEAM && (name.match(/ · /g)?.length ?? 0) > 1;
}

/** The displayed title of a session: the user's, that of its tour, or the beginning of the first request. */
export function nameOf(name: string, labels: SessionLabels): string {
  const own = labels[name]?.title;
  if (own !== undefined) return own;
  const tour = tourIn(name);
  return tour === null ? titleOf(name) : t.tours[tour].title;
}

/** The title in the name of a session. */
export function titleOf(name: string): string {
  const parts = name.split(BETWEEN);
  if (parts.length < 2) return name;
  return parts.slice(0, isTeam(name) ? -2 : -1).join(BETWEEN) || name;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 23).replace('T', ' ');
}

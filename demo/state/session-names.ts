/** What a request's name holds and a tour's does not, so that no request can be taken for a recording. */
const BETWEEN = ' · ';

/** A name for a session: the beginning of what was asked, and the time, which tells two of a kind apart. */
export function newSessionName(request: string, now: Date): string {
  const line = request.trim().split('\n')[0] ?? '';
  const characters = Array.from(line);
  const start = characters.length > 48 ? `${characters.slice(0, 47).join('').trimEnd()}…` : line;
  return `${start}${BETWEEN}${timeOf(now)}`;
}

/** A session whose replies are recorded is told by its name: a reload knows it again. */
export function newTourName(now: Date): string {
  return `tour ${timeOf(now)}`;
}

export function isTour(name: string | null): boolean {
  return name?.startsWith('tour ') === true && !name.includes(BETWEEN);
}

/** What people are shown of a name. */
export function titleOf(name: string): string {
  return isTour(name) ? 'Tour' : name.slice(0, Math.max(0, name.lastIndexOf(BETWEEN))) || name;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

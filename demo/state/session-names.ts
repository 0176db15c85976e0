/** Sessions with recorded replies are told by their name, so that a reload knows them again. */
const TOUR = 'Tour';

/** A name for a session: the beginning of what was asked, and the time, which tells two of a kind apart. */
export function newSessionName(request: string, now: Date): string {
  const line = request.trim().split('\n')[0] ?? '';
  const characters = Array.from(line);
  const start = characters.length > 48 ? `${characters.slice(0, 47).join('').trimEnd()}…` : line;
  return `${start} · ${timeOf(now)}`;
}

export function newTourName(now: Date): string {
  return `${TOUR} · ${timeOf(now)}`;
}

export function isTour(name: string | null): boolean {
  return name?.startsWith(`${TOUR} · `) === true;
}

/** What people are shown of a name. */
export function titleOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(' · '))) || name;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

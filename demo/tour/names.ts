/** The recorded runs by name. The page knows only these until one is opened. */
export const TOUR_NAMES = [
  'build-a-game',
  'analyze-a-table',
  'find-and-fix',
  'remember',
  'survive-a-reload',
  'work-as-a-team',
] as const;
export type TourName = (typeof TOUR_NAMES)[number];

export function isTourName(name: string): name is TourName {
  return TOUR_NAMES.some((known) => known === name);
}

/** Whether a leader and two members play in it, instead of one role. */
export function isTeamTour(name: TourName): boolean {
  return name === 'work-as-a-team';
}

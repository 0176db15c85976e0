import type { MoreTab } from '../tour/tour.js';

/** The parts of the workbench that are shown under "More". */
export const MORE: readonly MoreTab[] = ['memory', 'notes', 'team', 'timeline', 'inspector'];

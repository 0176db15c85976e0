import { analyzeATable } from './analyze-a-table.js';
import { buildAGame } from './build-a-game.js';
import { findAndFix } from './find-and-fix.js';
import type { TourName } from './names.js';
import { remember } from './remember.js';
import { surviveAReload } from './survive-a-reload.js';
import type { Tour } from './tour.js';
import { workAsATeam } from './work-as-a-team.js';

/** The recorded runs that show the agent at work without a model. No DOM here: a terminal plays them, too. */
const TOURS = {
  'build-a-game': buildAGame,
  'analyze-a-table': analyzeATable,
  'find-and-fix': findAndFix,
  remember,
  'survive-a-reload': surviveAReload,
  'work-as-a-team': workAsATeam,
} satisfies Record<TourName, Tour>;

export function tourOf(name: TourName): Tour {
  return TOURS[name];
}

export { recordedAnswer, type Tour } from './tour.js';
export { tourModel } from './tour-model.js';

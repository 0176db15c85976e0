import { USUAL_WINDOW, type AgentConfig, type TourPage } from './agent-config.js';
import { tourOf } from './tour/index.js';
import { isTeamTour, type TourName } from './tour/names.js';

/** A session that plays a recorded run. */
export function tourConfig(name: TourName, page: TourPage | null = null): AgentConfig {
  const tour = tourOf(name);
  return {
    model: { kind: 'tour', tour: name, page },
    team: isTeamTour(name),
    asks: tour.asks === true ? 'shell' : 'never',
    tokenBudget: null,
    notes: false,
    shared: null,
    memoryWindow: tour.memoryWindow ?? USUAL_WINDOW,
  };
}

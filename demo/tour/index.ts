/** The recorded run that shows the agent at work without a model. No DOM here: a terminal plays it as well as the page. */
export { TOUR_REQUEST } from './recording.js';
export { tourModel, type TourOptions } from './tour-model.js';

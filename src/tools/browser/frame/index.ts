export { frame } from './frame.js';
export type { FrameOptions } from './frame-options.js';
export { preview } from './frame.js';
export { securityReport } from './security-report.js';
export { standalonePage } from './standalone-page.js';
export type { StandalonePage } from './standalone-page.js';

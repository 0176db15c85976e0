export { frame } from './frame.js';
export type { FrameOptions } from './frame-options.js';
export type { PageReader, ReadPage } from './sources.js';
export { securityReport, type SecurityCheck, type SecurityReport } from './security-report.js';

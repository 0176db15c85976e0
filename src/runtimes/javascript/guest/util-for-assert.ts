import { utilCore } from './util-core.js';

// The package `assert` imports these in the place of the package `util`.
export const { inspect, format, types, inherits } = utilCore;

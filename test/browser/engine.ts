import { server } from 'vitest/browser';
import type { Engine } from '../engines/engine-browser.js';

/** The engine that runs the tests. */
export const engine = server.browser as Engine;

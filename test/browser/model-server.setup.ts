import type { TestProject } from 'vitest/node';
import { startModelServer } from '../tiny-model/server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Origin of a server with the tiny model that runs as long as the browser tests; see `tinyModel`. */
    modelServer: string;
  }
}

/** Runs in Node, around all browser tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer();
  project.provide('modelServer', server.origin);
  return () => server.close();
}

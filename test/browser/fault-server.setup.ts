import type { TestProject } from 'vitest/node';
import { startFaultServer } from '../fault-server/fault-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Origin of a fault server that runs as long as the browser tests; see `remoteFaultServer`. */
    faultServer: string;
  }
}

/** Runs in Node, around all browser tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startFaultServer();
  project.provide('faultServer', server.origin);
  return () => server.close();
}

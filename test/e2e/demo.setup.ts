import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { oncePerRun } from '../once-per-run.js';
import { buildFolder } from './build-folder.js';

const configFile = fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the demo as it is built for its visitors. */
    demoFolder: string;
  }
}

/** Builds the demo once for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { value, remove } = await oncePerRun('demo', buildDemo, (folder) =>
    rmSync(folder, { recursive: true, force: true }),
  );
  project.provide('demoFolder', value);
  return remove;
}

async function buildDemo(): Promise<string> {
  const demoFolder = buildFolder('demo');
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production'; // Vitest says `test`, and Vite then builds for developers
  try {
    await build({ configFile, logLevel: 'error', build: { outDir: demoFolder, emptyOutDir: true } });
  } finally {
    process.env['NODE_ENV'] = before;
  }
  return demoFolder;
}

import { mkdirSync, mkdtempSync, readFileSync, rmSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { oncePerRun } from '../once-per-run.js';
import { root } from './paths.js';
import { npm } from './run.js';

/** The output of `npm pack`, and an application with it installed. */
export interface Packed {
  /** Path of the packed tarball. */
  tarball: string;
  /** Paths in the tarball. */
  files: string[];
  /** Folder of the application. Copy it before changing anything. */
  app: string;
  /** Folder for copies, removed at the end. */
  scratch: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    packed: Packed;
  }
}

/** Builds, packs and installs the package once for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { value, remove } = await oncePerRun('packed', packAndInstall, ({ scratch }) =>
    rmSync(scratch, { recursive: true, force: true }),
  );
  project.provide('packed', value);
  return remove;
}

async function packAndInstall(): Promise<Packed> {
  const scratch = mkdtempSync(join(process.env['SHARED_BUILDS'] ?? tmpdir(), 'rolezero-package-'));
  await npm(['run', 'build'], root);
  const packed = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], root);
  const [pack] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  const tarball = join(scratch, pack.filename);

  const app = join(scratch, 'app');
  cpSync(join(root, 'test/package/app'), app, { recursive: true });
  mkdirSync(join(app, 'node_modules'));
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const peers = [
    'zod',
    '@mlc-ai/web-llm',
    '@modelcontextprotocol/client',
    '@opentelemetry/api',
    'lit',
    'marked',
    'react',
    'vue',
  ].map((name) => `${name}@${devDependencies[name] ?? ''}`);
  await npm(['install', '--prefer-offline', tarball, ...peers], app);

  return { tarball, files: pack.files.map(({ path }) => path), app, scratch };
}

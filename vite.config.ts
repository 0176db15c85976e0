import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { bundledWorkers } from './scripts/bundled-workers.js';
import { browserAlias, bundledDependencies, nodeAlias } from './scripts/aliases.js';
import { chromiumPath, launchArguments, webgpuArguments } from './scripts/chromium.mjs';
import { driverSourcePlugin } from './scripts/driver-source.mjs';
import { extraFolder } from './scripts/extra-packages.mjs';
import { hostedPackages } from './scripts/hosted-packages.js';
import { runtimeModules } from './scripts/runtime-modules.mjs';
import { otherEngines } from './scripts/other-engines.mjs';
import { svelteFiles } from './scripts/svelte-files.js';
import type { Engine } from './test/engines/engine-browser.js';
import { documentedCode } from './test/browser/documented-code.js';
import { engineProvider } from './test/engines/vitest-provider.js';

const executablePath = chromiumPath();
/** transformers.js with its runtime, which the long tests install; the gate does without. */
const transformers = `${extraFolder('transformers')}/node_modules`;
const report = process.env['TEST_REPORT'];

/**
 * Number of test files that run at the same time where each starts browsers, servers or build tools of its own. Such tests mostly wait, so
 * one at a time leaves processors idle. More than two would slow down tests that kill browsers.
 */
const SYSTEM_TEST_WORKERS = 2;

/** Tests that take long: series of kills, simulations, attacks, all build tools. `npm test` leaves them out. */
const LONG = '**/*.long.test.ts';

/** What some tests need, and the engines that lack it. */
const NEEDS: { name: string; description: string; missingIn: readonly Engine[] }[] = [
  {
    name: 'chromium',
    description: 'Needs Chrome’s debugging protocol, or a behavior that only Chromium has.',
    missingIn: ['firefox', 'webkit'],
  },
  { name: 'storage-api', description: 'Needs navigator.storage, such as OPFS.', missingIn: ['webkit'] },
  { name: 'webrtc', description: 'Needs WebRTC in the browser.', missingIn: ['webkit'] },
];

/** Factor of the length of series. */
const size = Number(process.env['TEST_SIZE'] ?? 1);
/** Runs smaller than the nightly one leave out what mostly repeats what another test shows. */
const isNightly = size >= 1;

/** The tags of tests that depend on the engine. A test that an engine cannot run is skipped there. */
function tagsIn(engine: Engine) {
  return NEEDS.map(({ missingIn, ...tag }) => ({ ...tag, skip: missingIn.includes(engine) }));
}

/**
 * The tests of one kind as two projects: `<name>` has the fast tests, `<name>-long` the long ones. Groups of projects run one after the other
 * (`groupOrder`), so that tests which kill browsers compete with few others for the processor. Tests in a browser often wait: those that are fast
 * share a group with the unit tests.
 */
function projects(
  name: string,
  [fastOrder, longOrder]: readonly [number, number],
  include: string,
  configuration: (isLong: boolean) => TestProjectInlineConfiguration,
  longOnly: TestProjectInlineConfiguration = {},
): TestProjectInlineConfiguration[] {
  // Made twice: Vitest writes the names of projects into it.
  const [fast, long] = [configuration(false), configuration(true)];
  return [
    {
      extends: true,
      ...fast,
      test: {
        ...fast.test,
        name,
        include: [include],
        exclude: [...configDefaults.exclude, LONG],
        sequence: { groupOrder: fastOrder },
      },
    },
    {
      extends: true,
      ...long,
      ...longOnly,
      test: {
        ...long.test,
        ...longOnly.test,
        name: `${name}-long`,
        include: [include.replace('*.test.ts', '*.long.test.ts')],
        sequence: { groupOrder: longOrder },
      },
    },
  ];
}

/** `isIsolated`: each file has a page of its own. Else it is one for all files of a worker, which saves loading the modules for each file. */
function browserTests(isIsolated: boolean): TestProjectInlineConfiguration {
  return {
    plugins: [bundledWorkers(), svelteFiles()],
    optimizeDeps: { include: bundledDependencies },
    test: {
      tags: tagsIn('chromium'),
      isolate: isIsolated,
      restoreMocks: true,
      unstubGlobals: true,
      globalSetup: ['test/browser/fault-server.setup.ts', 'test/browser/model-server.setup.ts'],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          launchOptions: {
            ...(executablePath === undefined ? {} : { executablePath }),
            args: [...launchArguments, ...webgpuArguments],
          },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

/** Parts in which engines differ most, for the runs that are smaller than the nightly one. */
const DIFFERENT_IN_ENGINES = ['storage', 'client', 'spawn', 'files', 'keys', 'element', 'providers'];

/** The fast browser tests in another engine, among the long tests. */
function otherBrowserTests(engine: Engine): TestProjectInlineConfiguration {
  const { test, ...common } = browserTests(true);
  return {
    extends: true,
    ...common,
    test: {
      ...test,
      name: `browser-${engine}`,
      include: isNightly
        ? ['test/browser/**/*.test.ts']
        : DIFFERENT_IN_ENGINES.map((part) => `test/browser/${part}/**/*.test.ts`),
      // Of the adapters of frameworks, which have no code for an engine, only React's is tested.
      exclude: [...configDefaults.exclude, LONG, 'test/browser/{ai-sdk-ui,svelte,vue}/**'],
      sequence: { groupOrder: 20 },
      tags: tagsIn(engine),
      browser: {
        enabled: true,
        headless: false, // Their drivers decide.
        screenshotFailures: false,
        provider: engineProvider(engine),
        instances: [{ browser: engine }],
      },
    },
  };
}

/** Tests, and the pages they build. The demo has a configuration of its own. */
export default defineConfig({
  base: './',
  plugins: [driverSourcePlugin(), runtimeModules()],
  resolve: { alias: browserAlias },
  build: { outDir: 'dist', emptyOutDir: true },
  worker: { format: 'es', plugins: () => [driverSourcePlugin(), runtimeModules()] },
  test: {
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    provide: { size },
    tags: [
      {
        name: 'nightly',
        description: 'Takes long, and mostly repeats what another test shows: runs at size 1 or more.',
        skip: !isNightly,
      },
    ],
    maxWorkers: '100%',
    reporters: report ? ['default', ['./scripts/test-report.mjs', { file: report }]] : ['default'],
    projects: [
      ...projects(
        'unit',
        [0, 10],
        'test/{unit,architecture}/**/*.test.ts',
        () => ({
          resolve: { alias: nodeAlias },
          // One module graph for all files of a worker: loading the sources for each file took half of the time.
          test: { environment: 'node', isolate: false },
        }),
        { test: { isolate: true } }, // engines such as TensorFlow.js change the whole process
      ),
      ...projects('browser', [0, 11], 'test/browser/**/*.test.ts', browserTests, {
        plugins: [bundledWorkers(), svelteFiles(), hostedPackages(), documentedCode()],
        ...(existsSync(transformers)
          ? {
              optimizeDeps: { include: [...bundledDependencies, '@huggingface/transformers'] },
              resolve: {
                alias: {
                  '@huggingface/transformers': `${transformers}/@huggingface/transformers/dist/transformers.web.js`,
                },
              },
            }
          : { optimizeDeps: { include: bundledDependencies, exclude: ['@huggingface/transformers'] } }),
        define: { ONNX_RUNTIME: JSON.stringify(`/@fs${transformers}/onnxruntime-web/dist`) },
      }),
      ...projects('e2e', [1, 12], 'test/e2e/**/*.test.ts', () => ({
        resolve: { alias: nodeAlias },
        test: {
          environment: 'node',
          tags: tagsIn('chromium'),
          globalSetup: ['test/e2e/demo.setup.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: SYSTEM_TEST_WORKERS,
        },
      })),
      // The same pages in Chromium, Firefox and WebKitGTK.
      ...projects(
        'engines',
        [1, 12],
        'test/engines/**/*.test.ts',
        () => ({
          resolve: { alias: nodeAlias },
          test: {
            environment: 'node',
            testTimeout: 240_000,
            hookTimeout: 240_000,
            maxWorkers: SYSTEM_TEST_WORKERS,
          },
        }),
        { test: { globalSetup: ['test/e2e/demo.setup.ts'] } },
      ),
      ...otherEngines().map(otherBrowserTests),
      ...projects('package', [1, 13], 'test/package/**/*.test.ts', () => ({
        resolve: { alias: nodeAlias },
        test: {
          environment: 'node',
          globalSetup: ['test/package/packed.setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          maxWorkers: SYSTEM_TEST_WORKERS,
        },
      })),
    ],
  },
});
